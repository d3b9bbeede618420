# attack: raises its limits
# ruff: noqa
import ctypes, resource


def answer(n):
    raised = []
    for name in ("RLIMIT_CPU", "RLIMIT_AS", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_NPROC"):
        kind = getattr(resource, name)
        for limits in ((resource.RLIM_INFINITY,) * 2, (1 << 40, 1 << 40)):
            try:
                resource.setrlimit(kind, limits)
                raised.append(name)
            except (OSError, ValueError):
                pass
    return raised or 0
