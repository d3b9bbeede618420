# attack: raises what no `except Exception` catches
# ruff: noqa
def answer(n):
    raise KeyboardInterrupt
