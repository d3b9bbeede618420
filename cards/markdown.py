"""Writes values into Markdown: numbers, table cells, code. Nothing that is put in can break out."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["FILTERS", "fenced", "table", "tidied"]

_WIDEST = 200
"""The longest text of a table cell, in characters."""
_LONG_TABLE = 12
"""Rows of a table that is shown open."""


def count(number: int) -> str:
    """Write a whole number with separators."""
    return f"{number:,}"


def plural(number: int, one: str, several: str = "") -> str:
    """Write a number of things; several are the one with an s, if they are not told.

    Example:
        >>> plural(1, "row"), plural(1200, "family", "families")
        ('1 row', '1,200 families')
    """
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def percent(number: float, whole: float) -> str:
    """Write a share of a whole."""
    return f"{100 * number / whole:.1f}%" if whole else "—"


def fixed(number: float) -> str:
    """Write a number with two decimals."""
    return f"{number:,.2f}"


def size(number: int) -> str:
    """Write a size in bytes as people read it.

    Example:
        >>> size(123456)
        '123.5 kB'
    """
    value = float(number)
    for unit in ("bytes", "kB", "MB", "GB"):
        if value < 1000:
            return f"{value:,.0f} {unit}" if unit == "bytes" else f"{value:,.1f} {unit}"
        value /= 1000
    return f"{value:,.1f} TB"


def cell(text: Any, most: int = _WIDEST) -> str:
    """Write a text of at most so many characters into a table cell, as it reads.

    Example:
        >>> cell("a|b <c>\\n*d*")
        'a\\\\|b &lt;c&gt; \\\\*d\\\\*'
    """
    short = shortened(" ".join(str(text).split()), most)
    escaped = short.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # Inside code spans a backslash is itself; there only the bar must be escaped.
    parts = re.split(r"(`[^`]*`)", escaped)
    return "".join(
        _bars(_unescaped(part)) if place % 2 else re.sub(r"([\\*_\[\]|~$`])", r"\\\1", part)
        for place, part in enumerate(parts)
    )


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _bars(text: str) -> str:
    return text.replace("|", "\\|")


def code(text: Any, most: int = _WIDEST) -> str:
    """Write a text of at most so many characters as a code span, in a table cell or outside.

    Example:
        >>> code("a|`b`")
        '`` a\\\\|`b` ``'
    """
    short = _bars(shortened(" ".join(str(text).split()), most))
    longest = max((len(run) for run in re.findall("`+", short)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest or not short else ""
    return f"{fence}{pad}{short}{pad}{fence}"


def shortened(text: str, most: int = _WIDEST) -> str:
    """Cut a text to what a cell holds."""
    return text if len(text) <= most else text[: most - 1] + "…"


def fenced(text: str, language: str = "") -> str:
    """Write a text as a fenced block that it cannot end."""
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def pairs(counts: Sequence[tuple[str, int]]) -> str:
    """Write names with their counts as running text."""
    return ", ".join(f"{cell(name)}&nbsp;{number:,}" for name, number in counts)


def listed(names: Sequence[str]) -> str:
    """Write names in a sentence, as code.

    Example:
        >>> listed(["trace", "sft", "stage2"])
        '`trace`, `sft` and `stage2`'
    """
    spans = [code(name) for name in names]
    return " and ".join([", ".join(spans[:-1]), spans[-1]] if spans[1:] else spans)


def table(
    title: str, counts: Sequence[tuple[str, int]], none: str = "", whole: int | None = None
) -> str:
    """Write a table of counts with shares; a long one is folded.

    Args:
        title: What is counted.
        counts: Names with counts.
        none: What to write for an empty name.
        whole: What shares are of; None for the sum of the counts.

    Returns:
        Markdown, with an empty line after it.
    """
    total = sum(number for _, number in counts) if whole is None else whole
    if not counts:
        return ""
    rows = [
        f"| {cell(name or none)} | {number:,} | {percent(number, total)} |"
        for name, number in counts
    ]
    text = "\n".join([f"| {title} | count | share |", "|---|--:|--:|", *rows])
    if len(rows) > _LONG_TABLE:
        summary = f"<details><summary>{title}: {len(rows)} values</summary>"
        return f"{summary}\n\n{text}\n\n</details>\n"
    return f"{text}\n"


def tidied(text: str) -> str:
    """Leave at most one empty line between paragraphs."""
    return re.sub(r"\n{3,}", "\n\n", text).strip()


FILTERS: dict[str, Callable[..., str]] = {
    function.__name__: function
    for function in (count, plural, percent, fixed, size, cell, code, listed, fenced, pairs)
}
"""The filters of the template."""
