"""The short style: a line for each pass of a loop, and one for what stands between loops.

Statements of functions that are called are left out; what they changed is told where it
shows. Of a loop with many passes the first ones and the last are told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curricula.narrator.facts import Fact, Reader
from curricula.narrator.tree import Group, Node, groups, tree_of
from curricula.narrator.walk import changed_over, passes_told
from curricula.narrator.words import Voice, joined

__all__ = ["brief"]


def brief(reader: Reader, voice: Voice) -> list[str]:
    """Tell a run in few lines.

    Args:
        reader: The run.
        voice: Words the sentences.

    Returns:
        Lines of text.
    """
    return list(_Brief(reader, voice).block(tree_of(reader), 0))


class _Brief:
    """Tells blocks of steps."""

    def __init__(self, reader: Reader, voice: Voice) -> None:
        self.reader = reader
        self.voice = voice
        self.most = passes_told(reader, most=5)

    def block(self, nodes: Sequence[Node], depth: int, start: str = "") -> Iterator[str]:
        """Tell a block; what stands between loops goes on one line.

        Args:
            nodes: Neighbours in the tree.
            depth: Loops around them.
            start: What the first line begins with.

        Yields:
            Lines.
        """
        parts: list[str] = []
        inner = depth + bool(start)
        for group in groups(self.reader, nodes):
            if not group.is_loop:
                told = self.parts(group.nodes[0])
                where = "" if inner else f" (line {self.reader.line(group.nodes[0].step)})"
                parts += [f"{part}{where}" if "line" not in part else part for part in told]
                continue
            if parts or start:
                yield self.line(depth, start, parts)
            parts, start, depth = [], "", inner
            yield from self.loop(group, depth)
        if parts or start:
            yield self.line(depth, start, parts)

    def loop(self, group: Group, depth: int) -> Iterator[str]:
        nodes = group.nodes
        skipped = nodes[self.most : -2] if len(nodes) > self.most + 3 else ()
        for number, node in enumerate(nodes, 1):
            if node not in skipped:
                fact = self.reader.fact(node.step)
                yield from self.block(node.body, depth, self.passed(fact, number))
            elif node is skipped[0]:
                changes = changed_over(self.reader, skipped)
                said = joined([f"{c.name} is {c.literal}" for c in changes]) if changes else ""
                last = number + len(skipped) - 1
                yield f"{'  ' * min(depth, 3)}{self.voice.skipped(number, last, said)}"

    def passed(self, fact: Fact, number: int) -> str:
        """Begin the line of a pass, or end the loop."""
        values = self.values(fact)
        if fact.raised is not None:
            return f"Line {fact.line} raises {fact.raised}"
        if fact.verdict:
            loop = f"Pass {number} of line {fact.line}" if number == 1 else f"Pass {number}"
            return f"{loop}, {', '.join(values)}" if values else loop
        if fact.verdict is None:
            return f"Line {fact.line} is reached again"
        passes = "1 pass" if number == 2 else f"{number - 1} passes"
        return f"The loop ends after {passes}" if number > 1 else f"Line {fact.line}: no pass"

    def values(self, fact: Fact) -> list[str]:
        changes = [f"{c.name} = {c.literal}" for c in fact.changes if c.literal]
        reads = fact.reads if fact.kind == "while" else fact.kept
        return changes + [f"{name} = {literal}" for name, literal in reads]

    def parts(self, node: Node) -> list[str]:
        """Say what a step did, in as few words as it takes."""
        fact = self.reader.fact(node.step)
        changes = [f"{c.name} = {c.literal}" for c in fact.changes if c.literal]
        if fact.raised is not None:
            return [*changes, f"line {fact.line} raises {fact.raised}"]
        match fact.kind:
            case "return" if fact.result is not None:
                return [*changes, f"line {fact.line} returns {fact.result}"]
            case "if" if fact.verdict is not None:
                return [*changes, f"line {fact.line} is {str(fact.verdict).lower()}"]
            case "except" | "case" if fact.verdict:
                return [*changes, f"line {fact.line} fits"]
            case "continue" | "break":
                return [fact.kind]
            case "def" | "class":
                return []
        return [", ".join(changes)] if changes else []

    def line(self, depth: int, start: str, parts: list[str]) -> str:
        told = "; ".join(parts)
        text = f"{start}: {told}" if start and told else start or told
        text = text.replace("line", "Line", 1) if text.startswith("line ") else text
        return f"{'  ' * min(depth, 3)}{text}."
