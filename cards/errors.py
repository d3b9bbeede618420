"""The errors of this package."""

from __future__ import annotations

from tracing.errors import ExecVerifyError, UsageError

__all__ = ["DatasetError", "HubError", "VersionError"]


class DatasetError(ExecVerifyError):
    """A dataset or a folder is not what a build makes."""


class HubError(ExecVerifyError):
    """The Hub refuses, or cannot be reached."""


class VersionError(UsageError):
    """A version is none, is there already, or says less than what changed."""
