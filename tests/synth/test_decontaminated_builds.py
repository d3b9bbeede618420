"""A build holds no program of the benchmarks that it was told of, and says so."""

import json
from dataclasses import replace

import pytest

from synth import decontaminate, report, shards, work
from synth.build import build_folder
from synth.spec import Spec, from_json, to_json
from tracing.errors import ExecVerifyError

PLAIN = Spec(tier="easy", size=25, seed=4)


def against(*files):
    places = tuple(map(str, files))
    return replace(PLAIN, benchmarks=places, benchmarks_sha256=decontaminate.digest_of(places))


@pytest.fixture(scope="module")
def benchmark_(tmp_path_factory):
    """Make a benchmark of three programs that a plain build holds."""
    problems = shards.make(PLAIN, 0).problems
    sources = list(dict.fromkeys(problem.source for problem in problems))[:3]
    file = tmp_path_factory.mktemp("benchmark") / "held.jsonl"
    file.write_text("".join(json.dumps({"code": source}) + "\n" for source in sources))
    return file, sources


def test_programs_of_a_benchmark_are_refused_and_counted(benchmark_):
    file, sources = benchmark_
    made = shards.make(against(file), 0)
    assert not {problem.source for problem in made.problems} & set(sources)
    assert made.counts[f"{shards.CONTAMINATED}held.jsonl"] >= 3


@pytest.mark.slow
def test_the_report_names_the_benchmark_and_its_counts(benchmark_, tmp_path):
    file, _ = benchmark_
    made = build_folder(against(file), tmp_path / "clean", workers=1)
    ((name, programs, refused),) = made.decontamination
    assert (name, programs) == ("held.jsonl", 3)
    assert refused >= 3
    assert report.read(tmp_path / "clean").decontamination == made.decontamination


def test_what_a_build_is_depends_on_what_a_benchmark_holds_and_not_on_where_it_is(
    benchmark_, tmp_path
):
    file, _ = benchmark_
    moved = tmp_path / file.name
    moved.write_bytes(file.read_bytes())
    assert work.identity(against(file)) == work.identity(against(moved))
    assert work.identity(against(file)) != work.identity(PLAIN)
    other = tmp_path / "other" / file.name
    other.parent.mkdir()
    other.write_text(file.read_text().splitlines(keepends=True)[0])
    assert work.identity(against(file)) != work.identity(against(other))
    assert from_json(to_json(against(file))) == against(file)


def test_a_benchmark_that_changes_while_a_build_runs_is_noticed(benchmark_, tmp_path):
    file, _ = benchmark_
    moved = tmp_path / file.name
    moved.write_bytes(file.read_bytes())
    spec = against(moved)
    decontaminate._loaded.cache_clear()
    moved.write_text(file.read_text().splitlines(keepends=True)[0])
    with pytest.raises(ExecVerifyError, match="is not what it held when the build began"):
        shards.make(spec, 0)


def test_a_benchmark_without_a_program_is_refused(tmp_path):
    empty = tmp_path / "empty.jsonl"
    empty.write_text('{"text": "no program"}\n')
    with pytest.raises(ExecVerifyError):
        against(empty)
