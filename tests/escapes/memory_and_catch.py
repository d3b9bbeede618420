# attack: goes on asking after every refusal
# ruff: noqa
def answer(n):
    keep = []
    size = 1 << 30
    while True:
        try:
            keep.append(bytearray(size))
        except MemoryError:
            size = max(size // 2, 64)
