import ast
import random
import subprocess
import sys
from collections import Counter
from itertools import islice

import pytest

from curricula.shapes import nesting_of
from synth import cst as c
from synth.context import Context
from synth.generate import programs
from synth.idioms import IDIOMS
from synth.program import Domain
from synth.types import Type


@pytest.mark.parametrize("tier", ["easy", "medium", "hard", "all"])
def test_every_program_meets_its_shape(tier):
    for program in islice(programs(7, 0, tier=tier), 150):
        assert program.shape.check(program.source) == []


def test_a_program_does_not_depend_on_where_the_stream_begins():
    whole = list(islice(programs(3, 0), 30))
    later = list(islice(programs(3, 10), 10))
    assert set(later) <= set(whole + list(islice(programs(3, 0), 45)))


def test_programs_are_the_same_under_any_hash_seed():
    code = (
        "from itertools import islice; from synth.generate import programs; import hashlib;"
        "print(hashlib.sha256('\\n'.join(p.source for p in islice(programs(1, 0), 60)).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "99")
    }
    assert len(digests) == 1


def test_another_seed_gives_other_programs():
    one = {p.source for p in islice(programs(1, 0), 100)}
    other = {p.source for p in islice(programs(2, 0), 100)}
    assert len(one & other) < 5


def test_a_thousand_programs_cover_the_catalogue_widely():
    cells = Counter((p.shape.type, p.shape.method) for p in islice(programs(0, 0), 1000))
    assert len(cells) >= 120
    assert max(cells.values()) <= 40


def test_every_parameter_is_read():
    for program in islice(programs(5, 0), 200):
        names = {n.id for n in ast.walk(ast.parse(program.source)) if isinstance(n, ast.Name)}
        assert {p.name for p in program.parameters} <= names


@pytest.mark.parametrize("name", sorted(IDIOMS))
def test_an_idiom_has_the_control_structures_that_it_says(name):
    idiom = IDIOMS[name]
    for kind in idiom.takes:
        for seed in range(4):
            ctx = Context(random.Random(seed))
            over = ctx.parameter(Type.parse(kind), Domain(), "data")
            written = idiom.write(over, ctx)
            body = [*written.statements, c.return_(written.result)]
            source = c.module([*ctx.helpers, c.def_("f", ["data"], body)])
            assert nesting_of(source) == idiom.control


def test_the_worked_example_of_an_idiom_in_docs_works():
    from pathlib import Path

    text = (Path(__file__).resolve().parents[2] / "docs" / "generator.md").read_text()
    example = text.split("## Add an idiom")[1].split("```python")[1].split("```")[0]
    try:
        exec(example, {})
        added = IDIOMS["longest rise"]
        ctx = Context(random.Random(0))
        written = added.write(ctx.parameter(Type.parse("list[int]"), Domain(), "data"), ctx)
        body = [*written.statements, c.return_(written.result)]
        source = c.module([c.def_("f", ["data"], body)])
        assert nesting_of(source) == added.control
        names: dict = {}
        exec(source, names)
        assert names["f"]([1, 2, 3, 1, 2]) == 2
    finally:
        IDIOMS.pop("longest rise", None)
