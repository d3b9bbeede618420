# attack: writes a file without end
# ruff: noqa
def answer(n):
    with open("big", "wb") as file:
        while True:
            file.write(b"x" * (1 << 20))
