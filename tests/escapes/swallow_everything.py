# attack: catches every exception that could end it
# ruff: noqa
def answer(n):
    while True:
        try:
            while True:
                n += 1
        except BaseException:
            pass
