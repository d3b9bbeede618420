# attack: leaves with status 0 before the first answer
# ruff: noqa
import os

os._exit(0)
