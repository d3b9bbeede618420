"""One problem, and the columns of its row: the only place that knows them.

A :class:`Problem` is data; :func:`to_row` and :func:`from_row` are exact
inverses, and :data:`SCHEMA` is the fixed Arrow schema of every shard.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any

import pyarrow as pa

from curricula.columns import checker
from curricula.difficulty.base import Difficulty, difficulty_from
from curricula.questions.base import Question
from tracing import Value
from tracing.errors import ExecVerifyError, shorten

__all__ = [
    "NULLABLE",
    "PROPOSED_BY",
    "SCHEMA",
    "Problem",
    "Provenance",
    "ShapeFacts",
    "Structure",
    "from_row",
    "problem_id",
    "to_row",
]


PROPOSED_BY = "proposed by "
"""How the idiom of a program begins that a model proposed; its name follows."""


@dataclass(frozen=True, slots=True)
class ShapeFacts:
    """The constraints that the source was made for and checked to meet.

    Attributes:
        type: The built-in type under test (``"str"``), or an empty text for a user's program.
        method: Its method, operator or function under test (``"partition"``).
        nested_calls: Depth of nested calls of the method under test.
        control: Control structures from the outside in (``("for", "if")``).
        helpers: Number of helper functions that the entry calls.
        extra_methods: Further methods that the program calls, in name order.
        features: Further constraints (``"early_return"``), in name order.
    """

    type: str = ""
    method: str = ""
    nested_calls: int = 0
    control: tuple[str, ...] = ()
    helpers: int = 0
    extra_methods: tuple[str, ...] = ()
    features: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Structure:
    """What was measured on the source and on the run.

    Attributes:
        lines: Lines of the source that are not blank.
        statements: Units, as docs/semantics.md counts them.
        depth: Deepest nesting of control structures.
        loops: ``for`` and ``while`` statements and comprehensions.
        branches: ``if``, ``elif``, ``case``, ``except`` and conditional expressions.
        calls: Calls in the source.
        method_calls: Of these, calls of a method.
        nested_calls: Deepest nesting of a call in another's arguments or receiver.
        parameters: Parameters of the entry.
        input_size: Characters of the call's arguments.
        output_size: Characters of the output's literal.
        steps: Steps of the run.
        frames: Frames of the run.
        largest_value: Characters of the longest literal that any variable held.
        changes: Changes of variables over the run.
    """

    lines: int
    statements: int
    depth: int
    loops: int
    branches: int
    calls: int
    method_calls: int
    nested_calls: int
    parameters: int
    input_size: int
    output_size: int
    steps: int
    frames: int
    largest_value: int
    changes: int


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a row comes from.

    Attributes:
        seed: Seed of the build.
        shard: Number of the shard, from 0; -1 for a user's program.
        generator_version: Version of execverify.
        python: Python version of the run, like ``"3.11"``.
        idioms: What the program was composed of, or empty.
    """

    seed: int
    shard: int
    generator_version: str
    python: str
    idioms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """One program, one call, what it does, what is asked about it, how hard it is.

    Attributes:
        id: Hash of (source, call).
        family: Hash of the program after alpha-renaming; relatives share it.
        source: The program.
        entry: Name of the function that is called.
        call: The call, as text.
        outcome: ``"returned"`` or ``"raised"``.
        output: The returned value, or None.
        exception: Type name of the escaping exception, or None.
        shape: The constraints it was checked to meet.
        structure: What was measured.
        questions: The questions, in the order in which they are asked.
        difficulty: How hard it is, for each model or estimate.
        tier: ``"easy"``, ``"medium"``, ``"hard"``, ``"trivial"`` or ``"unsolved"``.
        provenance: Where it comes from.
    """

    id: str
    family: str
    source: str
    entry: str
    call: str
    outcome: str
    output: Value | None
    exception: str | None
    shape: ShapeFacts
    structure: Structure
    questions: tuple[Question, ...]
    difficulty: tuple[Difficulty, ...]
    tier: str
    provenance: Provenance


