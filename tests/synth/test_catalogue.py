import pytest

from synth.catalogue import CATALOGUE, EXCLUDED, STDLIB
from synth.generate import programs
from synth.templates import expression
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


SAMPLES = {"int": 12, "str": "bcab ab", "list[int]": [3, 1, 3], "float": 2.5}


@pytest.mark.parametrize("entry", STDLIB, ids=lambda entry: f"{entry.method} {entry.receiver}")
def test_an_entry_of_the_standard_library_gives_what_it_says(entry):
    receiver = entry.receiver.replace("[T]", "[int]")
    template = expression(entry.code)
    text, names = entry.code, {}
    for hole in template.holes:
        names[hole] = SAMPLES[receiver] if hole == "it" else 2
        text = text.replace(f"<{hole}>", hole)
    exec(entry.needs, names)
    made = eval(text, names)
    result = entry.result_type(Type.parse(receiver))
    assert type(made).__name__ == result.name
    inner = made.items() if isinstance(made, dict) else made if isinstance(made, list) else ()
    for item in inner:
        wanted = result.args if result.name == "dict" else result.args[0]
        if result.name == "dict":
            assert [type(part).__name__ for part in item] == [one.name for one in wanted]
        else:
            assert type(item).__name__ == wanted.name


def test_nothing_is_imported_unless_it_is_asked_for():
    plain, both = programs(0, 0, tier="all"), programs(0, 0, tier="all", stdlib=True)
    assert not any("import" in next(plain).source for _ in range(300))
    found = [next(both) for _ in range(300)]
    assert any(program.source.startswith("import math\n\ndef ") for program in found)
    assert any(program.source.startswith("from collections import") for program in found)
