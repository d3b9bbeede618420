"""The errors of this package."""

from __future__ import annotations

from pathlib import Path

from tracing.errors import ExecVerifyError, UsageError, shorten

__all__ = ["DamagedFileError", "DatasetError", "HubError", "VersionError"]


class DatasetError(UsageError):
    """A dataset or a folder is not what a build makes; the call must name another."""


class DamagedFileError(DatasetError):
    """A file of a dataset cannot be read.

    Attributes:
        path: The file.
        why: What is wrong with it, in a few words.
    """

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(path, why)  # as given, so that it can be pickled
        self.path = path
        self.why = why

    def __str__(self) -> str:
        return f"the file {shorten(str(self.path), 120)} {self.why}"


class HubError(ExecVerifyError):
    """The Hub refuses, or cannot be reached."""


class VersionError(UsageError):
    """A version is none, is there already, or says less than what changed."""
