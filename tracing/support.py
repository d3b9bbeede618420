"""Which programs may be traced, and which may share a worker.

A program that is refused has no ground truth by docs/semantics.md, 1.4: what it
does depends on the version, or one line would be two steps. A *tame* program
cannot leave anything behind in the interpreter that runs it, so its worker can
run others afterwards; every other program gets a worker of its own.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from functools import lru_cache

from tracing.errors import ProgramError, shorten
from tracing.units import case_line, is_stepless, lines_of, units_of

__all__ = ["check", "is_hash_sensitive", "is_tame", "may_show_phantom"]

PREFIX = "__xv_"
"""What the names begin with that instrumented programs use."""

_FRAME_NAMES = frozenset(
    "locals globals vars dir exec eval compile breakpoint __import__ __builtins__".split()
)
_FRAME_ATTRIBUTES = frozenset(
    "_getframe _current_frames settrace setprofile setrecursionlimit getrefcount exc_info "
    "f_locals f_globals f_back f_code f_trace gi_frame gi_code cr_frame ag_frame tb_frame "
    "tb_next tb_lineno __traceback__ __code__ __closure__ __globals__ __builtins__ "
    "__subclasses__ monitoring".split()
)
_REFUSED_MODULES = frozenset(
    "threading _thread multiprocessing concurrent asyncio inspect traceback gc weakref "
    "ctypes _ctypes signal faulthandler pdb bdb trace tracemalloc subprocess atexit dis".split()
)
_TAME_MODULES = frozenset(
    "math cmath collections itertools functools string re heapq bisect operator typing "
    "dataclasses enum copy statistics fractions textwrap abc numbers __future__".split()
)
_WILD_NAMES = frozenset("setattr delattr vars open input help quit exit".split())
_ORDER_NAMES = frozenset("set frozenset hash id object".split())
_ORDER_METHODS = frozenset(
    "union intersection difference symmetric_difference keys items __hash__".split()
)


@lru_cache(maxsize=256)
def check(source: str) -> None:
    """Raise unless a program may be traced.

    Args:
        source: The program.

    Raises:
        ProgramError: It is refused; the message says where and why.

    Source: docs/semantics.md, 1.4.
    """
    nodes = units_of(source).nodes
    lines = lines_of(source)
    starts: dict[int, ast.AST] = {}
    for node in nodes:
        if isinstance(node, ast.stmt):
            _check_statement(node, starts)
        elif isinstance(node, (ast.expr, ast.ExceptHandler)):
            _check_expression(node, starts)
            if isinstance(node, ast.Name) and node.id in _FRAME_NAMES:
                _check_frame_name(node, nodes)
        elif isinstance(node, ast.comprehension) and node.is_async:
            raise ProgramError("async comprehensions are not traced")
        elif isinstance(node, ast.match_case):
            _claim(case_line(node, lines), node, starts)
            _check_capture(node.pattern)
        elif isinstance(node, ast.arg):
            _check_name(node.arg, node.lineno)
        if isinstance(node, (ast.For, ast.While)) and all(
            is_stepless(inner, first=False) for inner in node.body
        ):
            raise ProgramError(f"line {node.lineno}: the loop's body makes no step")
    if sys.version_info >= (3, 12):
        _check_fstrings(source, nodes)


def _check_statement(node: ast.stmt, starts: dict[int, ast.AST]) -> None:
    _claim(node.lineno, node, starts)
    kind = type(node).__name__
    if kind.startswith("Async"):
        raise ProgramError(f"line {node.lineno}: async programs are not traced")
    if kind == "TryStar":
        raise ProgramError(f"line {node.lineno}: except* is not traced")
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        _check_name(node.name, node.lineno)
        if node.name == "__del__":
            raise ProgramError(f"line {node.lineno}: when __del__ runs is not defined")
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        for module in _modules(node):
            if module.partition(".")[0] in _REFUSED_MODULES:
                raise ProgramError(f"line {node.lineno}: programs that use {module} are not traced")
        for alias in node.names:
            _check_name(alias.asname or alias.name, node.lineno)


def _modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [alias.name for alias in node.names]


def _check_expression(node: ast.expr | ast.ExceptHandler, starts: dict[int, ast.AST]) -> None:
    if isinstance(node, ast.ExceptHandler):
        _claim(node.lineno, node, starts)
        _check_name(node.name or "", node.lineno)
    elif isinstance(node, ast.Name):
        _check_name(node.id, node.lineno)
    elif isinstance(node, ast.Attribute):
        _check_name(node.attr, node.lineno)
        if node.attr in _FRAME_ATTRIBUTES:
            raise ProgramError(f"line {node.lineno}: programs that use .{node.attr} are not traced")
    elif isinstance(node, ast.Await):
        raise ProgramError(f"line {node.lineno}: async programs are not traced")


def _check_frame_name(name: ast.Name, nodes: Iterable[ast.AST]) -> None:
    """Refuse a built-in function that sees frames, unless the name is the program's own."""
    for node in nodes:
        if (
            (isinstance(node, ast.Name) and node.id == name.id and isinstance(node.ctx, ast.Store))
            or (isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name.id)
            or (isinstance(node, ast.arg) and node.arg == name.id)
            # Of an object, not of the frame that calls.
            or (
                isinstance(node, ast.Call)
                and node.func is name
                and node.args
                and name.id in ("vars", "dir")
            )
        ):
            return
    raise ProgramError(f"line {name.lineno}: programs that use {name.id} are not traced")


