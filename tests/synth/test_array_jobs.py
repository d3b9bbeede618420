"""Several processes make shards of one build, as the tasks of an array job do."""

import json
import shutil

import pytest

from synth import assemble, shard_files, work
from synth.build import build_folder, build_shards
from synth.commands.build import numbers_of
from synth.shard_files import place_of
from synth.spec import Spec
from tests.synth.building import COMMAND, SPEC, digests, finish, start
from tracing.errors import ExecVerifyError, UsageError


@pytest.mark.slow
def test_tasks_that_share_a_folder_give_the_bytes_of_one_build(undisturbed, tmp_path):
    command = [*COMMAND, "--out", "made", "--workers", "1"]
    # Two tasks have a shard in common, as a task that is started anew would.
    tasks = [start([*command, "--shards", s], tmp_path) for s in ("0-1", "1")]
    assert [finish(task)[0] for task in tasks] == [0, 0]
    assert not (tmp_path / "made").exists()
    code, _, said = finish(start(command, tmp_path))
    assert code == 0, said
    assert digests(tmp_path / "made") == undisturbed
    assert [p.name for p in tmp_path.iterdir()] == ["made"]


@pytest.mark.slow
def test_a_damaged_shard_is_made_again(undisturbed, tmp_path, monkeypatch):
    out = tmp_path / "made"
    assert build_shards(SPEC, out, [0, 1], workers=2) == 2
    shards = [place_of(work.place_of(out), number) for number in (0, 1)]
    data = shards[0] / "problems.parquet"
    content = bytearray(data.read_bytes())
    content[len(content) // 2] ^= 1
    data.write_bytes(content)
    (shards[1] / "shard.json").write_text('{"report": ')
    assert build_shards(SPEC, out, [0], workers=1) == 1
    monkeypatch.setattr(assemble, "PASS_KEYS", 100)  # several passes, as a large build makes
    build_folder(SPEC, out, workers=1)
    assert digests(out) == undisturbed


def a_key(plain):
    plain["programs"][0][0][0] ^= 1


def some_rows(plain):
    plain["programs"][0][1] += 1


CHANGES = {  # of what a shard says of itself, each of them valid JSON
    "a digit of a key": a_key,
    "a count": lambda plain: plain["report"]["counts"].update(tried=171),
    "the number of rows": lambda plain: plain["report"].update(problems=251),
    "the rows of a program": some_rows,
    "a name in the report": lambda plain: plain["report"].update(prob1ems=25),
    "no report": lambda plain: plain.update(repord=plain.pop("report")),
    "no programs": lambda plain: plain.update(prograns=plain.pop("programs")),
    "no hashes": lambda plain: plain.update(sha256={}),
    "no own hash": lambda plain: plain.pop("own_sha256"),
}


@pytest.fixture(scope="module")
def a_shard(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shard")
    report = shard_files.write(Spec("easy", 1, 3), 0, folder)
    assert shard_files.report_of(folder, 0) == report
    return folder


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_shard_that_says_something_else_than_it_did_is_damaged(a_shard, tmp_path, change):
    folder = tmp_path / "shards"
    shutil.copytree(a_shard, folder)
    path = place_of(folder, 0) / "shard.json"
    plain = json.loads(path.read_text())
    change(plain)
    path.write_text(json.dumps(plain))
    assert shard_files.report_of(folder, 0) is None
    with pytest.raises(ExecVerifyError, match="shard 0 was damaged while the build ran"):
        shard_files.read_programs(folder, 0)


def test_shards_that_a_build_does_not_have_are_refused(tmp_path):
    with pytest.raises(UsageError, match="has the shards 0 to 1"):
        build_shards(SPEC, tmp_path / "made", range(1000))


def test_a_folder_of_another_build_takes_no_shards(tmp_path):
    with work.shared(SPEC, tmp_path / "made"):
        pass
    with pytest.raises(UsageError, match="shards of another build"):
        build_shards(Spec("easy", 51, 3), tmp_path / "made", [0])


def test_a_whole_build_waits_for_nobody(tmp_path):
    with (
        work.shared(SPEC, tmp_path / "made"),
        work.shared(SPEC, tmp_path / "made"),
        pytest.raises(UsageError, match="another process builds"),
    ):
        build_folder(SPEC, tmp_path / "made")


@pytest.mark.parametrize("text", ["", "a", "3-1", "-1", "0-", "1,,2", "0-99999999", "٣"])
def test_wrong_shards_are_a_sentence(text):
    with pytest.raises(UsageError, match="numbers and ranges like"):
        numbers_of(text)
