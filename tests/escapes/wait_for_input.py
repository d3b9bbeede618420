# attack: reads standard input that never comes, then a lock that nobody frees
# ruff: noqa
import sys, threading


def answer(n):
    sys.stdin.read()
    threading.Event().wait()
