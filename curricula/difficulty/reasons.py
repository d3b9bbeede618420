"""Why replies are wrong, in sentences that can be counted."""

from __future__ import annotations

import re

__all__ = ["without_values"]

_VALUES = (
    (re.compile(r"(?<=predicted value ).*(?= is wrong)", re.DOTALL), "..."),
    (re.compile(r"""(?<!\w)(['"]).*\1""", re.DOTALL), "..."),
    (re.compile(r"(?<=: ).*", re.DOTALL), "..."),
    (re.compile(r"\d+"), "N"),
)


def without_values(reason: str) -> str:
    """Take out of a reason what differs from reply to reply, so that reasons can be counted.

    Args:
        reason: Why a reply earned no more.

    Returns:
        The sentence with values and numbers replaced; the same for one without any.

    Example:
        >>> without_values("the predicted value [1, 2] is wrong")
        'the predicted value ... is wrong'
    """
    for pattern, kept in _VALUES:
        reason = pattern.sub(kept, reason)
    return reason
