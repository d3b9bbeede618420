"""The steps of a run as a tree: passes under their loops, calls under who called.

Read from left to right and top to bottom, the tree gives the steps in the order of the run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from curricula.narrator.facts import Reader, is_loop

__all__ = ["Group", "Node", "groups", "tree_of"]


@dataclass(slots=True)
class Node:
    """A step with what ran because of it.

    Attributes:
        step: Its place in the run, from 0.
        calls: Steps of other frames that it made run.
        body: For the header of a loop, the steps of the pass that it begins.
    """

    step: int
    calls: list[Node] = field(default_factory=list)
    body: list[Node] = field(default_factory=list)

    def steps(self) -> Iterator[int]:
        """Yield its step and all below it, in the order of the run."""
        yield self.step
        for inner in (*self.calls, *self.body):
            yield from inner.steps()


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbours in a tree that are told together.

    Attributes:
        nodes: A single step, or all headers of one run through a loop.
        is_loop: Which of the two.
    """

    nodes: tuple[Node, ...]
    is_loop: bool


@dataclass(slots=True)
class _Open:
    """A frame while it runs: where its steps go, and its loops that are under way."""

    frame: int
    steps: list[Node]
    latest: Node | None = None
    loops: dict[int, Node] = field(default_factory=dict)


def tree_of(reader: Reader) -> list[Node]:
    """Put the steps of a run into a tree.

    Args:
        reader: The run.

    Returns:
        The steps of the entry function, without those inside its loops and calls.
    """
    record = reader.trace.record
    roots: list[Node] = []
    stack: list[_Open] = []
    for step, (line, frame) in enumerate(zip(record.lines, record.frames, strict=True)):
        if any(opened.frame == frame for opened in stack):
            while stack[-1].frame != frame:
                stack.pop()
        else:
            _leave_ended(reader, stack, frame)
            # A call, or a generator that goes on: what it does belongs to who asked.
            asked = stack[-1].latest if stack else None
            stack.append(_Open(frame, roots if asked is None else asked.calls))
        opened = stack[-1]
        around = [opened.loops[loop] for loop in reader.loops[line] if loop in opened.loops]
        node = opened.latest = Node(step)
        (around[-1].body if around else opened.steps).append(node)
        if is_loop(reader.trace.units.by_line[line].kind):
            opened.loops[line] = node
    return roots


def _leave_ended(reader: Reader, stack: list[_Open], frame: int) -> None:
    """Leave the frames that have ended or paused before a new one begins.

    A record does not say when a frame ends. One whose last step is over can have been the
    caller only where that step names the function, and has not run it as often yet.
    """
    record = reader.trace.record
    name = reader.trace.scope(frame).name
    while len(stack) > 1:
        latest = stack[-1].latest
        if latest is None or not reader.may_be_over(latest.step):
            return
        begun = {record.frames[n.step] for n in latest.calls}
        if len(begun) < reader.mentions(latest.step, name):
            return
        stack.pop()


def groups(reader: Reader, nodes: Sequence[Node]) -> Iterator[Group]:
    """Group neighbours: the headers of a loop belong together.

    Args:
        reader: The run.
        nodes: Neighbours in its tree.

    Yields:
        The groups in order.
    """
    record = reader.trace.record
    units = reader.trace.units.by_line

    def place(node: Node) -> tuple[int, int, int]:
        line, frame = record.lines[node.step], record.frames[node.step]
        alone = -1 if is_loop(units[line].kind) else node.step
        return frame, line, alone

    for (_, _, alone), some in groupby(nodes, key=place):
        yield Group(tuple(some), alone < 0)
