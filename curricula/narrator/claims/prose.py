"""Takes a text apart into lines to be read: what quotes the program is no claim.

Code is judged by the program, not by its marks: a span or a line in a fence that stands in
the program is a quotation, and one that does not (``total = 99``) is the text's own.
"""

from __future__ import annotations

import re

__all__ = ["CODE", "RETURN", "clause_before", "is_supposed", "lines_named", "without_quotes"]

CODE, RETURN = "\x00CODE\x00", "\x00RETURN\x00"
"""What stands for a quotation of the program, and for one of a return statement."""
_SPAN = re.compile(r"`{1,3}([^`\n]+)`{1,3}")
_IS_CODE = re.compile(r"[=(:\[ ]")
_COMMENT = re.compile(r"\s#\s?(.*)$")
_NUMBER = re.compile(r"^\s*(?:[Ll]ine\s+)?\d{1,6}[:|.)]?\s+")
_LINE = re.compile(r"\b[Ll]ines?[ -](\d{1,6})\b")
_LABEL = re.compile(r"(?:^|[.;]\s+)[\W_]*[Ll]ine \d{1,6}[^.;:]{0,80}:\s[^.;:]{0,200}$")
_CLAUSE = re.compile(r"[;,(]\s|: |\. |→|—| (?:so|then|but|because|since) ")
_FARTHEST = 300
"""Characters before a claim that may say what it is about."""
_SUPPOSED = re.compile(
    r"\b(?:(?<!the )(?<!The )if|whether|unless|would|could|might|suppose|supposing|assum\w+|"
    r"imagine)\b(?! (?:on|at|in|block|branch|statement|test|condition)\b)",
    re.IGNORECASE,
)


def without_quotes(text: str, source: str) -> list[str]:
    """Give the lines of a text, with marks in the place of what quotes the program.

    Args:
        text: Hostile text.
        source: The program.

    Returns:
        Its lines; code that is not the program's is left as it is, comments too.

    Example:
        >>> without_quotes("`x = 1` gives\\n```python\\nx = 2  # now 2\\n```", "x = 1\\nx = 2")[1:]
        ['', '\\x00CODE\\x00  now 2', '']
    """
    program = _Program(source)
    lines = []
    is_fenced = False
    for line in text.replace("\\_", "_").replace("−", "-").split("\n"):
        if line.lstrip().startswith(("```", "~~~")):
            is_fenced = not is_fenced
            lines.append("")
        elif is_fenced:
            lines.append(program.quoted_line(line))
        else:
            lines.append(_SPAN.sub(program.quoted_span, line))
    return lines


class _Program:
    """Knows its own text, however it is spaced."""

    def __init__(self, source: str) -> None:
        self._lines = {_squeezed(line) for line in source.split("\n")}
        self._all = "\n".join(self._lines)

    def quoted_span(self, match: re.Match[str]) -> str:
        inside = _squeezed(match[1])
        # A name or a value alone quotes nothing: `total` = `3`.
        if not _IS_CODE.search(match[1].strip()) or inside.removesuffix(":") not in self._all:
            return match[0]
        return f" {RETURN if inside.startswith('return') else CODE} "

    def quoted_line(self, line: str) -> str:
        comment = _COMMENT.search(line)
        code = line[: comment.start()] if comment else line
        for one in (code, _NUMBER.sub("", code)):
            if _squeezed(one) in self._lines:
                mark = RETURN if one.strip().startswith("return") else CODE
                return f"{mark}  {comment[1]}" if comment else mark
        return line


def _squeezed(text: str) -> str:
    return "".join(text.split())


def clause_before(line: str, end: int) -> str:
    """Give what stands in a line between the last colon or semicolon and a place.

    ``Line 4: `` before it is of the clause.
    """
    label = _LABEL.search(line, max(0, end - _FARTHEST), end)
    if label is not None:
        return label[0]
    start = max(0, end - _FARTHEST)
    start = max(start, *(line.rfind(mark, start, end) + 1 for mark in (";", ": ")))
    return line[start:end]


def lines_named(clause: str) -> set[int]:
    """Give the numbers of the program's lines that a text names."""
    return set(map(int, _LINE.findall(clause)))


def is_supposed(line: str, place: int) -> bool:
    """Tell whether what a line says at a place is only supposed: *if*, *would*, *whether*."""
    before = line[max(0, place - _FARTHEST) : place]
    return _SUPPOSED.search(_CLAUSE.split(before)[-1]) is not None
