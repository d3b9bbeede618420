"""The filter, run by a small machine for classic BPF, says what it should on both architectures."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracing.sandbox import seccomp
from tracing.sandbox.syscalls import ARCHITECTURES

ALLOW, EPERM, ENOSYS, KILL = 0x7FFF0000, 0x50001, 0x50026, 0x80000000
MACHINES = sorted(ARCHITECTURES)
machines = pytest.mark.parametrize("machine", MACHINES)


def verdict(machine, number, *arguments, audit=None):
    """Run the filter on one call; the register holds 32 bits."""
    program = seccomp.build(machine)
    words = [*arguments, *[0] * (6 - len(arguments))]
    audit = ARCHITECTURES[machine].audit if audit is None else audit
    data = struct.pack("<iIQ6Q", number, audit, 0, *(word % (1 << 64) for word in words))
    place = accumulator = 0
    for _ in range(len(program)):
        code, true, false, operand = program[place]
        place += 1
        if code == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, operand)
        elif code == 0x54:
            accumulator &= operand
        elif code == 0x05:
            place += operand
        elif code == 0x06:
            return operand
        else:
            test = {0x15: accumulator == operand, 0x35: accumulator >= operand}[code]
            place += true if test else false
    raise AssertionError("the filter does not end")


@machines
def test_every_allowed_call_is_allowed_and_no_other(machine):
    numbers = ARCHITECTURES[machine]
    special = set(numbers.special.values())
    for number in range(-2, 600):
        if number not in special:
            expected = ALLOW if number in numbers.allowed else EPERM
            assert verdict(machine, number) == expected, number


@machines
@given(number=st.integers(-(2**31), 2**31 - 1))
def test_a_number_out_of_range_is_refused(machine, number):
    if not 0 <= number < 1000:
        assert verdict(machine, number) == EPERM


@machines
def test_another_architecture_is_fatal(machine):
    assert verdict(machine, 0, audit=0x40000003) == KILL


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("clone", (0x3D0F00,), ALLOW),
        ("clone", (0x7D0F00,), ALLOW),
        ("clone", (17,), EPERM),
        ("clone", (0x4111,), EPERM),
        ("clone", (0x3D0F00 | 0x10000000,), EPERM),
        ("clone3", (1, 88), ENOSYS),
        ("openat2", (1, 1, 1, 1), ENOSYS),
        ("kill", (seccomp.SELF, 9), ALLOW),
        ("kill", (-1, 9), EPERM),
        ("kill", (0, 9), EPERM),
        ("kill", (-seccomp.SELF, 9), EPERM),
        ("tgkill", (seccomp.SELF, 5, 6), ALLOW),
        ("tgkill", (1, 1, 9), EPERM),
        ("tkill", (1, 9), EPERM),
        ("prlimit64", (0, 7, 0, 1), ALLOW),
        ("prlimit64", (seccomp.SELF, 7, 0, 1), ALLOW),
        ("prlimit64", (0, 7, 1, 0), EPERM),
        ("prlimit64", (0, 7, 1 << 32, 0), EPERM),
        ("prlimit64", (1, 7, 0, 1), EPERM),
        ("sendto", (3, 1, 1, 0, 0, 0), ALLOW),
        ("sendto", (3, 1, 1, 0, 1 << 32, 16), EPERM),
        ("sendto", (3, 1, 1, 0, 1, 16), EPERM),
        ("socketpair", (1, 1), ALLOW),
        ("socketpair", (2, 1), EPERM),
        ("fcntl", (3, 1), ALLOW),
        ("fcntl", (3, 8, 1), EPERM),
        ("fcntl", (3, 10, 9), EPERM),
        ("ioctl", (0, 0x5401), ALLOW),
        ("ioctl", (0, 0x5412), EPERM),
        ("openat", (-100, 1, 0), ALLOW),
        ("openat", (-100, 1, 0o1001), ALLOW),
        ("openat", (-100, 1, 0o1000), EPERM),
    ],
)
@machines
def test_a_call_that_is_allowed_in_part_depends_on_its_arguments(
    machine, name, arguments, expected
):
    assert verdict(machine, ARCHITECTURES[machine].special[name], *arguments) == expected


@machines
def test_no_way_to_another_process_or_program_is_listed(machine):
    names = set(ARCHITECTURES[machine].calls)
    doors = "fork vfork execve execveat socket connect bind ptrace io_uring_setup bpf unshare setns"
    doors += " mount chroot pivot_root setrlimit keyctl shmget memfd_create pidfd_send_signal"
    doors += " process_vm_readv process_vm_writev userfaultfd perf_event_open chmod fchmodat link"
    doors += " symlink linkat symlinkat mknodat truncate setxattr utimensat sendmsg sendmmsg prctl"
    assert not names & set(doors.split())


@machines
def test_the_filter_fits_the_kernel(machine):
    code = seccomp.assembled(machine)
    assert len(code) % 8 == 0
    assert len(code) // 8 <= 4096
