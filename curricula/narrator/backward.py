"""Reasoning from an outcome to arguments: backwards from the end, then a check forwards.

Every value that is said to be needed is one that the run has at that place; that others
would do as well is not claimed away.
"""

from __future__ import annotations

from collections.abc import Iterator

from curricula.narrator.facts import SHORT, Fact, Reader
from curricula.narrator.words import Voice, joined
from tracing import Value

__all__ = ["backward", "outcome_of"]

_VARIABLES = 3
"""Variables that are followed backwards."""
_CHANGES = 3
"""Changes of each that are told."""
_TESTS = 3
"""Tests that are told to have to go one way."""


def outcome_of(reader: Reader) -> str:
    """Say what the call does, as a verb and its object.

    Args:
        reader: A run that returned or raised.

    Returns:
        Like ``returns [1, 2]``.
    """
    output = reader.trace.output
    return f"raises {reader.trace.exception}" if output is None else f"returns {output.literal}"


def backward(reader: Reader, voice: Voice) -> list[str]:
    """Tell how the arguments can be found.

    Args:
        reader: The run of the call that is found.
        voice: Words the sentences.

    Returns:
        Lines of text, up to the call that is proposed.
    """
    frames = reader.trace.record.frames
    last = max(step for step, frame in enumerate(frames) if frame == 1)
    end = reader.fact(last)
    lines = [voice.goal(reader.trace.entry, outcome_of(reader)), _ending(end)]
    for name, literal in end.reads[:_VARIABLES]:
        lines += _history(reader, last, name, literal)
    lines += _tests(reader)
    lines.append(voice.candidate(reader.trace.call))
    return lines


def _ending(end: Fact) -> str:
    needed = joined([f"{name} = {literal}" for name, literal in end.reads] or [""])
    there = f" with {needed}" if needed else ""
    if end.raised is not None:
        return f"The last thing to run is line {end.line}, `{end.text}`; it must raise this{there}."
    if end.kind == "return":
        return f"The value is given back on line {end.line}, `{end.text}`,{there or ' at the end'}."
    return f"The run ends after line {end.line}, `{end.text}`{there}."


def _history(reader: Reader, before: int, name: str, literal: str) -> Iterator[str]:
    """Follow a variable of the entry backwards, from its last change to earlier ones."""
    record = reader.trace.record
    changes = [
        step
        for step, number in zip(record.change_steps, record.change_names, strict=True)
        if record.names[number] == name and record.frames[step] == 1 and step < before
    ]
    value = literal
    for place, step in enumerate(reversed(changes[-_CHANGES:])):
        fact = reader.fact(step)
        known = reader.trace.after(step, name)
        if not isinstance(known, Value) or known.literal != value:
            return
        previous = reader.before(step, name)
        if any(change.name == name and change.is_argument for change in fact.changes):
            yield f"- {name} is {value} from the start: it is an argument."
            return
        shown = previous is not None and len(previous) <= SHORT
        source = f", from {previous} before" if shown and len(changes) > place + 1 else ""
        verb = "gets to" if place == 0 else "got to"
        yield f"- {name} {verb} {value} on line {fact.line}, `{fact.text}`{source}."
        if not source or previous is None:
            return
        value = previous


def _tests(reader: Reader) -> Iterator[str]:
    """Name tests of the entry with the way that they go, each line once."""
    seen: set[int] = set()
    frames = reader.trace.record.frames
    for step, frame in enumerate(frames):
        line = reader.line(step)
        if frame != 1 or line in seen:
            continue
        seen.add(line)
        fact = reader.fact(step)
        if fact.kind == "if" and fact.verdict is not None and fact.reads:
            way = "hold" if fact.verdict else "fail"
            reads = joined([f"{name} = {literal}" for name, literal in fact.reads])
            yield f"- The first time, line {line} (`{fact.text}`) should {way}, as with {reads}."
            if len(seen & _if_lines(reader)) == _TESTS:
                return


def _if_lines(reader: Reader) -> set[int]:
    units = reader.trace.units.by_line
    return {line for line, unit in units.items() if unit.kind == "if"}
