"""Family, shape and provenance: what is false is found and named, what is right is not."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datasets import Dataset, DatasetDict

from cards.files import read_json, write_json
from cards.publishing import prepare
from cards.staging import stage
from cards.verifying import verify
from cards.versions import read_version
from curricula.problem import SCHEMA, to_row
from synth import folder, problem_from
from synth.generate import PARTS, programs


def shape(**fields):
    return lambda row: row["shape"].update(fields)


def provenance(**fields):
    return lambda row: row["provenance"].update(fields)


FALSE = {
    "family": (lambda row: row.update(family="0" * 16), "family is '0000000000000000', derived"),
    "type": (shape(type="array"), "which the build's catalogue has not"),
    "method": (shape(method="fold"), "shape is not what the source meets: calls of fold nest 0"),
    "deeper calls": (shape(nested_calls=9), "deep, not 9"),
    "more control": (shape(control=["while"] * 3), "no control structures nest as while > while"),
    "no control": (shape(control=["goto"]), "shape is none: there is no control structure goto"),
    "helpers": (shape(helpers=7), "helpers, not 7"),
    "extra methods": (shape(extra_methods=["fold"]), "meets: fold is never called"),
    "feature": (shape(features=["finally", "match"]), "meets: there is no "),
    "no feature": (shape(features=["goto"]), "shape is none: there is no feature goto"),
    "no shape": (
        shape(type="", method="", nested_calls=0, control=[], helpers=0, features=[]),
        "shape is of ., which the build's catalogue has not",
    ),
    "seed": (provenance(seed=8), "provenance.seed is 8, that of the build 7"),
    "version": (provenance(generator_version="9.9"), "provenance.generator_version is '9.9', that"),
    "Python": (provenance(python="2.7"), "provenance.python is '2.7', that of the build"),
    "idiom": (provenance(idioms=["a spell"]), "idioms has 'a spell', which the build did not know"),
}


@pytest.mark.parametrize("what", FALSE)
def test_what_a_row_says_falsely_of_its_program_is_named(what, copy):
    change, said = FALSE[what]
    path = next(copy.glob("data/problems/train-*"))
    rows = pq.read_table(path).to_pylist()
    row = next(row for row in rows if row["provenance"]["idioms"])
    change(row)
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), path)
    findings = [f.what for f in verify(copy, rows=1000).findings if f.place == row["id"]]
    assert any(said in text for text in findings), findings


def published(data, place):
    stage(data, place)
    prepare(place, "me/demo", read_version("1.0.0"))
    return place


def test_nothing_is_found_in_problems_of_ones_own_programs(tmp_path, built):
    own = [
        to_row(problem_from("def f(x):\n    return [x] * 2\n", f"f({n})", seed=n)) for n in range(3)
    ]
    rows = [*own, *folder.load(built)["train"].to_list()[:5]]
    data = DatasetDict({"train": Dataset(pa.Table.from_pylist(rows, schema=SCHEMA))})
    done = verify(published(data, tmp_path / "version"), rows=100)
    assert done.is_right, done.findings
    assert done.rows == 8


def test_nothing_is_found_where_an_older_build_did_not_say_what_it_knew(built, copy):
    report = read_json(copy / "report.json")
    write_json(
        copy / "report.json",
        {name: report[name] for name in report if name not in ("catalogue", "idioms")},
    )
    found = {f.place for f in verify(copy, rows=20).findings}
    assert found == {"report.json"}  # its hash alone


def test_every_part_of_a_program_has_a_name_that_is_listed():
    stream = programs(5, 0, tier="all", stdlib=True)
    used = {name for _ in range(300) for name in next(stream).idioms}
    assert used <= set(PARTS)
    assert len(used) > len(PARTS) / 2
