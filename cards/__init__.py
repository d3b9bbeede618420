"""Describes, exports and publishes what was made.

:func:`card` writes a dataset's card from its files, :func:`publish` makes a version of it
on the Hub, :func:`verify` checks one, :func:`export` writes the forms of other trainers.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cards.datacard import card
    from cards.exports import export
    from cards.publishing import publish
    from cards.verifying import verify

__all__ = ["card", "export", "publish", "verify"]

_PLACES = {"card": "datacard", "export": "exports", "publish": "publishing", "verify": "verifying"}


def __getattr__(name: str) -> Any:
    # Drawing, datasets and the Hub's client are slow to import; who needs them waits.
    if name in _PLACES:
        return getattr(import_module(f"cards.{_PLACES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
