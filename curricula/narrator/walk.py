"""The long style: every step on a line of its own, passes and calls indented.

Of a loop with many passes the first ones and the last are told; what the others left is
said in a sentence, with the values that the trace has after them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from curricula.narrator.facts import Change, Fact, Reader
from curricula.narrator.tree import Group, Node, groups, tree_of
from curricula.narrator.words import Voice, joined

__all__ = ["changed_over", "passes_told", "walk"]

_DEEPEST = 4
"""Levels of indentation; calls deeper than that are told in a sentence."""
_PLENTY = 60
"""Steps of a run that is told in full."""


def walk(reader: Reader, voice: Voice) -> list[str]:
    """Tell a run step by step.

    Args:
        reader: The run.
        voice: Words the sentences.

    Returns:
        Lines of text.
    """
    return list(_Walk(reader, voice).block(tree_of(reader), 0))


def passes_told(reader: Reader, *, most: int) -> int:
    """Decide how many passes of each loop are told before the rest is skipped.

    Args:
        reader: The run.
        most: How many in a run of few steps.

    Returns:
        A count of at least 2.
    """
    crowded = len(reader.trace.record.lines) // _PLENTY
    return max(2, most // (1 + crowded))


def changed_over(reader: Reader, nodes: Sequence[Node], *, most: int = 4) -> list[Change]:
    """List the variables that changed over passes, with their values after the last.

    Args:
        reader: The run.
        nodes: Headers of passes.
        most: The most variables.

    Returns:
        Changes of the loop's own frame, in the order of their last change.
    """
    frames = reader.trace.record.frames
    latest: dict[str, Change] = {}
    for node in nodes:
        for step in node.steps():
            if frames[step] == frames[node.step]:
                for change in reader.fact(step).changes:
                    latest.pop(change.name, None)
                    latest[change.name] = change
    known = [change for change in latest.values() if change.literal]
    return known[-most:]


class _Walk:
    """Tells blocks of steps."""

    def __init__(self, reader: Reader, voice: Voice) -> None:
        self.reader = reader
        self.voice = voice
        self.most = passes_told(reader, most=8)

    def block(self, nodes: Sequence[Node], depth: int) -> Iterator[str]:
        for group in groups(self.reader, nodes):
            if group.is_loop:
                yield from self.loop(group, depth)
            else:
                yield from self.step(group.nodes[0], depth)

    def loop(self, group: Group, depth: int) -> Iterator[str]:
        """Tell the passes of a loop, and how it ends."""
        nodes = group.nodes
        skipped = nodes[self.most : -2] if len(nodes) > self.most + 3 else ()
        for number, node in enumerate(nodes, 1):
            if node in skipped:
                if node is skipped[0]:
                    yield self.line(depth, self.skip(number, skipped))
                continue
            yield from self.step(node, depth, number)

    def skip(self, number: int, skipped: Sequence[Node]) -> str:
        changes = changed_over(self.reader, skipped)
        said = joined([f"{c.name} is {c.literal}" for c in changes]) if changes else ""
        return self.voice.skipped(number, number + len(skipped) - 1, said)

    def step(self, node: Node, depth: int, number: int = 0) -> Iterator[str]:
        fact = self.reader.fact(node.step)
        at = self.voice.at(fact)
        if node.calls:
            came = [self.voice.change(c) for c in fact.changes if c.is_argument]
            yield self.line(depth, f"{at}{joined([*came, self.called(node)])}.")
            if depth < _DEEPEST:
                yield from self.block(node.calls, depth + 1)
            at = f"Line {fact.line} goes on: "
            fact = replace(fact, changes=tuple(c for c in fact.changes if not c.is_argument))
        yield self.line(depth, f"{at}{self.told(fact, number, bool(node.calls))}.")
        yield from self.block(node.body, depth + 1)

    def line(self, depth: int, text: str) -> str:
        return f"{'  ' * min(depth, _DEEPEST)}- {text}"

    def called(self, node: Node) -> str:
        """Say which functions a step calls, with what is deeper than is told."""
        trace = self.reader.trace
        frames = [trace.record.frames[inner.step] for inner in node.calls]
        names = list(dict.fromkeys(trace.scope(frame).name for frame in frames))
        return f"this runs {joined([f'`{name}`' for name in names])}"

    def told(self, fact: Fact, number: int, has_called: bool) -> str:
        """Say what a step did."""
        changes = [self.voice.change(change) for change in fact.changes]
        if fact.raised is not None:
            return "; ".join([f"this raises {fact.raised}", *changes])
        match fact.kind:
            case "for":
                return self.for_header(fact, number, changes)
            case "if" | "while":
                return self.test(fact, number, changes)
            case "return":
                return self.returned(fact, changes)
            case "def" | "class":
                return f"this defines {joined([f'`{c.name}`' for c in fact.changes] or ['it'])}"
        said = [*changes, *(f"{name} stays {literal}" for name, literal in fact.kept)]
        read = self.given(fact) if said and not has_called else ""
        return read + joined(said or [self.quiet(fact)])

    def returned(self, fact: Fact, changes: list[str]) -> str:
        if fact.result is None:
            return f"{self.given(fact)}{joined([*changes, 'this returns'])}"
        is_named = fact.text.removeprefix("return").strip().isidentifier()
        read = "" if is_named else self.given(fact)
        return f"{read}{joined([*changes, f'this returns {fact.result}'])}"

    def given(self, fact: Fact) -> str:
        """Name the values that a statement starts from."""
        told = {change.name for change in fact.changes}.union(name for name, _ in fact.kept)
        reads = [f"{name} = {literal}" for name, literal in fact.reads if name not in told]
        return f"with {joined(reads)}, " if 0 < len(reads) <= 3 else ""

    def for_header(self, fact: Fact, number: int, changes: list[str]) -> str:
        if fact.verdict:
            items = [*changes, *(f"{name} = {literal} again" for name, literal in fact.kept)]
            return ", ".join([f"pass {number}", *([joined(items)] if items else [])])
        if fact.verdict is None:
            return joined(changes or ["the next item is asked for"])
        passes = "1 pass" if number == 2 else f"{number - 1} passes"
        end = "nothing to go through" if number == 1 else f"nothing is left after {passes}"
        return "; ".join([*changes, end]) + self.onwards(fact)

    def test(self, fact: Fact, number: int, changes: list[str]) -> str:
        came = {change.name for change in fact.changes}
        said = [*changes, *(f"{n} = {literal}" for n, literal in fact.reads if n not in came)]
        if fact.verdict is None:
            return joined(said or ["the test is made"]) + self.onwards(fact)
        verdict = self.voice.verdict(fact.verdict)
        start = f"{joined(said)}: {verdict}" if said else verdict
        if fact.kind == "while" and fact.verdict:
            return f"{start}, pass {number} begins"
        return start + self.onwards(fact)

    def onwards(self, fact: Fact) -> str:
        return "" if fact.following is None else f", on to line {fact.following}"

    def quiet(self, fact: Fact) -> str:
        """Say what a step did that changed no variable."""
        match fact.kind:
            case "continue":
                return "on to the next pass"
            case "break":
                return "this leaves the loop"
            case "try":
                return "the block begins"
            case "except":
                return "this handler takes it" if fact.verdict else "this handler does not fit"
            case "case":
                return "this fits" if fact.verdict else "this does not fit"
            case "with" | "match":
                reads = [f"{name} = {literal}" for name, literal in fact.reads]
                return joined(reads) if reads else "the block begins"
        return "no variable changes"
