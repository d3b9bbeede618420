# attack: becomes another program
# ruff: noqa
import os


def answer(n):
    os.execv("/bin/sh", ["sh", "-c", "touch @canary@/new; sleep 30"])
