"""The sandbox on other systems than this: ordinary users, kernels and containers with less."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tracing import sandbox
from tracing.sandbox.syscalls import ARCHITECTURES

ROOT = Path(sandbox.__file__).parents[2]
HERE = Path(__file__).parent
ESCAPES = HERE.parents[1] / "escapes"
MACHINE = os.uname().machine
UNSHARE = {"x86_64": 272, "aarch64": 97}.get(MACHINE, 0)
PRCTL = {"x86_64": 157, "aarch64": 167}.get(MACHINE, 0)
LANDLOCK, PIDFD_OPEN = 444, 434
SET_SECCOMP = 22

linux = pytest.mark.skipif(MACHINE not in ARCHITECTURES, reason="the filters are for two machines")

LESS = """
import ctypes, json, struct, sys
from tracing.sandbox import kernel
from tracing import sandbox
from tracing.limits import Limits

def take_away(*calls):
    code = [(0x20, 0, 0, 0)]
    for number, first, error in calls:
        if first is None:
            code += [(0x15, 0, 1, number), (0x06, 0, 0, 0x50000 | error)]
        else:
            code += [(0x15, 0, 4, number), (0x20, 0, 0, 16), (0x15, 0, 1, first),
                     (0x06, 0, 0, 0x50000 | error), (0x20, 0, 0, 0)]
    code.append((0x06, 0, 0, 0x7FFF0000))
    program = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *c) for c in code))
    kernel.no_new_privileges()
    header = struct.pack("@HP", len(code), ctypes.addressof(program))
    kernel.call("prctl", 22, 2, header, 0, 0)

take_away(*json.loads(sys.argv[1]))
found = sandbox.level()
run = sandbox.run_calls(sys.argv[2], "answer", ["3"], limits=Limits(seconds=2), required="rlimits")
result = [r.value.literal if r.value else r.exception for r in run.results]
print(json.dumps([found.name, found.layers, run.outcome, result]))
"""

FLOOD = """
def answer(n):
    for number in range(100000):
        with open(str(number), "wb") as file:
            file.write(b"x" * (1 << 20))
"""
DEEP = """
import os
def answer(n):
    for _ in range(50):
        os.mkdir("d" * 100)
        os.chdir("d" * 100)
""" + FLOOD.partition("def answer(n):\n")[2]
HONEST = "def answer(n):\n    open('x', 'w').write('x')\n    return n"


def with_less(source, *taken):
    done = subprocess.run(
        [sys.executable, "-c", LESS, json.dumps(taken), source],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@linux
def test_without_namespaces_the_level_is_still_full():
    level, layers, outcome, result = with_less(HONEST, (UNSHARE, None, 1))
    assert (level, outcome, result) == ("full", "finished", ["3"])
    assert not {"scratch", "processes"} & set(layers)


@linux
@pytest.mark.parametrize("source", [FLOOD, DEEP], ids=["here", "too deep for a path"])
def test_without_namespaces_a_flood_of_files_is_noticed(source):
    assert with_less(source, (UNSHARE, None, 1))[2:] == ["output", []]


@linux
def test_without_process_handles_a_child_is_ended_by_its_number():
    level, layers, outcome, _ = with_less("def answer(n):\n while n: pass", (PIDFD_OPEN, None, 38))
    assert (level, outcome) == ("full", "timeout")
    assert "scratch" not in layers or os.geteuid() == 0


@linux
def test_without_landlock_the_level_is_reduced():
    level, layers, outcome, result = with_less(HONEST, (LANDLOCK, None, 38))
    assert (level, outcome, result) == ("reduced", "finished", ["3"])
    assert "landlock" not in layers


@linux
def test_without_filters_only_limits_are_left():
    level, layers, outcome, result = with_less(HONEST, (PRCTL, SET_SECCOMP, 22))
    assert (level, outcome, result) == ("rlimits", "finished", ["3"])
    assert "seccomp" not in layers


def public_python():
    """Find an interpreter that every user may run."""
    for path in (sys._base_executable, "/usr/local/bin/python3", "/usr/bin/python3"):
        check = "import sys; raise SystemExit(sys.version_info < (3, 11))"
        try:
            done = subprocess.run([path, "-c", check], user=12345, group=12345, extra_groups=[])
        except OSError:
            continue
        if done.returncode == 0:
            return path
    return None


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="not root: all tests here are those of a user")
@pytest.mark.parametrize("user", [12345, 0], ids=["user", "root"])
def test_every_escape_holds_for_a_public_interpreter(user):
    python = public_python()
    if python is None:
        pytest.skip("no Python 3.11 or later on this machine that an ordinary user may run")
    folder = Path(tempfile.mkdtemp())
    try:
        shutil.copytree(ROOT / "tracing", folder / "tracing")
        shutil.copytree(ESCAPES, folder / "escapes")
        shutil.copy(HERE / "hostile.py", folder)
        subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
        done = subprocess.run(
            [python, "hostile.py", "escapes"],
            cwd=folder,
            user=user,
            group=user,
            extra_groups=[],
            env={"HOME": "/nonexistent", "PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            timeout=120,
        )
    finally:
        shutil.rmtree(folder)
    assert (done.stdout, done.stderr) == ("{}\n", "")
