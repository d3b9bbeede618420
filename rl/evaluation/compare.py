"""Tests whether two evaluations differ: on the same items, pair by pair."""

from __future__ import annotations

from dataclasses import dataclass

from rl.evaluation.report import RULES, Report, Unit
from rl.evaluation.statistics import Difference
from tracing.errors import UsageError

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two runs differ in one task.

    Attributes:
        task: What was asked for.
        rule: ``"ours"`` or ``"official"``.
        k: The k of pass@k.
        units: Units that both answered.
        first: The first run's rate on these.
        second: The second run's rate on these.
        difference: The second less the first, with interval and p-value.
    """

    task: str
    rule: str
    k: int
    units: int
    first: float
    second: float
    difference: Difference


def compare(first: Report, second: Report, *, k: int = 1) -> tuple[Comparison, ...]:
    """Compare two evaluations of the same benchmark.

    Args:
        first: The evaluation to compare with, as of a model before training.
        second: The other one.
        k: The k of pass@k.

    Returns:
        A comparison for each task and rule that both have, over the units that both answered:
        McNemar's exact test where each group has one mark, and signs flipped by group
        otherwise.

    Raises:
        UsageError: They are of other data, or have nothing in common.
    """
    for name in ("benchmark", "data"):
        one, other = getattr(first, name), getattr(second, name)
        if one != other:
            raise UsageError(
                f"the reports are of another {name} ({one} and {other}), so nothing can be paired"
            )
    if k < 1 or k > min(first.samples, second.samples):
        raise UsageError(f"pass@{k} needs as many samples in both reports")
    known = {(unit.task, unit.id): unit for unit in first.units}
    tasks: dict[str, list[tuple[Unit, Unit]]] = {}
    for unit in second.units:
        before = known.get((unit.task, unit.id))
        if before is not None:
            tasks.setdefault(unit.task, []).append((before, unit))
    if not tasks:
        raise UsageError("the reports have no item in common, so nothing can be paired")
    return tuple(
        _compared(task, rule, k, pairs)
        for task, pairs in tasks.items()
        for rule in RULES
        if rule == "ours" or all(one.official and other.official for one, other in pairs)
    )


def _compared(task: str, rule: str, k: int, pairs: list[tuple[Unit, Unit]]) -> Comparison:
    groups: dict[str, list[tuple[float, float]]] = {}
    for one, other in pairs:
        values = one.value(rule, k), other.value(rule, k)
        groups.setdefault(other.group, []).append(values)
    every = [pair for group in groups.values() for pair in group]
    return Comparison(
        task=task,
        rule=rule,
        k=k,
        units=len(every),
        first=sum(one for one, _ in every) / len(every),
        second=sum(other for _, other in every) / len(every),
        difference=Difference.of(list(groups.values())),
    )
