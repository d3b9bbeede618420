"""Chooses what to ask about a run.

Questions are drawn at random with more chance for those whose answer says more, one
kind after the other, so that none crowds out the rest; and none is taken whose text
gives away another's answer, or that asks the same in other words.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from heapq import nlargest

from curricula.questions.base import KINDS, Candidate, Kind, Question, kind_of
from tracing import Trace
from tracing.errors import UsageError

__all__ = ["derive"]

_MOST_OF_A_KIND = 40
"""Candidates of a kind that are looked at closely; the weightiest draws come first."""


def derive(
    trace: Trace, *, kinds: Sequence[str] | None = None, limit: int = 10, seed: int = 0
) -> list[Question]:
    """Derive questions from a run.

    Args:
        trace: A run that returned or raised.
        kinds: Kinds to ask, keys of :data:`KINDS`; None for all that go together.
        limit: The most questions.
        seed: Decides the choice, together with the program and the call.

    Returns:
        The questions, in the order of the steps they are about; those about none last.

    Raises:
        UsageError: There is no such kind, or the limit is negative.

    Example:
        >>> import tracing
        >>> trace = tracing.run("def f(n):\\n    m = n * 7\\n    return m + n\\n", "f(2)")
        >>> [question.kind for question in derive(trace, kinds=["state"])]
        ['state']
    """
    if limit < 0:
        raise UsageError(f"limit must not be negative, but is {limit}")
    chosen = [k for k in KINDS.values() if k.by_default] if kinds is None else map(kind_of, kinds)
    if trace.outcome not in ("returned", "raised"):
        return []
    rng = random.Random(f"{seed}\0{trace.source}\0{trace.call}")
    queues = [_shuffled(kind, trace, rng) for kind in chosen]
    picked: list[tuple[Candidate, Question]] = []
    while len(picked) < limit and any(queues):
        for kind, queue in queues:
            if len(picked) < limit:
                _pick(kind, queue, trace, picked)
        queues = [(kind, queue) for kind, queue in queues if queue]
    picked.sort(key=lambda pair: (pair[0].step < 0, pair[0].step, pair[0].line))
    return [made for _, made in picked]


def _shuffled(kind: Kind, trace: Trace, rng: random.Random) -> tuple[Kind, list[Candidate]]:
    """Draw candidates without replacement, by weight; the first drawn stands last."""
    draw = rng.random
    drawn = [
        (draw() ** (1.0 / c.weight), c.step, c.line, place, c)
        for place, c in enumerate(kind.candidates(trace))
    ]
    return kind, [item[-1] for item in reversed(nlargest(_MOST_OF_A_KIND, drawn))]


def _pick(
    kind: Kind, queue: list[Candidate], trace: Trace, picked: list[tuple[Candidate, Question]]
) -> None:
    """Take the next question of a kind that goes with those that are picked."""
    while queue:
        candidate = queue.pop()
        if any(_clash(trace, kind.name, candidate, other, made) for other, made in picked):
            continue
        made = kind.word(trace, candidate)
        if made is not None and not any(made.text == other.text for _, other in picked):
            picked.append((candidate, made))
            return


_ABOUT_RUN = frozenset({"output", "input"})
_ABOUT_LINES = frozenset({"executed", "count"})
_AHEAD = {"next_statement": 1, "path": 3}
"""How many steps ahead a kind asks."""
_DATA = frozenset({"state", "iteration"})


def _clash(trace: Trace, name: str, candidate: Candidate, other: Candidate, made: Question) -> bool:
    """Tell whether one question's text gives the other's answer away, or asks the same."""
    if name in _ABOUT_RUN and made.kind in _ABOUT_RUN:
        return True  # one names what the other asks for
    same_line = candidate.line == other.line
    if name in _ABOUT_LINES or made.kind in _ABOUT_LINES:
        # Naming a line's k-th execution says that it runs, and at least k times.
        return same_line
    if name in _AHEAD and made.kind in _AHEAD:
        near = name != made.kind and abs(candidate.step - other.step) <= max(_AHEAD.values())
        return near or (same_line and _goes_alike(trace, name, candidate, other, made))
    if name in _DATA and made.kind in _DATA:
        return same_line and candidate.variable == other.variable
    return False


def _goes_alike(
    trace: Trace, name: str, candidate: Candidate, other: Candidate, made: Question
) -> bool:
    """Tell whether control goes on in the same way after two steps of one line."""
    shared = min(_AHEAD[name], _AHEAD[made.kind])
    one, two = candidate.step + 1, other.step + 1
    lines = trace.record.lines
    return lines[one : one + shared] == lines[two : two + shared]
