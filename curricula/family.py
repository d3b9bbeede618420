"""Names the structure of a program: relatives, which differ in names and constants alone, share it.

Splits go by families. The name is the same on every supported Python. What is nearly the same
is found by :mod:`synth.dedup`.
"""

from __future__ import annotations

import ast
import hashlib
import re
import sys

from curricula.alpha import normalise

__all__ = ["digest", "dump", "dump_with_ast", "dump_with_astor", "family"]


def family(source: str) -> str:
    r"""Name the structure of a program, whatever its names and constants.

    Args:
        source: A program.

    Returns:
        Sixteen hexadecimal digits, equal on every supported Python.

    Raises:
        ProgramError: The source does not parse.

    Example:
        >>> family("def f(a):\n    return a + 1\n") == family("def g(b):\n  return (b + 7)\n")
        True
        >>> family("def f(a):\n    return a + 1\n") == family("def f(a):\n    return a - 1\n")
        False
    """
    return digest(dump(normalise(source)))


def dump(tree: ast.AST) -> str:
    """Write a normalised tree as one line of text.

    ``astor`` writes it where it can: up to Python 3.11. From 3.12 on it warns when it is
    imported, and on 3.14 it breaks; there ``ast`` writes the same text.

    Args:
        tree: A tree from :func:`curricula.alpha.normalise`.

    Returns:
        Text that is equal for equal trees, on every supported Python: without contexts
        and without fields that are empty.

    Example:
        >>> dump(normalise("x = y"))
        "Module(body=[Assign(targets=[Name(id='v0')], value=Name(id='y'))])"
    """
    return dump_with_astor(tree) if sys.version_info < (3, 12) else dump_with_ast(tree)


def dump_with_astor(tree: ast.AST) -> str:
    """Write a normalised tree with ``astor``; see :func:`dump`."""
    import astor

    text: str = astor.dump_tree(tree, maxline=sys.maxsize)
    return _without_empty_fields(text)


def dump_with_ast(tree: ast.AST) -> str:
    """Write a normalised tree with ``ast``; see :func:`dump`."""
    return _without_empty_fields(_CONTEXT.sub("", ast.dump(tree)))


# In a normalised tree every text is a name, so no pattern can match inside one.
_CONTEXT = re.compile(r"(?:, )?\bctx=\w+\(\)")
_EMPTY = re.compile(r"(?:, |(?<=\())\w+=(?:None|\[\])(?=[,)])")
_BARE = re.compile(r"(?<=\w)\(\)")


def _without_empty_fields(text: str) -> str:
    """Drop what one version writes as None or [], and another leaves out."""
    return _BARE.sub("", _EMPTY.sub("", text).replace("(, ", "("))


def digest(text: str) -> str:
    """Hash a text to sixteen hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