def _check_capture(pattern: ast.pattern) -> None:
    for node in ast.walk(pattern):
        for name in (getattr(node, "name", None), getattr(node, "rest", None)):
            _check_name(name or "", pattern.lineno)


def _check_name(name: str, line: int) -> None:
    if name.startswith(PREFIX):
        raise ProgramError(f"line {line}: the name {shorten(name)} is reserved for the tracer")


def _claim(line: int, node: ast.AST, starts: dict[int, ast.AST]) -> None:
    if line in starts:
        raise ProgramError(
            f"line {line}: two statements begin on one line; run ast.unparse on the program first"
        )
    starts[line] = node


def _check_fstrings(source: str, nodes: Iterable[ast.AST]) -> None:
    """Refuse f-strings that only Python 3.12 reads (PEP 701)."""
    lines = lines_of(source)
    for node in nodes:
        if not isinstance(node, ast.JoinedStr) or node.end_lineno is None:
            continue
        text = ast.get_source_segment(source, node) or ""
        opening = text.lstrip("rRfFbBuU")
        quote = opening[:3] if opening[:3] in ("'''", '"""') else opening[:1]
        for part in node.values:
            if not isinstance(part, ast.FormattedValue):
                continue
            inner = ast.get_source_segment(source, part) or ""
            if "\\" in inner or (quote and quote in inner) or (len(quote) == 1 and "\n" in inner):
                raise ProgramError(
                    f"line {node.lineno}: this f-string needs Python 3.12: "
                    f"{shorten(lines[node.lineno - 1].strip())}"
                )


@lru_cache(maxsize=256)
def is_tame(source: str) -> bool:
    """Tell whether a program can leave nothing behind in its interpreter.

    Args:
        source: A program that :func:`check` lets pass.

    Returns:
        True where it imports harmless modules only, stores or reads as private no attribute
        of anything but ``self``, and names nothing that reaches the interpreter's own objects.
    """
    imports = False
    stores = False
    for node in units_of(source).nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            imports = True
            if not all(module in _TAME_MODULES for module in _modules(node)):
                return False
            if any(alias.name.startswith("_") for alias in node.names):
                return False
        elif isinstance(node, ast.Name):
            if node.id in _WILD_NAMES or node.id.startswith("__"):
                return False
        elif isinstance(node, ast.Attribute):
            if node.attr.startswith("__") and node.attr.endswith("__"):
                return False
            is_own = isinstance(node.value, ast.Name) and node.value.id == "self"
            if not is_own and (node.attr.startswith("_") or not isinstance(node.ctx, ast.Load)):
                stores = True
    return not (imports and stores)


@lru_cache(maxsize=256)
def is_hash_sensitive(source: str) -> bool:
    """Tell whether a run may depend on hashes or identities.

    Args:
        source: A program that :func:`check` lets pass.

    Returns:
        True where it names sets, hashes or identities, or methods that make sets; such a
        program is run under more hash seeds than others.
    """
    for node in units_of(source).nodes:
        if isinstance(node, (ast.Set, ast.SetComp)):
            return True
        if isinstance(node, ast.Name) and node.id in _ORDER_NAMES:
            return True
        if (
            isinstance(node, ast.Attribute)
            and node.attr in _ORDER_METHODS
            and (node.attr not in ("keys", "items") or _has_set_operator(source))
        ):
            return True
    return False


def _has_set_operator(source: str) -> bool:
    operators = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Sub)
    return any(
        isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, operators)
        for node in units_of(source).nodes
    )


def may_show_phantom(source: str) -> bool:
    """Tell whether line events of CPython 3.11 may report a statement that does not run.

    Args:
        source: A program that :func:`check` lets pass.

    Returns:
        True where a ``finally`` holds a ``try`` or a ``with``.

    Source: docs/semantics.md, section 8, phantom B.
    """
    for node in units_of(source).nodes:
        if isinstance(node, ast.Try) and any(
            isinstance(inner, (ast.Try, ast.With))
            for statement in node.finalbody
            for inner in ast.walk(statement)
        ):
            return True
    return False
