"""Reads the case tables in ``cases/`` and checks a trace against a case.

A table is text: a case begins with ``== name: why``, then facts, one a line, then
``---`` and the program. The facts:

    call f(3)                     the call
    steps 2 3 4                   the line of every step
    next 3 1 = 4                  next statement after the first step of line 3
    state 3 1 x = int 4           the value of x after that step
    state 3 1 x ! unbound         ... must not be asked, and why
    raised 3 1 KeyError           the step ended in that exception (``-``: in none)
    returns int 4                 the output; ``returns ! no_literal`` where it has none
    raises KeyError               the exception that leaves the entry
    refused word word             the outcome is "unsupported", with these words in the reason

Needs the standard library alone, so that every Python can check the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tracing.trace import Trace
from tracing.values import Value

FOLDER = Path(__file__).parent / "cases"


@dataclass(frozen=True, slots=True)
class Case:
    """A program, its call and what is known of the run."""

    name: str
    why: str
    call: str
    facts: tuple[str, ...]
    program: str

    @property
    def is_refused(self) -> bool:
        """Whether the program must be refused."""
        return any(fact.startswith("refused") for fact in self.facts)


def read_cases() -> list[Case]:
    """Read all tables, in the order of their names."""
    cases = [case for path in sorted(FOLDER.glob("*.txt")) for case in _read(path.read_text())]
    names = [case.name for case in cases]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"cases of the same name: {sorted(twice)}")
    return cases


def _read(text: str) -> Iterator[Case]:
    for block in ("\n" + text).split("\n== ")[1:]:
        head, _, program = block.partition("\n---\n")
        title, *facts = head.split("\n")
        name, _, why = title.partition(": ")
        calls = [fact[5:] for fact in facts if fact.startswith("call ")]
        if len(calls) != 1 or not program.strip():
            raise ValueError(f"the case {name} has no call or no program")
        others = tuple(fact for fact in facts if fact and not fact.startswith("call "))
        yield Case(name, why, calls[0], others, program.rstrip("\n") + "\n")


def problems(case: Case, trace: Trace) -> list[str]:
    """List what a trace says otherwise than the case."""
    found = []
    for fact in case.facts:
        word, _, rest = fact.partition(" ")
        seen = _CHECKS[word](trace, rest)
        if seen is not None:
            found.append(f"{fact} -- seen: {seen}")
    finished = trace.outcome in ("returned", "raised")
    if not finished and not case.is_refused:
        found.append(f"{trace.outcome}: {trace.reason}")
    return found


def _steps(trace: Trace, rest: str) -> str | None:
    seen = " ".join(map(str, trace.record.lines))
    return None if seen == rest.strip() else seen


def _next(trace: Trace, rest: str) -> str | None:
    place, _, wanted = rest.partition(" = ")
    line, occurrence = map(int, place.split())
    seen = str(trace.next_statement(line, occurrence))
    return None if seen == wanted else seen


def _state(trace: Trace, rest: str) -> str | None:
    line, occurrence, variable, sign, wanted = rest.split(" ", 4)
    place = (int(line), int(occurrence), variable)
    value, reason = trace.state(*place), trace.why_no_state(*place)
    if sign == "!":
        return None if value is None and reason == wanted else f"{value} {reason}"
    return None if value == Value(*wanted.split(" ", 1)) else f"{value} {reason}"


def _raised(trace: Trace, rest: str) -> str | None:
    line, occurrence, wanted = rest.split()
    step = trace.find(int(line), int(occurrence))
    seen = "no step" if step is None else str(trace.steps[step].exception)
    return None if seen == wanted.replace("-", "None") else seen


def _returns(trace: Trace, rest: str) -> str | None:
    if rest.startswith("!"):
        is_right = trace.outcome == "returned" and trace.output is None
    else:
        is_right = trace.output == Value(*rest.split(" ", 1))
    return None if is_right else f"{trace.outcome} {trace.output} {trace.exception}"


def _raises(trace: Trace, rest: str) -> str | None:
    is_right = trace.outcome == "raised" and trace.exception == rest
    return None if is_right else f"{trace.outcome} {trace.exception}"


def _refused(trace: Trace, rest: str) -> str | None:
    is_right = trace.outcome == "unsupported" and rest in trace.reason
    return None if is_right else f"{trace.outcome}: {trace.reason}"


_CHECKS: dict[str, Callable[[Trace, str], str | None]] = {
    "steps": _steps,
    "next": _next,
    "state": _state,
    "raised": _raised,
    "returns": _returns,
    "raises": _raises,
    "refused": _refused,
}
