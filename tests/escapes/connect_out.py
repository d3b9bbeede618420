# attack: connects to the listener of its parent
# ruff: noqa
import socket


def answer(n):
    for family, address in (
        (socket.AF_INET, ("127.0.0.1", LISTENER_PORT)),
        (socket.AF_INET6, ("::1", LISTENER_PORT)),
        (socket.AF_UNIX, "\0@tag@"),
        (socket.AF_UNIX, "@canary@/socket"),
    ):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            try:
                with socket.socket(family, kind) as link:
                    link.settimeout(0.2)
                    link.connect(address)
                    link.send(b"leak")
                    return "connected"
            except OSError:
                pass
    return 0
