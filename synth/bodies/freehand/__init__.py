"""Bodies that are written freehand: a few lines, each on what stands before it."""

from synth.bodies.freehand.body import freehand_body, said_of

__all__ = ["freehand_body", "said_of"]
