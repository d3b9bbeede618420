# attack: builds a dictionary whose keys all collide
# ruff: noqa
def answer(n):
    step = 2**61 - 1
    return len({i * step + n for i in range(200000)})
