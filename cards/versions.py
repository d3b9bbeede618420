"""Semantic versions of data: what they look like, and in which order they come."""

from __future__ import annotations

import re
from typing import NamedTuple

from cards.errors import VersionError
from tracing.errors import shorten

__all__ = ["Version", "latest", "read_version"]


class Version(NamedTuple):
    """A version of a dataset.

    Attributes:
        major: Rises when code that reads the data, or a comparison of scores, may break.
        minor: Rises when rows are added, removed or changed.
        patch: Rises when every row stays as it is.
    """

    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"

    @property
    def tag(self) -> str:
        """The tag of the version on the Hub."""
        return f"v{self}"

    def after(self, kind: str) -> Version:
        """Give the next version of a kind.

        Args:
            kind: ``"major"``, ``"minor"`` or ``"patch"``.

        Returns:
            The smallest version after this one that says so; before 1.0.0 a minor version
            may break what a major one may afterwards.

        Example:
            >>> str(Version(1, 4, 2).after("minor")), str(Version(0, 4, 2).after("major"))
            ('1.5.0', '0.5.0')
        """
        if kind == "patch":
            return Version(self.major, self.minor, self.patch + 1)
        if kind == "minor" or self.major == 0:
            return Version(self.major, self.minor + 1, 0)
        return Version(self.major + 1, 0, 0)


_FORM = re.compile(r"v?(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})", re.ASCII)


def read_version(text: str) -> Version:
    """Read a version.

    Args:
        text: Like ``"1.2.0"``, or the tag ``"v1.2.0"``.

    Returns:
        The version.

    Raises:
        VersionError: It is none.

    Example:
        >>> read_version("v1.2.0")
        Version(major=1, minor=2, patch=0)
    """
    match = _FORM.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise VersionError(
            f"{shorten(repr(text))} is no version of a dataset; write three numbers like 1.2.0"
        )
    return Version(*map(int, match.groups()))


def latest(tags: list[str]) -> Version | None:
    """Find the highest version among tags.

    Args:
        tags: Names of tags; those that are no versions are passed over.

    Returns:
        The version, or None.
    """
    return max((read_version(tag) for tag in tags if _FORM.fullmatch(tag)), default=None)
