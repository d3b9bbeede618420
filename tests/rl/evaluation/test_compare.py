"""Two evaluations are compared on the items that both answered."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest
from known import model_of, rows, write
from rich.console import Console
from scripted import ScriptedServer

import rl
from rl.evaluation import compare, read_report
from rl.evaluation.table import comparison_table, notes, score_table
from tracing.errors import UsageError


def report_of(folder, knows, **options):
    with ScriptedServer(model_of(knows)) as server:
        return rl.evaluate(server.spec, "cruxeval", data=write(folder), **options)


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    return report_of(tmp_path_factory.mktemp("before"), lambda number, task: number < 8)


@pytest.fixture(scope="module")
def after(tmp_path_factory):
    return report_of(tmp_path_factory.mktemp("after"), lambda number, task: number >= 2)


def test_won_and_lost_items_are_paired(before, after):
    ours = {one.task: one for one in compare(before, after) if one.rule == "ours"}
    count = len(rows())
    for task in ("output", "input"):
        one = ours[task]
        assert (one.difference.gained, one.difference.lost) == (count - 8, 2)
        assert (one.first, one.second) == (8 / count, (count - 2) / count)
        assert one.difference.test == "McNemar, exact"
        assert one.difference.p < 0.01


def test_a_run_does_not_differ_from_itself(before):
    for one in compare(before, before):
        assert (one.difference.mean, one.difference.p) == (0.0, 1.0)


def test_only_common_items_count(before, after):
    fewer = replace(after, units=tuple(u for u in after.units if u.task == "output")[:10])
    found = compare(before, fewer)
    assert {(one.task, one.rule, one.units) for one in found} == {
        ("output", "ours", 10),
        ("output", "official", 10),
    }


def test_sampled_runs_are_compared_by_flipping_signs(tmp_path, before):
    def answer(prompt, count):
        right = model_of(lambda *_: True)(prompt, 1)
        wrong = model_of(lambda *_: False)(prompt, 1)
        return (right + wrong * 3)[:count]

    with ScriptedServer(answer) as server:
        sampled = rl.evaluate(server.spec, "cruxeval", data=write(tmp_path), samples=4, k=(1, 4))
    assert sampled.score("output", k=1).rate == 0.25
    assert sampled.score("output", k=4).rate == 1.0
    one = compare(before, sampled)[0]
    assert one.difference.test == "signs flipped by group"
    assert one.difference.mean == pytest.approx(0.25 - 8 / len(rows()))
    with pytest.raises(UsageError, match="pass@4 needs as many samples"):
        compare(before, sampled, k=4)


@pytest.mark.parametrize("change", [{"benchmark": "reval"}, {"data": "0"}])
def test_reports_of_other_data_are_not_compared(before, change):
    with pytest.raises(UsageError, match="nothing can be paired"):
        compare(before, replace(before, **change))


def test_reports_without_a_common_item_are_not_compared(before):
    with pytest.raises(UsageError, match="no item in common"):
        compare(before, replace(before, units=()))


def test_tables_fit_a_terminal_of_eighty_columns(before, after):
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(score_table(before))
    console.print(comparison_table(compare(before, after), "one model", "another model"))
    shown = console.export_text()
    assert "…" not in shown
    assert "33.3" in shown
    assert "McNemar, exact" in shown
    assert any("are wrong" in sentence for sentence in notes(before))


def unit(columns, **changed):
    columns["units"][0].update(changed)


DAMAGES = {
    "units are texts": lambda c: c.update(units="none"),
    "a mark is a text": lambda c: unit(c, ours=["right"]),
    "a mark is null": lambda c: unit(c, ours=[None]),
    "a mark is above 1": lambda c: unit(c, ours=[7]),
    "no marks": lambda c: unit(c, ours=[]),
    "a mark too many": lambda c: unit(c, official=[1.0, 1.0]),
    "an id is a list": lambda c: unit(c, id=[]),
    "samples are a text": lambda c: c.update(samples="1"),
    "the model is a number": lambda c: c.update(model=7),
    "a score is a number": lambda c: c.update(scores=[7]),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_report_is_not_compared_with(before, tmp_path, damage):
    path = tmp_path / "report.json"
    columns = json.loads(before.to_json())
    damage(columns)
    path.write_text(json.dumps(columns))
    with pytest.raises(UsageError, match=r"report\.json is no report"):
        read_report(path)


def test_a_report_that_is_nested_too_deep_is_refused(tmp_path):
    path = tmp_path / "report.json"
    path.write_text("[" * 100_000)
    with pytest.raises(UsageError, match=r"report\.json is no report"):
        read_report(path)