def problem_id(source: str, call: str) -> str:
    """Name a problem by its content.

    Args:
        source: The program.
        call: The call.

    Returns:
        Sixteen hexadecimal digits.
    """
    return hashlib.sha256(f"{source}\0{call}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


_VALUE = pa.struct([("type", pa.string()), ("literal", pa.string())])
_COUNT = pa.struct([("reason", pa.string()), ("count", pa.int32())])
_WORDS = pa.list_(pa.string())
SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("family", pa.string()),
        ("source", pa.string()),
        ("entry", pa.string()),
        ("call", pa.string()),
        ("outcome", pa.string()),
        ("output", _VALUE),
        ("exception", pa.string()),
        (
            "shape",
            pa.struct(
                [
                    ("type", pa.string()),
                    ("method", pa.string()),
                    ("nested_calls", pa.int32()),
                    ("control", _WORDS),
                    ("helpers", pa.int32()),
                    ("extra_methods", _WORDS),
                    ("features", _WORDS),
                ]
            ),
        ),
        ("structure", pa.struct([(name, pa.int32()) for name in Structure.__dataclass_fields__])),
        (
            "questions",
            pa.list_(
                pa.struct(
                    [
                        ("kind", pa.string()),
                        ("text", pa.string()),
                        ("line", pa.int32()),
                        ("occurrence", pa.int32()),
                        ("variable", pa.string()),
                        ("answers", pa.list_(_VALUE)),
                    ]
                )
            ),
        ),
        (
            "difficulty",
            pa.list_(
                pa.struct(
                    [
                        ("source", pa.string()),
                        ("model", pa.string()),
                        ("samples", pa.int32()),
                        ("passes", pa.int32()),
                        ("rate", pa.float64()),
                        ("low", pa.float64()),
                        ("high", pa.float64()),
                        ("revision", pa.string()),
                        ("temperature", pa.float64()),
                        ("top_p", pa.float64()),
                        ("max_tokens", pa.int32()),
                        ("prompt", pa.string()),
                        ("kinds", _WORDS),
                        ("reasons", pa.list_(_COUNT)),
                        ("thresholds", pa.list_(pa.float64())),
                    ]
                )
            ),
        ),
        ("tier", pa.string()),
        (
            "provenance",
            pa.struct(
                [
                    ("seed", pa.int64()),
                    ("shard", pa.int32()),
                    ("generator_version", pa.string()),
                    ("python", pa.string()),
                    ("idioms", _WORDS),
                ]
            ),
        ),
    ]
)
"""The columns of the ``problems`` config."""


def to_row(problem: Problem) -> dict[str, Any]:
    """Write a problem as plain lists and dicts that fit :data:`SCHEMA`.

    Args:
        problem: Any problem.

    Returns:
        One row.
    """
    row: dict[str, Any] = _plain(problem)
    return row


def _plain(value: Any) -> Any:
    """Write data as lists and dicts; ``asdict`` copies deeply and takes six times as long."""
    kind = type(value)
    if kind in _ATOMS:
        return value
    if kind is tuple or kind is list:
        return [_plain(item) for item in value]
    if kind is dict:
        return {name: _plain(item) for name, item in value.items()}
    if kind not in _COLUMNS:
        # What a question is about stands in the row once.
        _COLUMNS[kind] = tuple(field.name for field in fields(kind) if field.name != "about")
    return {name: _plain(getattr(value, name)) for name in _COLUMNS[kind]}


_ATOMS = frozenset({str, int, float, bool, type(None)})
_COLUMNS: dict[type, tuple[str, ...]] = {}


def from_row(row: Mapping[str, Any]) -> Problem:
    """Read a problem from a row that may come from anywhere.

    Args:
        row: A mapping with the columns of :data:`SCHEMA`.

    Returns:
        The problem.

    Raises:
        ExecVerifyError: A column is missing or does not hold what it should.
    """
    _check(row)
    _check_facts(row)
    try:
        return Problem(
            **{name: row[name] for name in ("id", "family", "source", "entry", "call", "outcome")},
            output=_value(row["output"]),
            exception=row["exception"],
            shape=ShapeFacts(**_tuples(row["shape"])),
            structure=Structure(**row["structure"]),
            questions=tuple(
                Question(
                    **{**q, "answers": tuple(Value(**a) for a in q["answers"])},
                    about=(row["source"], row["call"]),
                )
                for q in row["questions"]
            ),
            difficulty=tuple(map(difficulty_from, row["difficulty"])),
            tier=row["tier"],
            provenance=Provenance(**_tuples(row["provenance"])),
        )
    except (KeyError, TypeError) as error:
        raise ExecVerifyError(f"the row is no problem: {error}") from None


NULLABLE = frozenset(
    {
        # Some readers give a null struct back as a struct of nulls.
        *("output", "output.type", "output.literal", "exception"),
        *("questions.line", "questions.occurrence", "questions.variable"),
    }
)
"""Columns of :data:`SCHEMA`, and fields inside of them, that say nothing of some problems."""
_LATER = {f"difficulty.{f.name}" for f in fields(Difficulty) if f.default is not MISSING}
_check = checker(
    SCHEMA,
    nullable={
        *NULLABLE,
        *_LATER,
    },
    optional={*(f"shape.{f.name}" for f in fields(ShapeFacts)), "provenance.idioms", *_LATER},
)


def _check_facts(row: Mapping[str, Any]) -> None:
    outcome = row["outcome"]
    if outcome not in ("returned", "raised"):
        raise ExecVerifyError(f"the row is no problem: its outcome is {shorten(repr(outcome))}")
    if (_value(row["output"]) if outcome == "returned" else row["exception"]) is None:
        raise ExecVerifyError(f"the row is no problem: it {outcome}, and does not say what")
    for name, count in row["structure"].items():
        if count < 0:
            raise ExecVerifyError(f"the row is no problem: its {shorten(name)} are {count}")


def _value(columns: Mapping[str, str | None] | None) -> Value | None:
    if columns is None or columns["type"] is None or columns["literal"] is None:
        return None
    return Value(columns["type"], columns["literal"])


def _tuples(columns: Mapping[str, Any]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in columns.items()}
