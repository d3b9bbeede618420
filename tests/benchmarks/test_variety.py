"""The measure of variety counts what is there."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import variety

from synth.catalogue import CATALOGUE


@pytest.fixture(scope="module")
def found():
    return variety.varied(300, "all", 0, None)


def test_as_many_programs_are_counted_as_were_asked_for(found):
    counts, _ = found
    assert counts["programs"] == 300 <= counts["tried"]
    assert counts["structures after renaming"] <= 300
    assert counts["too alike an earlier one"] == (counts["tried"] - 300) / counts["tried"]


def test_every_empty_cell_is_explained(found):
    counts, empty = found
    drawn = [line for line in empty if line.endswith("none was drawn")]
    assert counts["cells"] - counts["cells filled"] == len(drawn)
    assert counts["entries"] == len({(entry.type, entry.method) for entry in CATALOGUE})


def test_a_generator_of_one_program_is_found_out(found, monkeypatch):
    (first,) = zip(range(1), variety.programs(0, 0, tier="all"), strict=False)
    again = [first[1]] * 500
    others = variety.programs(0, 1000, tier="all")
    monkeypatch.setattr(variety, "programs", lambda *_, **__: iter([*again, next(others)]))
    counts, _ = variety.varied(2, "all", 0, None)
    assert counts["too alike an earlier one"] > 0.99


def test_the_command_writes_json(capsys):
    assert variety.main(["--count", "20", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["programs"] == 20
