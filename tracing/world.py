"""Finds in a program what reads the time, the machine or the sandbox.

Two runs a second apart agree on today's date, and on everything that is the same on one
machine; so that such a run is no ground truth cannot be seen by running it again. It is
seen in the text, by the names of what is read. A name that the program binds itself is its
own. What is not imported by name (``getattr(os, x)``) is not seen.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tracing.units import units_of

__all__ = ["reads_world"]

_READ: dict[str, frozenset[str]] = {
    "time": frozenset(
        "time time_ns localtime gmtime ctime asctime strftime perf_counter perf_counter_ns "
        "monotonic monotonic_ns process_time process_time_ns thread_time thread_time_ns "
        "clock_gettime clock_gettime_ns timezone tzname altzone daylight".split()
    ),
    "datetime": frozenset("today now utcnow".split()),
    "os": frozenset(
        "getcwd getcwdb listdir scandir walk environ environb getenv getpid getppid cpu_count "
        "uname stat lstat fstat times getlogin getuid geteuid getgid getpgid open popen system "
        "name sep linesep urandom getloadavg sched_getaffinity access get_terminal_size".split()
    ),
    "sys": frozenset(
        "version version_info hexversion platform executable path argv orig_argv getsizeof "
        "modules implementation flags byteorder prefix exec_prefix base_prefix "
        "base_exec_prefix api_version stdin getallocatedblocks maxunicode builtin_module_names "
        "stdlib_module_names getrefcount warnoptions".split()
    ),
}
"""Of modules that are read in part: what depends on the time or the machine."""
_WHOLE = frozenset(
    "platform socket getpass uuid tempfile secrets ssl http urllib ftplib smtplib select "
    "resource pwd grp shutil glob pathlib locale sysconfig site mmap fcntl".split()
)
"""Modules that are about the machine, the network or files altogether."""
_BUILTINS = frozenset("open input __file__ __loader__ __spec__ __cached__".split())


def reads_world(source: str) -> str | None:
    r"""Say what a program reads of the time, the machine or the sandbox.

    Args:
        source: A program that parses.

    Returns:
        The first such reading, as a part of a sentence, or None.

    Raises:
        ProgramError: The source does not parse.

    Example:
        >>> reads_world("import datetime\ndef f():\n    return str(datetime.date.today())\n")
        'line 3: datetime.today depends on the time or the machine'
        >>> reads_world("def f(time):\n    return time.now\n") is None
        True
    """
    nodes = units_of(source).nodes
    found = min(_readings(nodes), default=None)
    if found is None:
        return None
    return f"line {found[0]}: {found[1]} depends on the time or the machine"


def _readings(nodes: tuple[ast.AST, ...]) -> Iterator[tuple[int, str]]:
    imported: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                module = alias.name.partition(".")[0]
                imported[alias.asname or module] = module
                if module in _WHOLE:
                    yield node.lineno, module
        elif isinstance(node, ast.ImportFrom) and node.module:
            module = node.module.partition(".")[0]
            for alias in node.names:
                imported[alias.asname or alias.name] = module
                if module in _WHOLE or alias.name in _READ.get(module, ()):
                    yield node.lineno, f"{module}.{alias.name}"
    own = _bound(nodes)
    for node in nodes:
        if isinstance(node, ast.Attribute):
            module = imported.get(_root(node), "")
            if node.attr in _READ.get(module, ()):
                yield node.lineno, f"{module}.{node.attr}"
        elif isinstance(node, ast.Name) and node.id in _BUILTINS and node.id not in own:
            yield node.lineno, node.id
    yield from _addresses(nodes, own)


def _addresses(nodes: tuple[ast.AST, ...], own: set[str]) -> Iterator[tuple[int, str]]:
    """Find calls of ``id`` whose number is used: to compare two of them is all that is sure."""
    compared = {
        id(side)
        for node in nodes
        if isinstance(node, ast.Compare)
        for side in (node.left, *node.comparators)
    }
    for node in nodes:
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "id"
            and "id" not in own
            and id(node) not in compared
        ):
            yield node.lineno, "id"


def _root(node: ast.expr) -> str:
    """Give the name at the beginning of a chain of attributes and calls."""
    while True:
        if isinstance(node, ast.Attribute):
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        else:
            return node.id if isinstance(node, ast.Name) else ""


def _bound(nodes: tuple[ast.AST, ...]) -> set[str]:
    names = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    names |= {n.name for n in nodes if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    return names | {n.arg for n in nodes if isinstance(n, ast.arg)}
