"""Runs the programs of tests/escapes and says what each got away with.

As a script (``python hostile.py ESCAPES``) it runs all of them and prints a JSON object of
those that got away with anything, so that another user can run it too.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from tracing import sandbox
from tracing.limits import Limits

LIMITS = Limits(seconds=0.4)
EXPECTED = ["10", "17"]
HONEST = "def answer(n):\n    return n * n + 1\n"
TAG = "t0ken"


class Surroundings:
    """What a hostile program could reach for: files, listeners, a secret in the environment."""

    def __init__(self, stack: ExitStack) -> None:
        self.canary = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (self.canary / "keep.txt").write_text("keep")
        (self.canary / "secret.txt").write_text(f"{TAG}-secret")
        self.listeners = [
            stack.enter_context(socket.create_server(("127.0.0.1", 0))),
            stack.enter_context(socket.socket(socket.AF_UNIX)),
        ]
        self.listeners[1].bind(str(self.canary / "socket"))
        self.listeners[1].listen()
        for listener in self.listeners:
            listener.setblocking(False)
        self.before = self.look()

    def fill(self, source: str) -> str:
        port = self.listeners[0].getsockname()[1]
        for mark, text in (
            ("@canary@", self.canary),
            ("LISTENER_PORT", port),
            ("@tag@", TAG),
            ("PARENT_PID", os.getpid()),
        ):
            source = source.replace(mark, str(text))
        return source

    def look(self) -> list[object]:
        """Everything outside that a program could have changed."""
        facts: list[object] = []
        for path in sorted([self.canary, *self.canary.iterdir()]):
            found = path.lstat()
            facts.append((path.name, found.st_mode, found.st_mtime_ns, found.st_size, found.st_uid))
        for folder in ("/dev/shm", "/tmp", "/var/tmp", "/", os.path.expanduser("~")):
            facts.append([name for name in _names(folder) if TAG in name or "sitecustom" in name])
        facts.append(
            [name for name in _names(tempfile.gettempdir()) if f"execverify-{os.getpid()}-" in name]
        )
        return facts

    def visitors(self) -> int:
        count = 0
        for listener in self.listeners:
            try:
                listener.accept()[0].close()
                count += 1
            except BlockingIOError:
                continue
        return count


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def children() -> set[int]:
    """Process numbers of all descendants of this process."""
    lines = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True).stdout
    parents = {int(pid): int(parent) for pid, parent in map(str.split, lines.splitlines())}
    found = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {os.getpid()}


def attack(path: Path, around: Surroundings) -> list[str]:
    """Run one hostile program.

    Returns:
        What it got away with, a sentence each.
    """
    source = around.fill(path.read_text())
    # Those of the look at them itself, which come and go, are not among these.
    servers = {pid for pid in children() if _is_server(pid)}
    start = time.monotonic()
    run = sandbox.run_calls(source, "answer", ["3", "4"], limits=LIMITS)
    took = time.monotonic() - start
    got = [result.value.literal if result.value else "" for result in run.results]
    said = [result.stdout + (result.exception or "") for result in run.results]
    follows = sandbox.run_calls(HONEST, "answer", ["3", "4"])
    values = [result.value.literal if result.value else "" for result in follows.results]
    wrong = {
        f"it passed with {got}": run.outcome == "finished" and got == EXPECTED,
        f"it was no verdict: {run.reason}": run.outcome == "infrastructure",
        f"it says that it got through: {got}": any(text.strip("0,' []") for text in got)
        and run.outcome == "finished",
        f"it took {took:.1f} s": took > 2 * LIMITS.seconds + 1.5,
        f"it saw the secret: {said}": any(f"{TAG}-secret" in text for text in (*said, *got)),
        f"the next run gave {values}": values != EXPECTED,
        "it was seen at a listener": around.visitors() > 0,
        f"it left something: {around.look()}": around.look() != around.before,
        "it left a process": {pid for pid in children() if _is_server(pid)} != servers,
    }
    return [sentence for sentence, holds in wrong.items() if holds]


def _is_server(pid: int) -> bool:
    try:
        return b"server.py" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def main(folder: str) -> None:
    os.environ["SECRET"] = f"{TAG}-secret"
    escaped = {"level": [] if sandbox.level().name == "full" else [str(sandbox.level())]}
    with ExitStack() as stack:
        around = Surroundings(stack)
        for path in sorted(Path(folder).glob("*.py")):
            escaped[path.stem] = attack(path, around)
    print(json.dumps({name: what for name, what in escaped.items() if what}))


if __name__ == "__main__":
    main(sys.argv[1])
