"""Bodies that are made of idioms: what the method gives feeds one, and that perhaps another."""

from __future__ import annotations

from dataclasses import replace

from synth import cst as c
from synth.bodies.freehand import said_of
from synth.bodies.subject import domain_of, names_of, prepared, second_parameter
from synth.context import Context
from synth.idioms import IDIOMS, Idiom, Written
from synth.plan import Plan
from synth.types import INT, Type, list_of

__all__ = ["idiom_body"]

ROWS = 0.25
"""How often what could be about one list of ints is about several: a matrix."""
SEQUENCES_FIRST = 0.85
"""How often an idiom goes over a sequence where there are a sequence and an int."""

LONELY = 0.5
"""How often there is no idiom where only one goes over what there is: it would be in them all."""
FINISHED = 0.8
"""How often a single idiom's result is worked with, and not given back as it is."""
FINISHED_ALONE = 0.6
"""How often then only what was made of it is given back."""


def idiom_body(plan: Plan, kind: Type, ctx: Context) -> tuple[Plan, list[c.Statement]] | None:
    """Apply the method, then an idiom to what comes of it, then perhaps another one."""
    # What raises for some values would raise for some item of nearly every list.
    single = plan.entry.mutates or plan.entry.raises
    rows = str(kind) == "list[int]" and ctx.chance(ROWS)
    each = not single and (rows or (kind.name in ("str", "int", "float") and ctx.chance(0.5)))
    subject_type = list_of(kind) if each else kind
    result = kind if plan.entry.mutates else plan.entry.result_type(kind) or kind
    made_type = list_of(result) if each else result
    # Few idioms are about a single int, and they would be in every third program.
    later = made_type == INT and subject_type != INT and ctx.chance(SEQUENCES_FIRST)
    of_made = [] if later else _idioms_for(made_type)
    fitting = of_made or _idioms_for(subject_type)
    if not fitting or (len(fitting) == 1 and ctx.chance(LONELY)):
        return None
    subject = ctx.parameter(
        subject_type, domain_of(subject_type, plan), *names_of(subject_type, ctx)
    )
    if ctx.chance(0.35):
        second_parameter(ctx)
    statements, made = prepared(plan, subject, made_type, each, ctx)
    first = made if of_made else subject
    chosen = ctx.pick(fitting)
    written = [chosen.write(first, ctx)]
    used = [chosen]
    if plan.idioms > 1:
        at_hand = [v for v in ctx.scope if v.name != first.name and _idioms_for(v.type)] or [first]
        sequences = [v for v in at_hand if v.type != INT]
        over = ctx.pick(sequences if sequences and ctx.chance(SEQUENCES_FIRST) else at_hand)
        others = [i for i in _idioms_for(over.type) if i is not chosen]
        if others:
            used.append(ctx.pick(others))
            written.append(used[-1].write(over, ctx))
    for one in written:
        statements += one.statements
    results = [one.result for one in written]
    if len(written) == 1 and ctx.chance(FINISHED):
        results = _finished(written[0], ctx)
    if first is subject:
        results.insert(0, made.node)
    ctx.idioms.extend(i.name for i in used)
    statements.append(c.return_(results[0] if len(results) == 1 else c.tuple_(*results)))
    control = max((i.control for i in used), key=len)
    return replace(plan, control=control), statements


def _finished(made: Written, ctx: Context) -> list[c.Expression]:
    """Work with what an idiom found, where it stands in a variable."""
    held = [v for v in ctx.scope if isinstance(made.result, c.Name) and v.name == made.result.value]
    said = said_of(held[0], ctx) if held else made.result
    if c.same(said, made.result):
        return [made.result]
    return [said] if ctx.chance(FINISHED_ALONE) else [made.result, said]


def _idioms_for(kind: Type) -> list[Idiom]:
    text = str(kind)
    return [i for i in IDIOMS.values() if text in i.takes]
