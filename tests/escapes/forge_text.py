# attack: writes the verdicts of other sandboxes to every descriptor
# ruff: noqa
import os

for fd in range(64):
    for text in (
        b"ok\n",
        b"passed\n",
        b"[true, true]\n",
        b'{"outcome": "finished", "results": [10, 17]}\n',
        b"\x80\x04K\n.",
    ):
        try:
            os.write(fd, text)
        except OSError:
            pass
os._exit(0)
