"""Says in words what a shape asks of a program, as a prompt for a model."""

from __future__ import annotations

from curricula.shapes import Shape
from curricula.shapes.operations import OPERATIONS

__all__ = ["VERSION", "prompt_for"]

VERSION = 1
"""Grows when the wording changes: another wording asks for other replies."""

_CONTROL = {
    "if": "an `if` without `elif`",
    "if-elif": "an `if` with an `elif`",
    "for": "a `for` loop",
    "while": "a `while` loop",
}
_TASK = """\
Write a small Python program for a quiz about what programs do.

It must meet all of this:
{demands}
- The function under test is called `f` and stands last. Its parameters are of built-in types.
- It returns a value of built-in types that depends on every parameter. Every line matters.
- No imports, no input, no printing, no randomness, no comments, at most 20 lines.

Reply with one Python code block: the functions, then three calls of `f` with literal arguments,
a line each, that take different ways through it.
"""


def prompt_for(shape: Shape) -> list[dict[str, str]]:
    """Ask a model for a program of a shape.

    Args:
        shape: What the program must meet.

    Returns:
        A conversation of one message.

    Example:
        >>> asked = prompt_for(Shape("str", "split", 2, ("for", "if")))[0]["content"]
        >>> print(asked.split("\\n- ")[2])
        It has a `for` loop, with an `if` without `elif` inside.
    """
    demands = "\n".join(f"- {sentence}" for sentence in _sentences(shape))
    return [{"role": "user", "content": _TASK.format(demands=demands)}]


def _sentences(shape: Shape) -> list[str]:
    found = [_use(shape)]
    if shape.control:
        inside = ", with ".join(_CONTROL[kind] for kind in shape.control)
        found.append(f"It has {inside}{' inside' if len(shape.control) > 1 else ''}.")
        found.append(f"No control structures nest deeper than {len(shape.control)}.")
    else:
        found.append("It has no `if`, `for` or `while` statement.")
    if shape.helpers:
        found.append(f"`f` calls {shape.helpers} other function of the program.")
    else:
        found.append("There is no other function.")
    return found


def _use(shape: Shape) -> str:
    name, depth = shape.method, shape.nested_calls
    if name in OPERATIONS:
        nested = f", {depth} of them nested in each other" if depth > 1 else ""
        return f"It does `{name}` on a `{shape.type}`{nested}."
    called, example = f"the method `{name}` of `{shape.type}`", f"f(x.{name}(...)[0].{name}(...))"
    if shape.type == "builtins":
        called, example = f"the built-in function `{name}`", f"{name}({name}(...))"
    if depth == 1:
        return f"It calls {called}."
    return f"It calls {called}, {depth} calls nested in each other, as in `{example}`."
