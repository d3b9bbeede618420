"""Checks of JSON that may come from anywhere, part by part."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cards.errors import DatasetError
from tracing.errors import shorten

__all__ = ["are_counts", "check_parts", "is_count", "is_text"]


def check_parts(
    plain: Mapping[str, Any], parts: Mapping[str, Callable[[Any], bool]], name: str, place: Path
) -> None:
    """Refuse a file of which a part is not as this library writes it.

    Args:
        plain: What the file holds.
        parts: For each part a function that tells whether it is right; a part that is missing
            is None.
        name: The file's name.
        place: The folder that it is in.

    Raises:
        DatasetError: A part is wrong.
    """
    for part, is_right in parts.items():
        if not is_right(plain.get(part)):
            raise DatasetError(
                f"{name} in {shorten(str(place), 120)} is damaged: its {part!r} is "
                f"{shorten(repr(plain.get(part)))}; take it as it was written, or build again"
            )


def is_text(value: Any) -> bool:
    """Tell whether a value is a text."""
    return isinstance(value, str)


def is_count(value: Any) -> bool:
    """Tell whether a value is a whole number from 0 on."""
    return type(value) is int and value >= 0


def are_counts(value: Any) -> bool:
    """Tell whether a value is a mapping to counts."""
    return isinstance(value, Mapping) and all(map(is_count, value.values()))
