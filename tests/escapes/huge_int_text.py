# attack: returns an integer of a million digits
# ruff: noqa
def answer(n):
    return 7**1200000
