"""A small process that forks a confined child for each request.

Started by :mod:`tracing.sandbox.client` as a fresh interpreter that has loaded little
and holds no secret, so that a fork is cheap and shows a child nothing. It supervises no
clock and reads no result: it forks, hands the parent a descriptor of the child, reaps
it, tidies its scratch folder, and only then says how it ended. When the parent goes, so
do the server and all its children.

Runs as a script, with a connected socket as standard input: ``server.py PREFIX``, where
PREFIX is what the paths of scratch folders begin with.
"""

from __future__ import annotations

import builtins
import contextlib
import gc
import importlib
import os
import select
import signal
import socket
import struct
import sys
import types
from typing import NoReturn

STARTED = struct.Struct("!qq")
"""The child's process number as the server sees it, the number in the name of its scratch
folder; its pidfd comes along."""
ENDED = struct.Struct("!id")
"""Wait status, CPU seconds."""

_LIKELY = """
    array bisect collections.abc copy ctypes dataclasses datetime decimal enum fractions
    functools heapq inspect io itertools json math operator random re statistics string
    textwrap time typing
"""
"""What programs import most: loaded once here instead of in every child. Not threading,
which has work to do after each fork."""


def _load() -> None:
    """Import what a child needs, and as little as possible besides.

    The package's own ``__init__`` would load the whole library into every child.
    """
    here = os.path.dirname(os.path.abspath(__file__))
    for name, folder in (("tracing", os.path.dirname(here)), ("tracing.sandbox", here)):
        package = types.ModuleType(name)
        package.__path__ = [folder]
        sys.modules[name] = package
    for name in ("tracing.sandbox.child", "tracing.sandbox.scratch", *_LIKELY.split()):
        importlib.import_module(name)
    # What the site module would have added, and programs use.
    vars(builtins).update(exit=sys.exit, quit=sys.exit)


class _Server:
    def __init__(self, control: socket.socket, prefix: str) -> None:
        self.control = control
        self.prefix = prefix
        self.count = 0
        self.running: dict[int, tuple[socket.socket, str]] = {}
        self.wake, wake = os.pipe()
        os.set_blocking(wake, False)
        os.set_blocking(self.wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)

    def serve(self) -> None:
        """Answer requests until the parent closes the control socket."""
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        poll.register(self.wake, select.POLLIN)
        while True:
            for descriptor, _ in poll.poll():
                if descriptor == self.wake:
                    with contextlib.suppress(BlockingIOError):
                        os.read(self.wake, 4096)
                    self.reap()
                elif not self.request():
                    return

    def request(self) -> bool:
        """Take one request and fork; False when the parent is gone."""
        try:
            data, passed, _, _ = socket.recv_fds(self.control, 1, 2)
        except ConnectionError:
            return False
        if not data or len(passed) != 2:
            return False
        channel, status = passed[0], socket.socket(fileno=passed[1])
        self.count += 1
        scratch = f"{self.prefix}{self.count}"
        try:
            os.mkdir(scratch, 0o700)
            pid = os.fork()
        except OSError:
            # The parent sees the end of the status socket, and asks again.
            with contextlib.suppress(OSError):
                os.rmdir(scratch)
            os.close(channel)
            status.close()
            return True
        if pid == 0:
            self.become_child(channel, scratch)
        os.close(channel)
        self.running[pid] = status, scratch
        with contextlib.suppress(OSError):
            self.introduce(STARTED.pack(pid, self.count), pid, status)
        return True

    def introduce(self, words: bytes, pid: int, status: socket.socket) -> None:
        handle = _handle(pid)
        socket.send_fds(status, [words], [] if handle is None else [handle])
        if handle is not None:
            os.close(handle)

    def become_child(self, channel: int, scratch: str) -> NoReturn:
        try:
            os.setsid()
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            child = sys.modules["tracing.sandbox.child"]
            for name in [name for name in sys.modules if name.partition(".")[0] == "tracing"]:
                del sys.modules[name]
            child.main(channel, scratch)
        finally:
            os._exit(72)

    def reap(self) -> None:
        """Tidy after every child that has ended, strays among them."""
        from tracing.sandbox import scratch as scratch_folder

        while True:
            try:
                pid, wait_status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            status, scratch = self.running.pop(pid, (None, ""))
            if status is None:
                continue
            # Where nothing keeps a child from forking: its children go with it.
            with contextlib.suppress(OSError):
                os.killpg(pid, signal.SIGKILL)
            with contextlib.suppress(OSError):
                scratch_folder.remove(scratch)
            seconds = usage.ru_utime + usage.ru_stime
            with contextlib.suppress(OSError):
                status.sendall(ENDED.pack(wait_status, seconds))
            status.close()

    def stop(self) -> None:
        for pid in self.running:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        while self.running:
            self.reap()
            select.select([self.wake], [], [], 0.05)


def _handle(pid: int) -> int | None:
    """Open a process's pidfd; None where the system has none (before Linux 5.3)."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


_NOBODY = 65534


def _leave_root(folder: str) -> None:
    """Become nobody, unless only root can read the library or write temporary files."""
    from tracing.sandbox import kernel

    if os.geteuid() != 0 or not _is_public(os.path.realpath(os.__file__), 0o004):
        return
    if not _is_public(os.path.realpath(folder), 0o003):
        return
    try:
        os.setgroups([])
        os.setgid(_NOBODY)
        os.setuid(_NOBODY)
    except OSError:  # a container without that user; root without its powers
        return
    if sys.platform.startswith("linux"):
        # The kernel hides /proc/self from whoever changed its user, and namespaces need it.
        kernel.set_dumpable(True)


def _is_public(path: str, bits: int) -> bool:
    """Tell whether everybody has these permissions, and may pass the folders above."""
    if os.stat(path).st_mode & bits != bits:
        return False
    while path != os.path.dirname(path):
        path = os.path.dirname(path)
        if not os.stat(path).st_mode & 0o001:
            return False
    return True


def _enter_namespaces() -> None:
    """Move to new namespaces where possible; what goes on is their first process."""
    from tracing.sandbox import kernel, namespaces

    handle = _handle(os.getpid())
    if handle is None:
        return  # the parent must go by process numbers, which must not differ then
    os.close(handle)
    if not namespaces.enter():
        return
    pid = os.fork()
    if pid == 0:
        kernel.die_with_parent()
        return
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.closerange(3, 64)
    _, status = os.waitpid(pid, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def main() -> None:
    """Serve until the parent goes."""
    # Both are inherited, and a server must hear of its children.
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _load()
    prefix = sys.argv[1]
    _leave_root(os.path.dirname(prefix))
    _enter_namespaces()
    control = socket.socket(fileno=os.dup(0))
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.close(null)
    sys.argv, sys.orig_argv = [""], [""]
    os.environ.clear()
    server = _Server(control, prefix)
    sys.modules["tracing.sandbox.confine"].prepare()
    gc.collect()
    gc.freeze()
    control.sendall(b"!")
    server.serve()
    server.stop()


if __name__ == "__main__":
    main()
