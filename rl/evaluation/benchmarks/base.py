"""What a benchmark is, and the registry of benchmarks.

A benchmark is one file of this package: where its rows are, how one becomes a prompt, how a
reply is judged by our checks and by the benchmark's own rule. Asking a model and working out
scores are not a benchmark's business.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from curricula import prompts, scoring
from curricula.difficulty.engines import Messages
from curricula.scoring.rows import read_row
from rl.evaluation.report import Unit
from tracing.errors import UsageError, shorten

__all__ = [
    "BENCHMARKS",
    "Benchmark",
    "Content",
    "Item",
    "Mark",
    "Replied",
    "benchmark",
    "benchmark_of",
    "call_item",
    "judged",
]


@dataclass(frozen=True, slots=True)
class Item:
    """One prompt of a benchmark.

    Attributes:
        id: Its name, unique in the benchmark.
        problem: What it is about; a limit counts these.
        task: What is asked for, a name of :attr:`Benchmark.tasks`.
        messages: The conversation.
        row: What the benchmark needs to judge a reply.
        group: Items of one group are alike, and are resampled together; the problem's name
            where problems are independent.
    """

    id: str
    problem: str
    task: str
    messages: Messages
    row: Mapping[str, Any]
    group: str = ""

    def __post_init__(self) -> None:
        """Let an item without a group be of its problem's."""
        object.__setattr__(self, "group", self.group or self.problem)


class Replied(NamedTuple):
    """A reply to an item."""

    item: Item
    reply: str


@dataclass(frozen=True, slots=True)
class Mark:
    """The verdict on one thing that a reply was asked for.

    Attributes:
        task: What was asked for; a kind of question, too.
        part: Tells marks of one item apart; empty where there is one.
        right: 1.0 where it is right, 0.0 otherwise; None where the rule leaves the reply out.
        reason: Why it is not right, where more can be said than that.
        is_lost: Whether the machine failed, so that nothing is known.
    """

    task: str
    part: str
    right: float | None
    reason: str = ""
    is_lost: bool = False


@dataclass(frozen=True, slots=True)
class Content:
    """What was read of a benchmark.

    Attributes:
        items: The items, in the order of the rows.
        left_out: How many rows or probes cannot be asked, by the reason.
        version: Hash of the rows, twelve hexadecimal digits.
    """

    items: tuple[Item, ...]
    left_out: Mapping[str, int]
    version: str


class Benchmark(ABC):
    """What the file of a benchmark provides.

    Attributes:
        name: The name it is registered under.
        tasks: What may be asked for.
        source: Its name on the Hub, or an empty text where it must be given as files.
        runs_replies: Whether :meth:`official` runs what a model wrote, in the sandbox.
    """

    name = ""
    tasks: tuple[str, ...] = ()
    source = ""
    runs_replies = False

    @abstractmethod
    def read(self, data: str, tasks: Sequence[str]) -> Content:
        """Read rows as items.

        Args:
            data: A file, a folder, or a name on the Hub; an empty text for :attr:`source`.
            tasks: Which tasks to ask for.

        Returns:
            The items.

        Raises:
            BenchmarkError: A row has not the benchmark's form.
        """

    def ours(self, replied: Sequence[Replied]) -> list[tuple[Mark, ...]]:
        """Judge replies by our checks; as rewards are, unless a benchmark says otherwise.

        Args:
            replied: The replies.

        Returns:
            The marks of each, in order.
        """
        return judged(replied)

    def official(self, replied: Sequence[Replied]) -> list[tuple[Mark, ...]] | None:
        """Judge replies by the benchmark's own rule, where it has another one.

        Args:
            replied: The replies.

        Returns:
            The marks of each, in order; None where there is no other rule.
        """
        return None

    def combined(self, units: Sequence[Unit]) -> list[Unit]:
        """Make further units of several tasks' marks together.

        Args:
            units: The units of all tasks.

        Returns:
            None of them, unless a benchmark has such a measure.
        """
        return []


BENCHMARKS: dict[str, Benchmark] = {}
"""The benchmarks by name, in the order in which they were registered."""
_Made = TypeVar("_Made", bound=Benchmark)


def benchmark(name: str) -> Callable[[type[_Made]], type[_Made]]:
    """Register the class of a benchmark under its name.

    Args:
        name: The name that users give.

    Returns:
        A class decorator.
    """

    def register(made: type[_Made]) -> type[_Made]:
        found = made()
        found.name = name
        BENCHMARKS[name] = found
        return made

    return register


def benchmark_of(name: str) -> tuple[Benchmark, tuple[str, ...]]:
    """Find a benchmark, and which of its tasks are meant.

    Args:
        name: ``"cruxeval"`` for all its tasks, ``"cruxeval/output"`` for one.

    Returns:
        The benchmark and its tasks.

    Raises:
        UsageError: There is none of that name, or it has no such task.
    """
    word, slash, task = name.strip().lower().replace("-", "_").partition("/")
    if word not in BENCHMARKS:
        raise UsageError(
            f"there is no benchmark {shorten(repr(name))}; choose of {', '.join(BENCHMARKS)}"
        )
    found = BENCHMARKS[word]
    if slash and task not in found.tasks:
        raise UsageError(
            f"{word} has no task {shorten(repr(task))}; choose of {', '.join(found.tasks)}"
        )
    return found, (task,) if slash else found.tasks


def call_item(name: str, problem: str, task: str, row: Mapping[str, Any]) -> Item:
    """Make the item of a row that :mod:`curricula.scoring` reads.

    Args:
        name: The item's id.
        problem: The problem's id.
        task: ``"input"`` for that; any other name asks for the output.
        row: Source, entry, call, output or exception, and questions, if any.

    Returns:
        The item, with our prompt.
    """
    whole = {**row, "task": "input" if task == "input" else "output"}
    asked = read_row(whole)
    messages = prompts.input_prompt(asked) if task == "input" else prompts.output_prompt(asked)
    return Item(name, problem, task, messages, whole)


def judged(replied: Sequence[Replied]) -> list[tuple[Mark, ...]]:
    """Judge replies to items of :func:`call_item` as rewards are.

    Args:
        replied: The replies.

    Returns:
        For each a mark of the task, and one of each question, named by its kind.
    """
    rewards = scoring.score_many([r.reply for r in replied], [r.item.row for r in replied])
    return [_marks(one.item, reward) for one, reward in zip(replied, rewards, strict=True)]


def _marks(item: Item, reward: scoring.Reward) -> tuple[Mark, ...]:
    if reward.total is None:
        return (Mark(item.task, "", 0.0, reward.reason, is_lost=True),)
    first = Mark(item.task, "", reward.io, "" if reward.io == 1.0 else reward.reason)
    rest = [
        Mark(part.kind, str(place), float(part.right)) for place, part in enumerate(reward.parts, 1)
    ]
    return (first, *rest)
