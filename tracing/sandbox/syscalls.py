"""The numbers of the system calls that a confined process may make.

Taken from the kernel's ``unistd.h`` of each architecture; a call that an architecture
does not have is not listed. What is not here is refused: see
:mod:`tracing.sandbox.seccomp`.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ARCHITECTURES", "Numbers"]


@dataclass(frozen=True, slots=True)
class Numbers:
    """The calls of one architecture.

    Attributes:
        audit: The architecture's name to the kernel (``AUDIT_ARCH_...``).
        calls: Numbers of the calls that are allowed as they are, by name.
        special: Numbers of the calls that are allowed in part.
    """

    audit: int
    calls: dict[str, int]
    special: dict[str, int]

    @property
    def allowed(self) -> frozenset[int]:
        """Numbers of the calls that are allowed as they are."""
        return frozenset(self.calls.values())


# fmt: off
_X86_64 = Numbers(
    audit=0xC000003E,
    calls={
        "read": 0, "write": 1, "readv": 19, "writev": 20, "pread64": 17, "pwrite64": 18,
        "preadv": 295, "pwritev": 296, "preadv2": 327, "pwritev2": 328, "creat": 85, "close": 3,
        "close_range": 436, "fstat": 5, "stat": 4, "lstat": 6, "newfstatat": 262, "statx": 332,
        "statfs": 137, "fstatfs": 138, "lseek": 8, "mmap": 9, "mprotect": 10, "munmap": 11,
        "mremap": 25, "madvise": 28, "msync": 26, "brk": 12, "rt_sigaction": 13,
        "rt_sigprocmask": 14, "rt_sigreturn": 15, "rt_sigpending": 127, "rt_sigtimedwait": 128,
        "rt_sigsuspend": 130, "sigaltstack": 131, "signalfd4": 289, "pause": 34, "alarm": 37,
        "getitimer": 36, "setitimer": 38, "timerfd_create": 283, "timerfd_settime": 286,
        "timerfd_gettime": 287, "access": 21, "faccessat": 269, "faccessat2": 439, "pipe": 22,
        "pipe2": 293, "select": 23, "pselect6": 270, "poll": 7, "ppoll": 271, "epoll_create": 213,
        "epoll_create1": 291, "epoll_ctl": 233, "epoll_wait": 232, "epoll_pwait": 281,
        "eventfd2": 290, "dup": 32, "dup2": 33, "dup3": 292, "flock": 73, "fsync": 74,
        "fdatasync": 75, "ftruncate": 77, "fallocate": 285, "fadvise64": 221, "getdents64": 217,
        "getcwd": 79, "chdir": 80, "fchdir": 81, "rename": 82, "renameat": 264, "renameat2": 316,
        "mkdir": 83, "mkdirat": 258, "rmdir": 84, "unlink": 87, "unlinkat": 263, "readlink": 89,
        "readlinkat": 267, "umask": 95, "gettimeofday": 96, "time": 201, "clock_gettime": 228,
        "clock_getres": 229, "clock_nanosleep": 230, "nanosleep": 35, "getpid": 39, "gettid": 186,
        "getppid": 110, "getuid": 102, "geteuid": 107, "getgid": 104, "getegid": 108,
        "getresuid": 118, "getresgid": 120, "getgroups": 115, "getpgrp": 111, "getpgid": 121,
        "getsid": 124, "getpriority": 140, "getrlimit": 97, "getrusage": 98, "sysinfo": 99,
        "times": 100, "uname": 63, "futex": 202, "set_robust_list": 273, "get_robust_list": 274,
        "rseq": 334, "set_tid_address": 218, "arch_prctl": 158, "exit": 60, "exit_group": 231,
        "sched_yield": 24, "sched_getaffinity": 204, "sched_getparam": 143,
        "sched_getscheduler": 145, "sched_get_priority_max": 146, "sched_get_priority_min": 147,
        "getcpu": 309, "getrandom": 318, "restart_syscall": 219, "membarrier": 324, "recvfrom": 45,
        "shutdown": 48, "getsockname": 51, "getpeername": 52, "getsockopt": 55, "sendfile": 40,
        "copy_file_range": 326,
    },
    special={
        "open": 2, "openat": 257, "clone": 56, "clone3": 435, "openat2": 437, "kill": 62,
        "tkill": 200, "tgkill": 234, "fcntl": 72, "ioctl": 16, "prlimit64": 302, "sendto": 44,
        "socketpair": 53,
    },
)

_AARCH64 = Numbers(
    audit=0xC00000B7,
    calls={
        "read": 63, "write": 64, "readv": 65, "writev": 66, "pread64": 67, "pwrite64": 68,
        "preadv": 69, "pwritev": 70, "preadv2": 286, "pwritev2": 287, "close": 57,
        "close_range": 436, "fstat": 80, "newfstatat": 79, "statx": 291, "statfs": 43,
        "fstatfs": 44, "lseek": 62, "mmap": 222, "mprotect": 226, "munmap": 215, "mremap": 216,
        "madvise": 233, "msync": 227, "brk": 214, "rt_sigaction": 134, "rt_sigprocmask": 135,
        "rt_sigreturn": 139, "rt_sigpending": 136, "rt_sigtimedwait": 137, "rt_sigsuspend": 133,
        "sigaltstack": 132, "signalfd4": 74, "getitimer": 102, "setitimer": 103,
        "timerfd_create": 85, "timerfd_settime": 86, "timerfd_gettime": 87, "faccessat": 48,
        "faccessat2": 439, "pipe2": 59, "pselect6": 72, "ppoll": 73, "epoll_create1": 20,
        "epoll_ctl": 21, "epoll_pwait": 22, "eventfd2": 19, "dup": 23, "dup3": 24, "flock": 32,
        "fsync": 82, "fdatasync": 83, "ftruncate": 46, "fallocate": 47, "fadvise64": 223,
        "getdents64": 61, "getcwd": 17, "chdir": 49, "fchdir": 50, "renameat": 38, "renameat2": 276,
        "mkdirat": 34, "unlinkat": 35, "readlinkat": 78, "umask": 166, "gettimeofday": 169,
        "clock_gettime": 113, "clock_getres": 114, "clock_nanosleep": 115, "nanosleep": 101,
        "getpid": 172, "gettid": 178, "getppid": 173, "getuid": 174, "geteuid": 175, "getgid": 176,
        "getegid": 177, "getresuid": 148, "getresgid": 150, "getgroups": 158, "getpgid": 155,
        "getsid": 156, "getpriority": 141, "getrlimit": 163, "getrusage": 165, "sysinfo": 179,
        "times": 153, "uname": 160, "futex": 98, "set_robust_list": 99, "get_robust_list": 100,
        "rseq": 293, "set_tid_address": 96, "exit": 93, "exit_group": 94, "sched_yield": 124,
        "sched_getaffinity": 123, "sched_getparam": 121, "sched_getscheduler": 120,
        "sched_get_priority_max": 125, "sched_get_priority_min": 126, "getcpu": 168,
        "getrandom": 278, "restart_syscall": 128, "membarrier": 283, "recvfrom": 207,
        "shutdown": 210, "getsockname": 204, "getpeername": 205, "getsockopt": 209, "sendfile": 71,
        "copy_file_range": 285,
    },
    special={
        "openat": 56, "clone": 220, "clone3": 435, "openat2": 437, "kill": 129, "tkill": 130,
        "tgkill": 131, "fcntl": 25, "ioctl": 29, "prlimit64": 261, "sendto": 206, "socketpair": 199,
    },
)
# fmt: on

ARCHITECTURES = {"x86_64": _X86_64, "aarch64": _AARCH64}
