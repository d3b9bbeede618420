# attack: sends to an address through a pair of sockets, which are allowed
# ruff: noqa
import socket


def answer(n):
    for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM):
        one, other = socket.socketpair(socket.AF_UNIX, kind)
        for act in (
            lambda: one.sendto(b"leak", "@canary@/socket"),
            lambda: one.sendto(b"leak", "\0@tag@"),
            lambda: one.connect("\0@tag@"),
            lambda: one.sendmsg([b"leak"], [], 0, "\0@tag@"),
            lambda: one.bind("\0@tag@-own"),
            lambda: socket.send_fds(one, [b"x"], [0]),
        ):
            try:
                act()
                return "sent"
            except OSError:
                pass
    return 0
