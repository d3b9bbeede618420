import copy
import itertools

import pytest

from curricula.shapes.facts import read_facts
from synth.catalogue import CATALOGUE, EXCLUDED, OPERATORS, STDLIB
from synth.generate import programs
from synth.templates import expression, statement
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
    for entry in set(CATALOGUE) - set(OPERATORS):
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


SAMPLES = {
    "int": 12,
    "str": "bcab ab",
    "float": 2.5,
    "bool": True,
    "bytes": b"abcab",
    "range": range(2, 9),
    "list[int]": [3, 1, 5, 4],
    "list[str]": ["pear", "fig", "kiwi"],
    "tuple[int, int, int]": (3, 1, 2),
    "dict[str, int]": {"a": 1, "b": 7},
    "set[int]": {1, 2, 5},
    "frozenset[int]": frozenset({1, 2}),
}
HOLES = {
    "char": {"str": "a", "bytes": b"a"},
    "affix": {"str": "s", "bytes": b"s"},
    "newchar": {"str": "*"},
    "sep": {"str": ","},
    "item": {"list[str]": "b"},
    "key": {"dict[str, int]": "k"},
    "SELF": {"set[int]": {2, 9}, "frozenset[int]": frozenset({2, 9})},
}


def told(receiver):
    """Give concrete types for the letters of a receiver."""
    return receiver.replace("[T", "[int").replace("K, V", "str, int")


def ways(entries):
    return [pytest.param(e, way, id=f"{e.receiver}: {way}") for e in entries for way in e.code]


def done(entry, way):
    """Run one way of an entry on a sample; gives the code, the result and the receiver after."""
    receiver = told(entry.receiver)
    template = (statement if entry.mutates else expression)(way)
    code, names = way, {}
    for hole in template.holes:
        sample = copy.copy(SAMPLES[receiver])
        names[hole] = sample if hole == "it" else HOLES.get(hole, {}).get(receiver, 2)
        code = code.replace(f"<{hole}>", hole)
    exec(entry.needs, names)
    made = exec(code, names) if entry.mutates else eval(code, names)
    return code, made, names["it"]


@pytest.mark.parametrize(("entry", "way"), ways([*STDLIB, *OPERATORS]))
def test_an_entry_that_is_written_as_code_gives_what_it_says(entry, way):
    _, made, _ = done(entry, way)
    result = entry.result_type(Type.parse(told(entry.receiver)))
    if entry.mutates:
        return
    assert type(made).__name__ == result.name
    inner = made.items() if isinstance(made, dict) else made if isinstance(made, list) else ()
    for item in inner:
        wanted = result.args if result.name == "dict" else result.args[0]
        if result.name == "dict":
            assert [type(part).__name__ for part in item] == [one.name for one in wanted]
        else:
            assert type(item).__name__ == wanted.name
    if isinstance(made, tuple):
        assert [type(part).__name__ for part in made] == [one.name for one in result.args]


@pytest.mark.parametrize(("entry", "way"), ways(OPERATORS))
def test_an_operation_is_what_its_name_says(entry, way):
    code, _, after = done(entry, way)
    assert read_facts(code + "\n").call_depth(entry.method) >= 1
    if entry.mutates:
        assert after != SAMPLES[told(entry.receiver)]


IN_PLACE = {"iadd": "+=", "imul": "*=", "iand": "&=", "ior": "|=", "isub": "-=", "ixor": "^="}
DUNDERS = {
    **{"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%"},
    **{"pow": "**", "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>"},
    **{"invert": "~", "neg": "unary -", "pos": "unary +", "contains": "in", "getitem": "[]"},
    **{"setitem": "[]=", "delitem": "del []", "eq": "==", "lt": "<", "le": "<=", **IN_PLACE},
}


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.__name__)
def test_every_operator_of_a_type_is_in_the_catalogue_or_excluded_with_a_reason(kind):
    known = {entry.method for entry in OPERATORS if entry.type == kind.__name__}
    for dunder, name in DUNDERS.items():
        # What bool has of int is used on ints.
        owners = (bool,) if kind is bool else kind.__mro__[:-1]
        if name in known or not any(f"__{dunder}__" in vars(owner) for owner in owners):
            continue
        assert EXCLUDED.get(f"{kind.__name__} {name}"), f"{kind.__name__} {name}"


def test_nothing_is_imported_unless_it_is_asked_for():
    plain, both = programs(0, 0, tier="all"), programs(0, 0, tier="all", stdlib=True)
    assert not any("import" in next(plain).source for _ in range(300))
    found = [next(both) for _ in range(300)]
    assert any(program.source.startswith("import math\n\ndef ") for program in found)
    assert any(program.source.startswith("from collections import") for program in found)


def test_loops_fill_a_defaultdict_and_turn_a_deque_where_imports_are_allowed():
    found = [p.source for p in itertools.islice(programs(3, 0, tier="all", stdlib=True), 300)]
    for name in ("defaultdict(int)", "defaultdict(list)", ".popleft()"):
        assert any(name in source for source in found), name
    for source in found:
        # What is imported is used, and names of one module share a line.
        lines = [line for line in source.splitlines() if "import " in line]
        assert len({line.split()[1] for line in lines}) == len(lines)
        for line in lines:
            for name in line.partition("import ")[2].split(", "):
                assert source.count(name) > 1, source
