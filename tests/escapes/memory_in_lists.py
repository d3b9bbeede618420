# attack: grows until the limit
# ruff: noqa
def answer(n):
    keep = []
    while True:
        keep.append(bytearray(1 << 22))
