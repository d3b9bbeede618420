"""Bodies that are written freehand: a few lines, each on what stands before it."""

from synth.bodies.freehand.body import FREEHAND, freehand_body, said_of

__all__ = ["FREEHAND", "freehand_body", "said_of"]
