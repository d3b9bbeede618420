"""Generates programs: number i of a seed is the same program wherever it is made.

A cell (type, method) and a plan are drawn for each number, the program is built, rendered
once, parsed back and proved to meet its shape; what does not is dropped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from curricula.shapes import Shape, nesting_of
from curricula.shapes.features import features_of
from synth import cst as c
from synth.bodies.composed import idiom_body
from synth.bodies.freehand import FREEHAND, freehand_body
from synth.bodies.nested import EACH_ITEM, GO_OVER, direct_body, item_body
from synth.bodies.subject import OF_CHARS, domain_of, names_of, second_parameter
from synth.context import Context
from synth.idioms import IDIOMS
from synth.names import ENTRIES
from synth.plan import Plan, plan_of, random_of
from synth.plant import receiver_type
from synth.program import Program
from synth.types import list_of

__all__ = ["PARTS", "programs"]

PARTS = tuple(sorted({*IDIOMS, EACH_ITEM, GO_OVER, FREEHAND}))
"""Names of all that a program can be composed of, as its provenance gives them."""


def programs(
    seed: int, start: int, *, tier: str = "hard", like: str | None = None, stdlib: bool = False
) -> Iterator[Program]:
    """Generate programs without end.

    Args:
        seed: Another seed gives other programs.
        start: Number of the first; program number i does not depend on it.
        tier: ``"easy"``, ``"medium"``, ``"hard"`` or ``"all"``.
        like: ``"cruxeval"`` to imitate its statistics, or None.
        stdlib: Whether programs may import ``math`` and ``collections``.

    Yields:
        Programs that were proved to meet their shapes.

    Example:
        >>> first = next(programs(0, 0))
        >>> first.shape.check(first.source)
        []
    """
    number = start
    while True:
        made = _program(seed, number, tier, like, stdlib)
        number += 1
        if made is not None:
            yield made


def _program(seed: int, number: int, tier: str, like: str | None, stdlib: bool) -> Program | None:
    rng = random_of(seed, number, tier, like)
    plan = plan_of(seed, number, tier, like, stdlib, rng)
    ctx = Context(rng, stdlib=stdlib)
    written = _write(plan, ctx)
    if written is None or any(p.name in ctx.waiting for p in ctx.parameters[:1]):
        return None
    plan, body, title = written
    # A further parameter for which no use was found is left out.
    ctx.parameters = [p for p in ctx.parameters if p.name not in ctx.waiting]
    parameters = [p.name for p in ctx.parameters]
    source = c.module([*ctx.helpers, c.def_(title, parameters, body)], ctx.imports)
    return _proved(source, title, plan, ctx)


def _proved(source: str, title: str, plan: Plan, ctx: Context) -> Program | None:
    """Parse a program back and prove that it meets what was planned for it."""
    try:
        control = nesting_of(source) if plan.freehand else plan.control
    except SyntaxError:
        return None
    shape = Shape(
        type=plan.entry.type,
        method=plan.entry.method,
        nested_calls=plan.depth,
        control=control,
        helpers=len(ctx.helpers),
    )
    words = Counter(re.findall(r"\w+", source))
    # A writer that reads a parameter for an expression which it then drops would leave it out.
    if shape.check(source) or not all(words[p.name] > 1 for p in ctx.parameters):
        return None
    shape = replace(shape, features=features_of(source))
    # That an exception leaves it is an outcome like any other, of a few programs.
    raises = ctx.chance(0.75 if plan.entry.raises else 0.05 if plan.freehand else 0.0)
    return Program(source, title, tuple(ctx.parameters), shape, tuple(ctx.idioms), raises)


def _write(plan: Plan, ctx: Context) -> tuple[Plan, list[c.Statement], str] | None:
    """Write the entry's body; give the plan as it was carried out, the body, the entry's name."""
    kind = receiver_type(plan.entry, ctx)
    title = ctx.fresh(ctx.pick(ENTRIES))
    if plan.freehand:
        found = freehand_body(plan, kind, ctx)
        return None if found is None else (plan, found, title)
    if plan.idioms:
        state = ctx.rng.getstate()
        written = idiom_body(plan, kind, ctx)
        if written is not None:
            return (*written, title)
        ctx.rng.setstate(state)
    single = plan.entry.mutates or plan.entry.raises
    loops = plan.control[:1] in (("for",), ("while",)) and not single
    of_chars = loops and plan.entry.type == "str" and plan.entry.method in OF_CHARS
    in_loop = of_chars or (
        loops and kind.name != "dict" and (kind.name not in ("list", "str") or ctx.chance(0.5))
    )
    subject_type = kind if of_chars or not in_loop else list_of(kind)
    subject = ctx.parameter(
        subject_type, domain_of(subject_type, plan), *names_of(subject_type, ctx)
    )
    if ctx.chance(0.5):
        second_parameter(ctx)
    write = item_body if in_loop else direct_body
    return plan, write(plan, subject, ctx), title
