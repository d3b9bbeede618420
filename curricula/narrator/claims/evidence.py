"""What a run bears out: values of variables, results, exceptions, how often lines ran."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from curricula.narrator.facts import Reader, is_loop
from curricula.narrator.tree import Node, groups, tree_of
from tracing import Trace, Value
from tracing.units import walk

__all__ = ["Evidence"]

_CONTAINERS = frozenset({"list", "dict", "set", "frozenset", "tuple", "str", "bytes", "range"})


class Evidence:
    """One run, asked what a text may say of it.

    Attributes:
        trace: The run.
        names: Variables that had a value.
        helpers: Functions of the program beside the entry.
        others: Functions and methods that the program calls and does not define.
    """

    def __init__(self, trace: Trace) -> None:
        """Look at a run.

        Args:
            trace: A run that returned or raised.
        """
        self.trace = trace
        self._held: dict[str, dict[Value, set[int]]] = {}
        self._untold: set[str] = set()
        self._look()
        self.names = tuple(self._held)
        nodes = walk(trace.units.tree)
        defined = {n.name for n in nodes if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
        called = [node.func for node in nodes if isinstance(node, ast.Call)]
        self.helpers = frozenset(defined - {trace.entry})
        self.others = frozenset(
            {f.attr for f in called if isinstance(f, ast.Attribute)}
            | {f.id for f in called if isinstance(f, ast.Name)} - defined
        )

    def _look(self) -> None:
        """Note for each variable and value the lines before or after a step of which it held."""
        current: dict[int, dict[str, Value]] = {}
        for step in self.trace.steps:
            values = current.setdefault(step.frame, {})
            for name, value in values.items():
                self._held[name][value].add(step.line)
            for name, changed in step.changes:
                if isinstance(changed, Value):
                    values[name] = changed
                    self._held.setdefault(name, {}).setdefault(changed, set()).add(step.line)
                else:
                    values.pop(name, None)
                    if changed != "unbound":
                        self._untold.add(name)

    def lines_with(self, name: str, values: Iterable[Value]) -> set[int] | None:
        """Tell where a variable had one of some values.

        Args:
            name: The variable.
            values: What may be meant by a text.

        Returns:
            Lines; None where it never had any of them.
        """
        held = self._held[name]
        lines = [held[value] for value in values if value in held]
        if lines:
            return set().union(*lines)
        # It had a value that is not recorded, which may be this one.
        return set(self.trace.units.by_line) if name in self._untold else None

    def types(self, name: str) -> set[str]:
        """Name the types of the values that a variable had."""
        return {value.type for value in self._held[name]}

    def is_container(self, name: str) -> bool:
        """Tell whether a variable held something that has items."""
        return bool(self.types(name) & _CONTAINERS) or name in self._untold

    def has_part(self, name: str, part: str, values: Sequence[Value]) -> bool:
        """Tell whether a variable ever had a value whose part is as claimed.

        Args:
            name: The variable.
            part: ``"length"``, or what stands between the brackets of ``name[...]``.
            values: What may be meant.

        Returns:
            True also where that cannot be told.
        """
        if name in self._untold or not self.is_container(name):
            return True
        objects = [value.object() for value in self._held[name]]
        if part == "length":
            return any(Value.of(len(one)) in values for one in objects if hasattr(one, "__len__"))
        key = Value.parse(part)
        found = [item for one in objects for item in _items(one, key)]
        return any(Value.of(item) in values for item in found)

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self.trace)

    @cached_property
    def results(self) -> dict[int, set[Value] | None]:
        """For each line that returned: what it gave back, None where that is not known."""
        found: dict[int, set[Value] | None] = {}
        for step, line in enumerate(self.trace.record.lines):
            text = self.trace.units.by_line[line].text
            if not text.startswith("return") or step in self.trace.record.raised_at:
                continue
            literal = self._reader.fact(step).result or text.removeprefix("return") or "None"
            value = Value.parse(literal)
            known = found.setdefault(line, set())
            if value is None:
                found[line] = None
            elif known is not None:
                known.add(value)
        return found

    def may_return(self, values: Sequence[Value]) -> bool:
        """Tell whether some call of the run returned one of some values, or may have."""
        if self.trace.output is not None and self.trace.output in values:
            return True
        if len(self.trace.record.scopes) > 1 and Value.of(None) in values:
            return True  # a helper may end without a return
        return any(known is None or known & set(values) for known in self.results.values())

    @cached_property
    def raised(self) -> dict[int, set[str]]:
        """For each line that raised: which exceptions."""
        found: dict[int, set[str]] = {}
        record = self.trace.record
        for step, name in zip(record.raised_at, record.raised, strict=True):
            found.setdefault(record.lines[step], set()).add(name)
        return found

    @cached_property
    def passes(self) -> dict[int, set[int]]:
        """For each loop: passes of each run through it, and of all together."""
        each: dict[int, list[int]] = {
            line: [] for line, unit in self.trace.units.by_line.items() if is_loop(unit.kind)
        }
        left: list[list[Node]] = [tree_of(self._reader)]
        while left:
            for group in groups(self._reader, left.pop()):
                if group.is_loop:
                    begun = [self._reader.fact(node.step).verdict for node in group.nodes]
                    line = self._reader.line(group.nodes[0].step)
                    each[line].append(sum(verdict is True for verdict in begun))
                left += [part for n in group.nodes for part in (n.calls, n.body) if part]
        return {line: {*counts, sum(counts)} for line, counts in each.items()}


def _items(one: Any, key: Value | None) -> Iterable[Any]:
    """Give the item of a key, or all where the key is no literal."""
    if isinstance(one, dict):
        if key is None:
            return one.values()
        return [value for known, value in one.items() if Value.of(known) == key]
    if not isinstance(one, (list, tuple, str, bytes, range)):
        return ()
    if key is None:
        return one
    place = key.object()
    return [one[place]] if type(place) is int and -len(one) <= place < len(one) else ()
