"""Shapes: constraints on a program, and the proof from its text alone that it meets them."""

from curricula.shapes.features import FEATURES, features_of
from curricula.shapes.shape import CONTROL, Shape, nesting_of

__all__ = ["CONTROL", "FEATURES", "Shape", "features_of", "nesting_of"]
