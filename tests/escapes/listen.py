# attack: opens ports and addresses of its own
# ruff: noqa
import socket


def answer(n):
    for family, address in (
        (socket.AF_INET, ("127.0.0.1", 0)),
        (socket.AF_UNIX, "here"),
        (socket.AF_UNIX, "\0@tag@-listen"),
    ):
        try:
            with socket.socket(family) as link:
                link.bind(address)
                link.listen()
                return "listens"
        except OSError:
            pass
    return 0
