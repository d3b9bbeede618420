# attack: prints without end
# ruff: noqa
def answer(n):
    while True:
        print("x" * 65536)
