"""Freehand programs: each value they write down is read, and their phrases are true to type."""

import ast
import itertools

import pytest

from synth.bodies.freehand.phrases import changes, phrases
from synth.generate import programs

SAMPLES = {
    "int": 3,
    "str": "b-a, c",
    "bool": True,
    "list[int]": [3, 1, 2, 4],
    "list[str]": ["pear", "fig", "kiwi"],
    "dict[str,int]": {"a": 1, "b": 2},
    "set[int]": {1, 2},
    "set[str]": {"a", "b"},
    "sized": "sized",
    "num": 4,
    "char": "a",
    "word": "end",
    "chars": "ae",
    "sep": ",",
    "fill": "*",
    "base": 3,
    "factor": 3,
    "width": 9,
    "end": 1,
}
OTHERS = {"int": 7, "str": "aAbce", "list[int]": [9, 8], "list[str]": ["Owl", "b", "be"]}
TYPES = {"int": int, "str": str, "bool": bool, "list": list, "dict": dict, "set": set}


def code_and_values(template):
    """Write a template with a name for each hole, and give a value for each name."""
    text, values = template.text, {}
    for place, hole in enumerate(template.holes):
        name = "item" if hole == "new" else f"hole_{place}"
        if hole != "new":
            value = SAMPLES[hole.lstrip("!@")]
            if hole == "char":
                value = "abc"[place]
            values[name] = value.copy() if isinstance(value, (list, dict, set)) else value
        once = not (hole == "new" or hole[0] in "!@")
        text = text.replace(f"<{hole}>", name, 1 if once else -1)
    return text, values


@pytest.mark.parametrize("kind", ["str", "int", "bool", "list[str]", "list[int]", "dict[str,int]"])
def test_a_phrase_gives_the_type_that_it_stands_under(kind):
    for phrase in phrases(kind):
        text, values = code_and_values(phrase.template)
        made = eval(text, values)
        assert type(made) is TYPES[kind.partition("[")[0]], text
        for inner in made if isinstance(made, list) else made.values() if kind[0] == "d" else ():
            assert type(inner) is (str if kind == "list[str]" else int), text


@pytest.mark.parametrize(
    "kind", ["str", "int", "list[str]", "list[int]", "dict[str,int]", "set[int]", "set[str]"]
)
def test_a_change_keeps_the_type_and_changes_the_value(kind):
    for phrase in changes(kind):
        text, values = code_and_values(phrase.template)
        (changed,) = [
            f"hole_{n}" for n, hole in enumerate(phrase.template.holes) if hole.startswith("!")
        ]
        before = SAMPLES[kind]
        for other in (before, OTHERS.get(kind, before)):
            values[changed] = other.copy() if isinstance(other, (list, dict, set)) else other
            exec(text, values)
            assert type(values[changed]) is type(before), text
            if values[changed] != other:
                break
        else:
            # Some change only what is not there already.
            assert any(w in text for w in ("discard", "setdefault", "pop", "add", "sort(key")), text


@pytest.fixture(scope="module")
def made():
    found = itertools.islice(programs(0, 0, tier="all"), 600)
    freehand = [p for p in found if "freehand" in p.idioms]
    assert len(freehand) > 150
    return freehand


def test_every_value_that_is_written_down_is_read(made):
    for program in made:
        tree = ast.parse(program.source)
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        loaded = {node.id for node in names if isinstance(node.ctx, ast.Load)}
        loops = {
            node.id
            for loop in ast.walk(tree)
            if isinstance(loop, (ast.For, ast.comprehension))
            for node in ast.walk(loop.target)
            if isinstance(node, ast.Name)
        }
        stored = {node.id for node in names if isinstance(node.ctx, ast.Store)} - loops
        parameters = {parameter.name for parameter in program.parameters}
        changed = {
            node.target.id
            for node in ast.walk(tree)
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
        }
        assert stored | parameters <= loaded | changed, program.source


def test_a_freehand_program_meets_its_shape(made):
    assert all(program.shape.check(program.source) == [] for program in made)


def test_freehand_programs_differ(made):
    assert len({program.source for program in made}) == len(made)


def test_nothing_grows_by_itself():
    """``text += text + ch`` fills the memory within a line's worth of turns; nobody writes it."""
    made = itertools.islice(programs(5, 0, tier="all", like="cruxeval"), 400)
    for program in made:
        for node in ast.walk(ast.parse(program.source)):
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                read = {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
                assert node.target.id not in read, ast.unparse(node)
