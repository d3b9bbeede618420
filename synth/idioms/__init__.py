"""Ways people write loops: one file each, found by importing them here."""

from importlib import import_module
from pkgutil import iter_modules

from synth.idioms.base import IDIOMS, Idiom, Written, idiom

__all__ = ["IDIOMS", "Idiom", "Written", "idiom"]

# Sorted, so that the registry's order is the same on every file system.
for _module in sorted(module.name for module in iter_modules(__path__)):
    import_module(f"{__name__}.{_module}")
