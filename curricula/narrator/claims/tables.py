"""Reads claims that stand in tables and in states written as a dict, as models trace runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from curricula.narrator.claims.evidence import Evidence
from curricula.narrator.claims.values import chained, value_of
from curricula.narrator.claims.variables import Claim
from tracing import Value

__all__ = ["table_claims"]

_STATE = re.compile(r"\{\s*['\"](\w+)['\"]\s*:")
_RULE = re.compile(r"[-:\s|]+")


def table_claims(lines: Sequence[str], known: Evidence) -> Iterator[Claim]:
    """Read the cells under the names of variables, and the items of states.

    Args:
        lines: As :func:`curricula.narrator.claims.prose.without_quotes` gives them.
        known: The run.

    Yields:
        The claims in order.
    """
    heads: list[str] = []
    for line in lines:
        if line.count("|") < 2:
            heads = []
            yield from _state(line, known)
            continue
        cells = [cell.strip().strip("`*_ ") for cell in line.strip().strip("|").split("|")]
        if not heads:
            heads = cells
        elif not _RULE.fullmatch(line) and len(cells) == len(heads):
            for head, cell in zip(heads, cells, strict=True):
                if head in known.names and cell:
                    _, last = list(chained(cell, 0, len(cell)))[-1]
                    values = value_of(last)
                    if values is not None:
                        yield Claim(head, values)


def _state(line: str, known: Evidence) -> Iterator[Claim]:
    """Read ``{'total': 3, 'n': 1}`` as a state, where no variable holds such a dict."""
    for match in _STATE.finditer(line):
        if match[1] not in known.names:
            continue
        end = line.find("}", match.start())
        while end > 0:
            values = value_of(line[match.start() : end + 1])
            if values is not None:
                break
            end = line.find("}", end + 1)
        else:
            continue
        state = values[0].object() if values else None
        if not isinstance(state, dict) or not set(state) <= set(known.names):
            continue
        if values and not any(known.lines_with(name, values) for name in known.names):
            yield from (Claim(name, (Value.of(value),)) for name, value in state.items())
