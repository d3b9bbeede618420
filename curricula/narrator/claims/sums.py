"""Works out sums of literals, as texts write them: ``1 + 2``, ``'a' + 'b'``, ``[1] + [2]``.

Reads numbers, and strings and lists that are put together; nothing is looked up or called.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from tracing import Value

__all__ = ["worked_out"]

_LONGEST = 400
"""Characters of a sum that is worked out."""
_LARGEST = 10**30
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
}


def worked_out(text: str) -> Value | None:
    """Work out a sum.

    Args:
        text: Hostile text.

    Returns:
        Its value; None where it is no sum of literals, or a large one.

    Example:
        >>> worked_out("2 * 3 + 1"), worked_out("n + 1")
        (Value(type='int', literal='7'), None)
    """
    if len(text) > _LONGEST or not any(sign in text for sign in "+-*/%×"):
        return None
    try:
        tree = ast.parse(text.strip().replace("×", "*"), mode="eval").body
        return Value.of(_value(tree)) if isinstance(tree, ast.BinOp) else None
    except (SyntaxError, ValueError, TypeError, ArithmeticError, RecursionError, MemoryError):
        return None


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left), _value(node.right)
        are_numbers = all(type(side) in (int, float) for side in (left, right))
        is_joined = isinstance(node.op, ast.Add) and type(left) is type(right)
        if not are_numbers and not (is_joined and type(left) in (str, list, tuple)):
            raise ValueError("no sum of literals")
        made = _OPERATORS[type(node.op)](left, right) if type(node.op) in _OPERATORS else None
        if made is None or (are_numbers and abs(made) > _LARGEST):
            raise ValueError("no sum that is worked out")
        return made
    value = Value.parse(ast.unparse(node))
    if value is None:
        raise ValueError("no literal")
    return value.object()
