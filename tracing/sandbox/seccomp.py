"""Seccomp: the system calls that are left to a confined process.

A filter in classic BPF, built by hand for x86-64 and aarch64, that names what is
allowed; every other call, known or not, is refused with EPERM. There is no way to
another process, program, socket, namespace or limit among them, nor to the calls on
paths that Landlock does not govern (``chmod``, ``utime``, ``truncate``, links).
Threads of the same process and signals to itself stay.

It cannot look behind pointers: ``clone3`` and ``openat2`` answer ENOSYS, upon which the
C library uses the older calls.

Source: https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from functools import lru_cache

from tracing.sandbox.kernel import call
from tracing.sandbox.syscalls import ARCHITECTURES, Numbers

__all__ = ["SELF", "assembled", "build", "install", "is_supported"]

Instruction = tuple[int, int, int, int]
"""Opcode, jump if true, jump if false, operand."""

_LOAD, _EQUAL, _AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_DENY = 0x00050000 | errno.EPERM
_ABSENT = 0x00050000 | errno.ENOSYS
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2

_CLONE_THREAD = 0x10000
_CLONE_NEW = 0x7E020000
_CLONE_VFORK = 0x4000
_O_ACCMODE_AND_TRUNC = 0o3 | 0o1000
_AF_UNIX = 1
SELF = 0x5E1F5E1F
"""Stands for the filtered process's own number, which no process number reaches."""
_IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x802C542A)
"""Is it a terminal, its size, bytes waiting, non-blocking, close on exec."""
_FCNTLS = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032)
"""Duplicate, flags, locks, size of a pipe; not the owner of its signals."""


def is_supported() -> bool:
    """Tell whether there are filters for this machine."""
    return os.uname().sysname == "Linux" and os.uname().machine in ARCHITECTURES


def install() -> bool:
    """Filter the calling process, which must have set no-new-privileges, for good.

    Returns:
        False where there is no filter for this architecture: nothing is filtered then.

    Raises:
        OSError: The kernel refused.
    """
    if not is_supported():
        return False
    data = assembled(os.uname().machine).replace(_word(SELF), _word(os.getpid()))
    program = ctypes.create_string_buffer(data, len(data))
    header = struct.pack("@HP", len(data) // 8, ctypes.addressof(program))
    try:
        call("prctl", _PR_SET_SECCOMP, _MODE_FILTER, header, 0, 0)
    except OSError as error:
        if error.errno == errno.EINVAL:  # a kernel without CONFIG_SECCOMP_FILTER
            return False
        raise
    return True


@lru_cache
def assembled(machine: str) -> bytes:
    """Write the filter as the kernel takes it; kept, as every child needs the same.

    Args:
        machine: ``"x86_64"`` or ``"aarch64"``.

    Returns:
        The instructions, 8 bytes each, with :data:`SELF` for the process itself.
    """
    return b"".join(struct.pack("=HBBI", *line) for line in build(machine))


def _word(number: int) -> bytes:
    return struct.pack("=I", number)


def build(machine: str) -> list[Instruction]:
    """Write the filter of an architecture.

    Args:
        machine: ``"x86_64"`` or ``"aarch64"``.

    Returns:
        The program, with :data:`SELF` for the process itself.
    """
    numbers = ARCHITECTURES[machine]
    rules = {
        numbers.special[name]: rule for name, rule in _RULES.items() if name in numbers.special
    }
    return [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 1, 0, numbers.audit),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),
        *_search(_steps(numbers, rules)),
    ]


def _argument(place: int, half: int = 0) -> Instruction:
    return (_LOAD, 0, 0, 16 + 8 * place + 4 * half)


def _one_of(place: int, values: tuple[int, ...]) -> list[Instruction]:
    """Allow when the lower half of an argument is one of these."""
    count = len(values)
    tests = [(_EQUAL, count - i, 0, value & 0xFFFFFFFF) for i, value in enumerate(values)]
    return [_argument(place), *tests, (_RETURN, 0, 0, _DENY), (_RETURN, 0, 0, _ALLOW)]


def _masked(place: int, mask: int, value: int, *, otherwise: bool = False) -> list[Instruction]:
    """Allow when an argument has this value under the mask (or, ``otherwise``, any other)."""
    fits, differs = (_DENY, _ALLOW) if otherwise else (_ALLOW, _DENY)
    test = (_EQUAL, 0, 1, value)
    return [
        _argument(place),
        (_AND, 0, 0, mask),
        test,
        (_RETURN, 0, 0, fits),
        (_RETURN, 0, 0, differs),
    ]


def _null(place: int, rule: list[Instruction]) -> list[Instruction]:
    """Go on with the rule when an argument is a null pointer, and deny otherwise."""
    return [
        _argument(place),
        (_EQUAL, 0, 2, 0),
        _argument(place, half=1),
        (_EQUAL, 1, 0, 0),
        (_RETURN, 0, 0, _DENY),
        *rule,
    ]


_RULES: dict[str, list[Instruction]] = {
    "open": _masked(1, _O_ACCMODE_AND_TRUNC, 0o1000, otherwise=True),
    "openat": _masked(2, _O_ACCMODE_AND_TRUNC, 0o1000, otherwise=True),
    "clone": _masked(0, _CLONE_THREAD | _CLONE_NEW | _CLONE_VFORK, _CLONE_THREAD),
    "clone3": [(_RETURN, 0, 0, _ABSENT)],
    "openat2": [(_RETURN, 0, 0, _ABSENT)],
    "kill": _one_of(0, (SELF,)),
    "tkill": _one_of(0, (SELF,)),
    "tgkill": _one_of(0, (SELF,)),
    "fcntl": _one_of(1, _FCNTLS),
    "ioctl": _one_of(1, _IOCTLS),
    "prlimit64": _null(2, _one_of(0, (0, SELF))),
    "sendto": _null(4, [(_RETURN, 0, 0, _ALLOW)]),
    "socketpair": _one_of(0, (_AF_UNIX,)),
}
"""What each call that is allowed in part must look like."""


def _steps(
    numbers: Numbers, rules: dict[int, list[Instruction]]
) -> list[tuple[int, list[Instruction]]]:
    """Cut the line of numbers into stretches that are treated alike, each by its first."""
    allow, deny = [(_RETURN, 0, 0, _ALLOW)], [(_RETURN, 0, 0, _DENY)]
    steps = [(0, deny)]
    for number in sorted({*numbers.allowed, *rules}):
        rule = rules.get(number, allow)
        for start, body in ((number, rule), (number + 1, deny)):
            if steps[-1][0] == start:
                steps[-1] = (start, body)
            else:
                steps.append((start, body))
    merged = steps[:1]
    for start, body in steps[1:]:
        if body != merged[-1][1]:
            merged.append((start, body))
    return merged


def _search(steps: list[tuple[int, list[Instruction]]]) -> list[Instruction]:
    """Find a number's stretch by halving: the kernel tries every number when it is installed."""
    if len(steps) == 1:
        return steps[0][1]
    middle = len(steps) // 2
    below, above = _search(steps[:middle]), _search(steps[middle:])
    if len(below) < 256:
        return [(_AT_LEAST, len(below), 0, steps[middle][0]), *below, *above]
    return [(_AT_LEAST, 0, 1, steps[middle][0]), (0x05, 0, 0, len(below)), *below, *above]
