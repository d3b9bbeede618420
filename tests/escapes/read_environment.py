# attack: looks for secrets in the environment and in its own memory
# ruff: noqa
import gc, os, sys


def answer(n):
    found = [value for value in os.environ.values() if "@tag@" in value]
    found += [
        text
        for text in gc.get_objects()
        if type(text) is str and "@tag@-secret" in text and text != "@tag@-secret"
    ]
    print(found, sys.argv, sys.orig_argv)
    return repr(found) if found else 0
