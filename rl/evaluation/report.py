"""What an evaluation found: scores with intervals, and the marks that they come from.

A report is data, the same bytes for the same replies; it can be written, read again and
compared with another one. Nothing is asked or judged here.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from curricula.columns import is_object_with
from rl.evaluation.statistics import interval, pass_at_k
from tracing.errors import ExecVerifyError, UsageError, said, shorten

__all__ = [
    "FORMAT",
    "RULES",
    "Report",
    "Score",
    "Unit",
    "check_place",
    "read_report",
    "scores_of",
    "write_report",
]

FORMAT = 2
"""Version of the JSON form."""
RULES = ("ours", "official")
"""By which rule a reply is judged: our checks, or the benchmark's own."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing that was asked, with the marks of all replies.

    Attributes:
        id: Its name, unique in its task.
        group: Units of one group are resampled together.
        task: What was asked for.
        ours: A mark in [0, 1] for each reply.
        official: The same by the benchmark's own rule, None where that leaves a reply out;
            empty where the benchmark has no other rule.
    """

    id: str
    group: str
    task: str
    ours: tuple[float, ...]
    official: tuple[float | None, ...] = ()

    def value(self, rule: str, k: int) -> float:
        """Give the unit's part in a score.

        Args:
            rule: ``"ours"`` or ``"official"``.
            k: The k of pass@k.

        Returns:
            pass@k of its replies, in [0, 1].

        Source: for the official rule, CRUXEval's evaluation/utils_general.py: replies that it
        skips leave the denominator, unless no other reply is right.
        """
        if rule == "ours":
            marks = list(self.ours)
        else:
            marks = [mark for mark in self.official if mark is not None]
            if not any(marks):
                return 0.0
            if len(marks) < k:
                return 1.0
        if k == 1:
            return math.fsum(marks) / len(marks)
        return pass_at_k(len(marks), sum(mark == 1.0 for mark in marks), k)


@dataclass(frozen=True, slots=True)
class Score:
    """One number of a report.

    Attributes:
        task: What was asked for.
        rule: ``"ours"`` or ``"official"``.
        k: The k of pass@k.
        rate: Mean over units, in [0, 1].
        low: Lower end of the 95% interval.
        high: Upper end of the 95% interval.
        units: How many units it is of.
        groups: How many groups these are in.
        interval: How the interval was found.
        skipped: Replies that the rule leaves out.
    """

    task: str
    rule: str
    k: int
    rate: float
    low: float
    high: float
    units: int
    groups: int
    interval: str
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """What an evaluation found.

    Attributes:
        benchmark: The benchmark's name.
        tasks: Which of its tasks were asked.
        data: Hash of its rows.
        model: The model.
        revision: Its revision, or an empty text.
        sampling: Temperature, top_p and max_tokens.
        samples: Replies to each item.
        prompt: Version of the prompts' wording.
        scores: The scores, by task, rule and k.
        reasons: For each task, how many replies failed for which reason, most frequent first.
        left_out: Rows that cannot be asked, by the reason.
        unanswered: Items without all replies, by id, with the reason; no part of any score.
        units: What the scores come from.
    """

    benchmark: str
    tasks: tuple[str, ...]
    data: str
    model: str
    revision: str
    sampling: Mapping[str, float]
    samples: int
    prompt: str
    scores: tuple[Score, ...]
    reasons: Mapping[str, Mapping[str, int]]
    left_out: Mapping[str, int]
    unanswered: Mapping[str, str]
    units: tuple[Unit, ...]

    def score(self, task: str, *, rule: str = "ours", k: int = 1) -> Score:
        """Find one score.

        Args:
            task: The task.
            rule: ``"ours"`` or ``"official"``.
            k: The k of pass@k.

        Returns:
            The score.

        Raises:
            ExecVerifyError: The report has no such score.
        """
        for score in self.scores:
            if (score.task, score.rule, score.k) == (task, rule, k):
                return score
        there = ", ".join(f"{s.task}/{s.rule}/pass@{s.k}" for s in self.scores)
        raise ExecVerifyError(f"there is no score {task}/{rule}/pass@{k}; there are {there}")

    def to_json(self) -> str:
        """Write the report.

        Returns:
            JSON text, a line for each unit at its end.
        """
        columns = {"report": FORMAT, **asdict(self)}
        units = columns.pop("units")
        head = json.dumps(columns, indent=2, ensure_ascii=True)
        rows = ",\n".join("    " + json.dumps(unit, ensure_ascii=True) for unit in units)
        return f'{head[:-2]},\n  "units": [\n{rows}\n  ]\n}}\n'


def check_place(path: Path) -> None:
    """Refuse to write a report over what is none.

    Args:
        path: Where a report is to be written.

    Raises:
        UsageError: A folder stands there, or a file that is no report.
    """
    if not path.name or path.is_dir():
        raise UsageError(
            f"{shorten(str(path), 120)} is a folder; name a file for the report, like results.json"
        )
    if path.exists() and not _is_report(path):
        raise UsageError(
            f"{shorten(str(path), 120)} is no report of an evaluation, so it stays as it is; "
            "choose another file"
        )


def _is_report(path: Path) -> bool:
    try:
        return path.is_file() and is_object_with(path.read_bytes(), _NAMES)
    except OSError:
        return False


_NAMES = ("report", "benchmark", "units")
"""Names in a report by which it is known."""


def write_report(report: Report, path: Path) -> None:
    """Write a report whole: to a temporary name, to disk, renamed.

    Args:
        report: The report.
        path: The file; its folder is made where there is none.

    Raises:
        UsageError: A folder stands there, or a file that is no report.
        ExecVerifyError: It cannot be written.
    """
    check_place(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("w", encoding="ascii") as file:
            file.write(report.to_json())
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise ExecVerifyError(f"{path} cannot be written: {error.strerror}") from None


def read_report(path: Path) -> Report:
    """Read a report that was written.

    Args:
        path: The file.

    Returns:
        The report.

    Raises:
        UsageError: It cannot be read, or is no report.
    """
    try:
        columns = json.loads(path.read_text(encoding="utf-8"))
        if columns.pop("report") != FORMAT:
            raise UsageError(f"{path} is a report of another version; evaluate again")
        columns["scores"] = tuple(Score(**score) for score in columns["scores"])
        columns["units"] = tuple(_unit(unit, columns["samples"]) for unit in columns["units"])
        columns["tasks"] = tuple(columns["tasks"])
        for name in ("benchmark", "data", "model", "revision", "prompt"):
            if not isinstance(columns[name], str):
                raise ValueError(f"its {name} is {said(columns[name])}, and no text")
        return Report(**columns)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(f"{path} is no report: {shorten(str(error), 120)}") from None


def _unit(columns: Mapping[str, Any], samples: int) -> Unit:
    """Read a unit, whose marks must be as many as there were replies."""
    marks = {rule: tuple(columns[rule]) for rule in RULES}
    are_whole = len(marks["ours"]) == samples > 0 and len(marks["official"]) in (0, samples)
    are_texts = all(isinstance(columns[name], str) for name in ("id", "group", "task"))
    is_right = all(map(_is_mark, marks["ours"])) and all(
        mark is None or _is_mark(mark) for mark in marks["official"]
    )
    if not (are_whole and are_texts and is_right):
        raise ValueError(f"a unit is {said(dict(columns))}")
    return Unit(**{**columns, **marks})


def _is_mark(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= 1


def scores_of(units: Sequence[Unit], ks: Iterable[int]) -> tuple[Score, ...]:
    """Work out scores.

    Args:
        units: The units of all tasks.
        ks: The k of each pass@k.

    Returns:
        A score for each task, rule and k, in this order.
    """
    wanted = list(ks)
    tasks: dict[str, list[Unit]] = {}
    for unit in units:
        tasks.setdefault(unit.task, []).append(unit)
    return tuple(
        _score(task, rule, k, group)
        for task, group in tasks.items()
        for rule in RULES
        if rule == "ours" or group[0].official
        for k in wanted
        if k == 1 or all(set(unit.ours) <= {0.0, 1.0} for unit in group)
    )


def _score(task: str, rule: str, k: int, asked: Sequence[Unit]) -> Score:
    groups: dict[str, list[float]] = {}
    for unit in asked:
        groups.setdefault(unit.group, []).append(unit.value(rule, k))
    values = [value for marks in groups.values() for value in marks]
    low, high, how = interval(list(groups.values()))
    skipped = sum(mark is None for unit in asked for mark in unit.official)
    return Score(
        task=task,
        rule=rule,
        k=k,
        rate=math.fsum(values) / len(values),
        low=low,
        high=high,
        units=len(values),
        groups=len(groups),
        interval=how,
        skipped=skipped if rule == "official" else 0,
    )
