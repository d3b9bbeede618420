"""Makes curricula of programs whose every step is known, and is the command line.

:func:`build_curriculum` generates programs, runs them, asks about them and gives a
``datasets.DatasetDict``; :func:`problem_from` does the same for a program of your own, and
:func:`problems_of` for those that a model wrote; :func:`stream` never ends, and
:func:`dataset_of` takes some of it. Heavy things load on use.
"""

from typing import TYPE_CHECKING, Any

from tracing.errors import ExecVerifyError

if TYPE_CHECKING:
    from synth.build import build_folder, build_shards
    from synth.curriculum import build_curriculum
    from synth.own_programs import problems_of
    from synth.problems import problem_from
    from synth.spec import Spec
    from synth.streaming import dataset_of, stream

__all__ = [
    "ExecVerifyError",
    "Spec",
    "build_curriculum",
    "build_folder",
    "build_shards",
    "dataset_of",
    "problem_from",
    "problems_of",
    "stream",
]

_PLACES = {
    "Spec": "synth.spec",
    "build_curriculum": "synth.curriculum",
    "build_folder": "synth.build",
    "build_shards": "synth.build",
    "problem_from": "synth.problems",
    "problems_of": "synth.own_programs",
    "dataset_of": "synth.streaming",
    "stream": "synth.streaming",
}


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        from importlib import import_module

        return getattr(import_module(_PLACES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
