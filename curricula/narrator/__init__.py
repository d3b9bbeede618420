"""Reasoning in words about a run: from a call to its outcome, and from an outcome to a call.

:func:`narrate` writes what a careful person might, without a model: every value that it
states stands in the trace. :mod:`curricula.narrator.by_model` lets a model reason, and
keeps what agrees with the trace.
"""

from curricula.narrator.narration import STYLES, VERSION, Narration, narrate

__all__ = ["STYLES", "VERSION", "Narration", "narrate"]
