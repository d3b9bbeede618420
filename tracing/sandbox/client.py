"""The parent's end of the server: starts it, asks it for children, ends them.

One server per process, started at the first use, again when it has died, and anew in a
forked process. Safe to use from any number of threads; nothing here uses signals or
waits for other children than the server.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import glob
import math
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from typing import IO

from tracing.errors import InfrastructureError, shorten
from tracing.sandbox import scratch
from tracing.sandbox.server import ENDED, STARTED

__all__ = ["Child", "Ended", "Server", "current"]

_START_SECONDS = 60.0
"""How long a server may take to start, or a child to be forked, on a machine in despair."""
_NEEDED = ("LD_LIBRARY_PATH", "PYTHONHOME")
_CPU_CLOCK = 2
"""What makes a process number the name of its CPU clock, see clock_getcpuclockid(3)."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended.

    Attributes:
        code: Its exit status, or minus the signal that killed it.
        seconds: The CPU time that it used.
    """

    code: int
    seconds: float


@dataclass(slots=True)
class Child:
    """A child that was forked for one job.

    Attributes:
        channel: Takes the job and gives the frames.
        status: The server's word on how it ended; no child can write there.
        pid: Its number in this process's namespace, 0 where that is not known.
        handle: Its pidfd, or None where the system has none.
        scratch: Its scratch folder.
    """

    channel: socket.socket
    status: socket.socket
    pid: int
    handle: int | None
    scratch: str

    def kill(self) -> None:
        """Kill it, if it still runs."""
        with contextlib.suppress(ProcessLookupError):
            if self.handle is not None:
                signal.pidfd_send_signal(self.handle, signal.SIGKILL)
            elif self.pid:
                os.kill(self.pid, signal.SIGKILL)

    def used(self) -> float:
        """Tell how much CPU time all its threads have used, in seconds.

        Returns:
            The time since it was forked; 0 where the kernel does not tell.
        """
        if not self.pid or not sys.platform.startswith("linux"):
            return 0.0
        try:
            return time.clock_gettime((~self.pid << 3) | _CPU_CLOCK)
        except OSError:
            return 0.0

    def waited(self) -> float | None:
        """Tell how long its first thread was ready to run and did not, in seconds.

        Returns:
            The time since it was forked; None where the kernel does not tell.
        """
        try:
            with open(f"/proc/{self.pid}/schedstat", encoding="utf-8") as file:
                return int(file.read().split()[1]) / 1e9
        except (OSError, ValueError, IndexError):
            return None

    def written(self) -> float:
        """Tell how much it has in its scratch folder, in bytes.

        Returns:
            The sum; infinity where it has hidden some of it; 0 where the folder lies in a
            mount of the child's own, which has a bound.
        """
        total = 0
        hidden = False

        def fail(error: OSError) -> None:
            # A folder without permissions, or too deep for a path.
            nonlocal hidden
            hidden |= error.errno not in (errno.ENOENT, errno.ENOTDIR)

        for folder, _, names in os.walk(self.scratch, onerror=fail):
            for name in names:
                with contextlib.suppress(OSError):
                    total += os.lstat(os.path.join(folder, name)).st_blocks * 512
        return math.inf if hidden else total

    def end(self) -> Ended:
        """Kill it and wait until it is reaped and its files are gone.

        Returns:
            How it ended.

        Raises:
            InfrastructureError: The server went first.
        """
        try:
            self.kill()
            self.channel.close()
            self.status.settimeout(_START_SECONDS)
            data = _receive(self.status, ENDED.size)
        except InfrastructureError:
            with contextlib.suppress(OSError):
                scratch.remove(self.scratch)
            raise
        finally:
            self.close()
        status, seconds = ENDED.unpack(data)
        return Ended(os.waitstatus_to_exitcode(status), seconds)

    def close(self) -> None:
        """Let go of its descriptors."""
        self.channel.close()
        self.status.close()
        if self.handle is not None:
            os.close(self.handle)
            self.handle = None


class Server:
    """A running server.

    Raises:
        InfrastructureError: It does not start.
    """

    def __init__(self) -> None:
        name = f"execverify-{os.getpid()}-{secrets.token_hex(4)}-"
        self.prefix = os.path.join(tempfile.gettempdir(), name)
        self._lock = threading.Lock()
        self._control, theirs = socket.socketpair()
        with theirs, tempfile.TemporaryFile() as log:
            try:
                self._process = _start(self.prefix, theirs, log)
                theirs.close()
                self._control.settimeout(_START_SECONDS)
                _receive(self._control, 1)
            except (OSError, InfrastructureError) as error:
                self.stop()
                words = _last_line(log) or error
                raise InfrastructureError(f"the sandbox server does not start: {words}") from error

    def is_alive(self) -> bool:
        """Whether it still answers."""
        return self._process.poll() is None

    def spawn(self) -> Child:
        """Have a child forked, which waits for its job.

        Returns:
            The child.

        Raises:
            InfrastructureError: The server cannot fork.
            OSError: The server is gone.
        """
        with contextlib.ExitStack() as stack:
            channel, their_channel = map(stack.enter_context, socket.socketpair())
            status, their_status = map(stack.enter_context, socket.socketpair())
            with self._lock:
                passed = [their_channel.fileno(), their_status.fileno()]
                socket.send_fds(self._control, [b"f"], passed)
            their_channel.close()
            their_status.close()
            status.settimeout(_START_SECONDS)
            data, handles, _, _ = socket.recv_fds(status, STARTED.size, 1)
            if len(data) != STARTED.size:
                raise InfrastructureError("the sandbox server could not fork")
            stack.pop_all()
        handle = handles[0] if handles else None
        pid, number = STARTED.unpack(data)
        if handle is not None:
            pid = _pid_of(handle)
        return Child(channel, status, pid, handle, f"{self.prefix}{number}")

    def stop(self) -> None:
        """End the server with all its children."""
        self._control.close()
        process = getattr(self, "_process", None)
        if process is not None:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        # What a server left that was killed itself.
        for path in glob.glob(glob.escape(self.prefix) + "*"):
            with contextlib.suppress(OSError):
                scratch.remove(path)

    def forget(self) -> None:
        """Let go of a server that belongs to the process this one was forked from."""
        self._control.close()
        self._process.returncode = 0


def _start(prefix: str, control: socket.socket, log: IO[bytes]) -> subprocess.Popen[bytes]:
    """Execute a fresh interpreter: no environment, no site packages, no descriptors."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "server.py")
    # Sets and hashes must come out alike every time; -I would ignore the variable. Some
    # interpreters do not find their own library without the others.
    environment = {"PYTHONHASHSEED": "0"}
    environment |= {name: os.environ[name] for name in _NEEDED if name in os.environ}
    return subprocess.Popen(
        [_interpreter(), "-s", "-P", "-S", "-X", "utf8", script, prefix],
        stdin=control.fileno(),
        stdout=subprocess.DEVNULL,
        stderr=log,
        env=environment,
        cwd="/",
        close_fds=True,
        start_new_session=True,
    )


