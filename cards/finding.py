"""What a check of a folder or a verification of a version finds."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Finding"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as a dataset says.

    Attributes:
        place: A file, or a problem's id.
        what: A sentence.
    """

    place: str
    what: str
