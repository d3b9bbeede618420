"""Several processes make shards of one build, as the tasks of an array job do."""

import pytest

from synth import assemble, work
from synth.build import build_folder, build_shards
from synth.commands.build import numbers_of
from synth.shard_files import place_of
from synth.spec import Spec
from tests.synth.building import COMMAND, SPEC, digests, finish, start
from tracing.errors import UsageError


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