def _interpreter() -> str:
    """Find this interpreter outside its virtual environment, or one of the same version.

    A process that has changed its user may not be allowed to execute its own file any more.
    """
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    own = (getattr(sys, "_base_executable", None), sys.executable)
    for path in (*own, shutil.which(version), f"/usr/local/bin/{version}", f"/usr/bin/{version}"):
        if path and os.access(path, os.X_OK):
            return str(path)
    return sys.executable


def _last_line(log: IO[bytes]) -> str:
    log.seek(0)
    return shorten(log.read().decode("utf-8", "replace").strip().rpartition("\n")[2], 200)


def _receive(connection: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        try:
            part = connection.recv(count - len(data))
        except OSError as error:
            raise InfrastructureError(f"the sandbox server does not answer: {error}") from error
        if not part:
            raise InfrastructureError("the sandbox server is gone")
        data += part
    return data


def _pid_of(handle: int) -> int:
    """Give a pidfd's process number in this namespace; 0 where /proc does not tell."""
    try:
        with open(f"/proc/self/fdinfo/{handle}", encoding="utf-8") as file:
            for line in file:
                if line.startswith("Pid:"):
                    return max(0, int(line.split()[1]))
    except (OSError, ValueError):
        return 0
    return 0


_lock = threading.Lock()
_server: Server | None = None


def current() -> Server:
    """Give this process's server, starting it where there is none or it has died.

    Returns:
        A server that answered a moment ago.

    Raises:
        InfrastructureError: It does not start.
        OSError: This process may open nothing more.
    """
    global _server
    with _lock:
        if _server is not None and not _server.is_alive():
            _server.stop()
            _server = None
        if _server is None:
            _server = Server()
        return _server


@atexit.register
def stop() -> None:
    """End this process's server; the next use starts another."""
    global _server
    with _lock:
        if _server is not None:
            _server.stop()
            _server = None


def _after_fork() -> None:
    global _lock, _server
    _lock = threading.Lock()
    if _server is not None:
        _server.forget()
        _server = None


os.register_at_fork(after_in_child=_after_fork)
