import pytest

from synth.catalogue import CATALOGUE, EXCLUDED
from synth.types import Type

TYPES = [str, bytes, list, tuple, dict, set, frozenset, int, float, bool, range]


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.__name__)
def test_every_public_method_is_in_the_catalogue_or_excluded_with_a_reason(kind):
    known = {entry.method for entry in CATALOGUE if entry.type == kind.__name__}
    inherited = "int" if kind is bool else kind.__name__
    for method in dir(kind):
        if method.startswith("_") or method in known:
            continue
        if kind is bool and method in {e.method for e in CATALOGUE if e.type == "int"}:
            continue  # what bool inherits is called on ints
        assert EXCLUDED.get(f"{inherited}.{method}"), f"{kind.__name__}.{method}"


def test_the_catalogue_names_no_method_that_does_not_exist():
    for entry in CATALOGUE:
        if entry.type == "builtins":
            assert callable(__builtins__[entry.method]), entry
        else:
            assert hasattr(__builtins__[entry.type], entry.method), entry


def test_results_are_types():
    for entry in CATALOGUE:
        receiver = Type.parse(
            entry.receiver.replace("[T", "[int").replace(", T", ", int").replace("K, V", "str, int")
        )
        assert entry.mutates == (entry.result_type(receiver) is None), entry
