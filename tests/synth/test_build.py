"""Builds real curricula, small ones."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import synth
from synth import folder
from synth.build import build_folder
from synth.check import Finding, check_folder
from synth.shard_files import CONFIGS
from synth.spec import Spec, SpecError, from_json, to_json
from tracing.errors import UsageError

SPEC = Spec("hard", 30, 5)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    out = tmp_path_factory.mktemp("build") / "curriculum"
    build_folder(SPEC, out, workers=2)
    return out


def digests(place):
    return {str(p.relative_to(place)): folder.sha256_of(p) for p in sorted(place.rglob("*.*"))}


def test_a_folder_holds_the_rows_that_were_asked_for(built):
    made = folder.load(built)
    assert sum(map(len, made.values())) == 30
    assert {row["tier"] for split in made.values() for row in split} == {"hard"}


@pytest.mark.slow
def test_the_bytes_do_not_depend_on_workers_or_hash_seed(built, tmp_path):
    code = (
        "from pathlib import Path; from synth import Spec, build_folder;"
        "build_folder(Spec('hard', 30, 5), Path('again'), workers=1)"
    )
    env = {**os.environ, "PYTHONHASHSEED": "4", "PYTHONPATH": str(Path(synth.__file__).parents[1])}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, check=True)
    assert digests(tmp_path / "again") == digests(built)


def test_no_family_crosses_splits(built):
    families = [{row["family"] for row in split} for split in folder.load(built).values()]
    assert not families[0] & families[1]
    assert not families[0] & families[2]


def test_a_right_folder_has_no_findings(built):
    assert [f for f in check_folder(built) if isinstance(f, Finding)] == []


def test_one_flipped_value_is_found_and_its_row_named(built, tmp_path):
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(built, copy)
    path = next((copy / "data" / "problems").glob("train-*"))
    table = pq.ParquetFile(path).read()
    rows = table.to_pylist()
    question = next(q for q in rows[0]["questions"] if q["kind"] == "count")
    question["answers"][0]["literal"] = str(int(question["answers"][0]["literal"]) + 1)
    pq.write_table(type(table).from_pylist(rows, schema=table.schema), path)
    found = [f for f in check_folder(copy) if isinstance(f, Finding)]
    assert rows[0]["id"] in {f.place for f in found}
    assert str(path.relative_to(copy)) in {f.place for f in found}


def test_building_again_into_the_same_folder_is_done_at_once(built):
    assert build_folder(SPEC, built).problems == 30


def test_another_build_does_not_overwrite_a_folder(built):
    with pytest.raises(UsageError, match="another build"):
        build_folder(Spec("hard", 31, 5), built)


@pytest.mark.slow
def test_a_killed_build_goes_on_and_gives_the_same_bytes(built, tmp_path):
    code = (
        "from pathlib import Path; from synth import Spec, build_folder;"
        "build_folder(Spec('hard', 30, 5), Path('again'), workers=2)"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(synth.__file__).parents[1])}
    for wait in (1.5, 3.0):
        process = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, env=env)
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, check=True)
    assert digests(tmp_path / "again") == digests(built)
    assert not [p for p in tmp_path.iterdir() if p.name != "again"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"tier": "hardest"},
        {"size": 0},
        {"size": "ten"},
        {"seed": 1.5},
        {"like": "nothing"},
        {"kinds": ("wrong",)},
        {"questions": -1},
    ],
    ids=str,
)
def test_a_wrong_argument_is_a_sentence(wrong):
    with pytest.raises(SpecError, match=r"\w+ \w+"):
        Spec(**{"tier": "hard", "size": 10, "seed": 0, **wrong})


def test_a_spec_survives_json():
    spec = Spec("all", 7, -3, like="cruxeval", kinds=("state", "path"), questions=4)
    assert from_json(to_json(spec)) == spec


def test_a_users_program_becomes_a_problem():
    source = "def rank(ages, reverse=False):\n    order = sorted(ages, reverse=reverse)\n    return order"
    problem = synth.problem_from(source, "rank({'a': 3, 'b': 3}, reverse=True)")
    assert problem.output is not None
    assert problem.output.literal == "['b', 'a']"
    state = next(
        q for q in problem.questions if q.variable == "order" or q.kind == "next_statement"
    )
    assert state.answers


def test_a_program_without_ground_truth_is_refused_with_the_reason():
    with pytest.raises(synth.ExecVerifyError, match="changes with the hash seed"):
        synth.problem_from("def f():\n    return hash('a')\n", "f()")


def test_half_a_surrogate_pair_in_a_call_is_a_sentence():
    source = "def f(s):\n    t = s + 'x'\n    return len(t)\n"
    with pytest.raises(synth.ExecVerifyError, match="half of a surrogate pair"):
        synth.problem_from(source, "f('\ud800')")
    assert synth.problem_from(source, "f('\\ud800')").output.literal == "2"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """Build so few problems that a split is empty."""
    out = tmp_path_factory.mktemp("tiny") / "made"
    build_folder(Spec("easy", 3, 3), out, workers=1)
    return out


def test_the_file_of_an_empty_split_has_all_columns(tiny):
    rows = {n: facts["rows"] for n, facts in folder.manifest_of(tiny)["files"].items()}
    empty = [name for name, count in rows.items() if count == 0]
    assert empty
    for name in empty:
        schema = CONFIGS[name.split("/")[1]]
        assert pq.ParquetFile(tiny / name).schema_arrow.equals(schema)
    for config, schema in CONFIGS.items():
        made = folder.load(tiny, config)
        assert list(made) == ["train", "validation", "test"]
        assert all(split.column_names == schema.names for split in made.values())


def test_splits_with_rows_are_loaded_as_the_docs_say(tiny, tmp_path):
    import datasets

    train = datasets.load_dataset(
        "parquet",
        data_files=f"{tiny}/data/problems/train-*",
        split="train",
        cache_dir=str(tmp_path),
    )
    assert train.to_list() == folder.load(tiny)["train"].to_list()


def test_importing_synth_loads_nothing_heavy():
    code = (
        "import sys, time; t = time.process_time(); import synth; t = time.process_time() - t;"
        "heavy = {'torch', 'datasets', 'libcst', 'polars', 'hypothesis'} & set(sys.modules);"
        "print(json.dumps([t, sorted(heavy)]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", "import json; " + code], capture_output=True, text=True, check=True
    )
    seconds, heavy = json.loads(done.stdout)
    assert seconds < 1
    assert heavy == []


@pytest.mark.slow
def test_an_interrupted_build_says_so_in_a_sentence(tmp_path):
    command = [sys.executable, "-m", "synth", "build", "--size", "400", "--out", "made"]
    env = {**os.environ, "PYTHONPATH": str(Path(synth.__file__).parents[1])}
    process = subprocess.Popen(command, cwd=tmp_path, env=env, stderr=subprocess.PIPE, text=True)
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "synth: interrupted" in said
    assert "Traceback" not in said
    assert not (tmp_path / "made").exists()
