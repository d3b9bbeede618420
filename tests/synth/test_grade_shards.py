"""Several processes ask about shards of one folder, as the tasks of an array job do."""

import json
import shutil
import signal
import time

import pyarrow.parquet as pq
import pytest

from curricula.difficulty.engines import Sampling
from curricula.difficulty.grade import grade
from curricula.difficulty.plan import Plan
from curricula.difficulty.progress import Progress
from synth import asking_progress, folder, grading, regrade, replacing
from synth.build import build_folder
from synth.check import check_files
from synth.regrade import grade_folder, grade_shards
from synth.spec import Spec
from tests.curricula.difficulty.scripted import Faults, ScriptedServer
from tests.synth.building import digests, finish, start
from tests.synth.grading_server import answer_of
from tracing.errors import ExecVerifyError, UsageError

COUNT = 40
"""Problems; with three splits they are three shards."""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    out = tmp_path_factory.mktemp("shards") / "easy"
    build_folder(Spec("easy", COUNT, 3), out, workers=2)
    return out


@pytest.fixture(scope="module")
def server(built):
    with ScriptedServer(answer_of(built)) as server:
        yield server


@pytest.fixture(scope="module")
def whole(built, server):
    """Grade a copy at once, with its replies; give the digests of its files."""
    out = built.with_name("whole")
    shutil.copytree(built, out)
    made = grade_folder(out, server.spec, keep_replies=True)
    assert (made.problems, made.tiers.total(), made.unanswered.total()) == (COUNT, COUNT, 0)
    assert list(check_files(out, folder.manifest_of(out)["files"])) == []
    return digests(out)


@pytest.fixture
def copy(built, tmp_path):
    shutil.copytree(built, tmp_path / "made")
    return tmp_path / "made"


def samples_in(place):
    tables = [pq.read_table(path) for path in sorted(place.glob("data/replies/*"))]
    return [(row["id"], row["sample"]) for table in tables for row in table.to_pylist()]


@pytest.mark.slow
def test_killed_tasks_and_a_last_call_give_the_bytes_of_one_grading(
    built, server, whole, copy, tmp_path
):
    call = ["grade", copy, "--engine", server.spec, "--option", "concurrency=2", "--json"]
    server.faults = Faults(delay=0.3)
    tasks = {shards: start([*call, "--shards", shards], tmp_path) for shards in ("0", "1-2")}
    journal = tmp_path / ".made.replies" / "shard-000000.jsonl"
    while not journal.exists() or len(journal.read_bytes().splitlines()) < 6:
        assert tasks["0"].poll() is None, finish(tasks["0"])
        time.sleep(0.01)
    tasks["0"].send_signal(signal.SIGKILL)
    assert finish(tasks["0"])[0] == -signal.SIGKILL
    server.faults = Faults()
    code, printed, said = finish(tasks["1-2"])
    assert (code, set(json.loads(printed))) == (0, {"problems"}), said
    assert "synth grade without --shards writes the folder" in said
    assert digests(copy) == digests(built)
    before = server.requests
    code, printed, said = finish(start([*call, "--keep-replies"], tmp_path))
    assert code == 0, said
    assert 0 < server.requests - before < COUNT - 5
    assert digests(copy) == whole
    assert len(samples_in(copy)) == len(set(samples_in(copy))) == 10 * COUNT
    assert [path.name for path in tmp_path.iterdir()] == ["made"]


def test_many_shards_a_few_at_a_time_give_the_same_bytes(server, whole, copy, monkeypatch):
    monkeypatch.setattr(grading, "SHARD_ROWS", 7)
    monkeypatch.setattr(regrade, "TOGETHER", 2)
    count = len(grading.shards_of(copy))
    assert count > 6
    told: list[Progress] = []
    made = grade_shards(copy, [count + 9, count - 1, 1], server.spec, progress=told.append)
    assert made.unanswered == {}
    before = server.requests
    grade_folder(copy, server.spec, keep_replies=True, progress=told.append)
    assert server.requests - before == told[-1].replies / 10 < COUNT - 7
    assert (told[-1].done, told[-1].problems, told[-1].left) == (COUNT, COUNT, 0.0)
    assert digests(copy) == whole


def test_rows_are_those_of_their_place_whatever_the_row_groups(copy, monkeypatch):
    monkeypatch.setattr(grading, "SHARD_ROWS", 4)
    path = next(copy.glob("data/problems/train-*"))
    ids = pq.read_table(path)["id"].to_pylist()
    pq.write_table(pq.read_table(path), path, row_group_size=3)
    shards = [shard for shard in grading.shards_of(copy) if shard.split == "train"]
    assert [problem.id for shard in shards for problem in shard.problems()] == ids
    assert {shard.rows for shard in shards[:-1]} == {4}


def test_a_grading_that_ended_before_its_journals_went_is_written_again_the_same(
    server, whole, copy, monkeypatch
):
    with monkeypatch.context() as patched:
        patched.setattr(grading, "forget", lambda _: None)
        grade_folder(copy, server.spec, keep_replies=True)
    before = server.requests
    grade_folder(copy, server.spec, keep_replies=True)
    assert (digests(copy), server.requests) == (whole, before)
    assert not grading.journals_of(copy).exists()


class Killed(BaseException):
    """The process ends; nothing that it would clear up is cleared up."""


@pytest.mark.parametrize(
    "moment", ["before the copy takes its place", "while journals go", "before they go"]
)
def test_a_grading_that_was_killed_at_its_end_asks_nothing_again(
    moment, server, whole, copy, monkeypatch
):
    def kill(*_):
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(replacing, "clear", lambda _: None)
        if moment == "before the copy takes its place":
            patched.setattr(replacing, "put", lambda _, out: out.rename(replacing._aside(out)))
            patched.setattr(grading, "forget", kill)
        elif moment == "while journals go":
            patched.setattr(grading, "_clear", lambda place: kill() if place.exists() else None)
        else:
            patched.setattr(grading, "forget", kill)
        with pytest.raises(Killed):
            grade_folder(copy, server.spec, keep_replies=True)
    before = server.requests
    if moment != "while journals go":
        grade_folder(copy, server.spec, keep_replies=True)
    assert digests(copy) == whole
    assert server.requests == before
    assert not grading.journals_of(copy).exists()


def test_more_samples_can_be_asked_for_while_the_replies_are_kept(server, copy):
    numbers = range(len(grading.shards_of(copy)))
    grade_shards(copy, numbers, server.spec, Plan(samples=4))
    before = len(server.bodies)
    grade_folder(copy, server.spec, Plan(samples=6))
    assert {body["n"] for body in server.bodies[before:]} == {2}
    assert {row["difficulty"][-1]["samples"] for _, row in folder.split_rows(copy)} == {6}


def test_replies_that_no_rate_counts_are_not_published(server, copy):
    numbers = range(len(grading.shards_of(copy)))
    grade_shards(copy, numbers, server.spec)
    before = server.requests
    grade_folder(copy, server.spec, Plan(samples=4), keep_replies=True)
    assert server.requests == before
    assert len(samples_in(copy)) == 4 * COUNT
    assert {row["difficulty"][-1]["samples"] for _, row in folder.split_rows(copy)} == {4}


def test_rates_are_those_of_a_grading_in_memory(built, server, whole):
    data = grade(folder.load(built), server.spec)
    graded = built.with_name("whole")
    rates = [row["difficulty"] for split in folder.SPLITS for row in data[split]]
    assert rates == [row["difficulty"] for _, row in folder.split_rows(graded)]


def test_a_model_that_cannot_be_asked_leaves_nothing_beside_the_folder(copy):
    with pytest.raises(ExecVerifyError):
        grade_folder(copy, "nothing:of-the-kind")
    assert [path.name for path in copy.parent.iterdir()] == ["made"]


def test_replies_of_another_plan_are_refused_before_anything_is_asked(server, copy):
    grade_shards(copy, [2], server.spec)
    before, other = server.requests, Plan(sampling=Sampling(temperature=0.5))
    with pytest.raises(ExecVerifyError, match=r"shard-000002.jsonl was begun with"):
        grade_folder(copy, server.spec, other)
    with pytest.raises(ExecVerifyError, match=r"shard-000002.jsonl was begun with"):
        grade_shards(copy, [0, 1, 2], server.spec, other)
    assert server.requests == before


def test_a_whole_grading_waits_for_no_task_and_no_task_for_it(server, copy):
    with (
        grading.locked(copy, alone=False),
        grading.locked(copy, alone=False),
        pytest.raises(UsageError, match="another process keeps replies in"),
    ):
        grade_folder(copy, server.spec)
    with (
        grading.locked(copy, alone=True),
        pytest.raises(UsageError, match="another process keeps replies in"),
    ):
        grade_shards(copy, [0], server.spec)


def test_what_is_no_folder_in_the_journals_place_stays(server, copy):
    grading.journals_of(copy).write_text("mine")
    with pytest.raises(UsageError, match="is no folder, so no replies can be kept there"):
        grade_folder(copy, server.spec)
    assert grading.journals_of(copy).read_text() == "mine"


def test_a_small_last_shard_without_answers_is_reported_and_ends_nothing(
    built, server, copy, monkeypatch
):
    monkeypatch.setattr(regrade, "TOGETHER", 1)
    last = [problem.call for problem in grading.shards_of(built)[-1].problems()]
    server.faults = Faults(refuse=f"assert {last[0]} == ????")
    try:
        made = grade_folder(copy, server.spec)
    finally:
        server.faults = Faults()
    assert made.unanswered.total() >= 1
    assert grading.journals_of(copy).is_dir()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--shards", "3"], "the folder has the shards 0 to 2, of up to 1,000 problems each"),
        (["--shards", "0-"], "shards are numbers and ranges like"),
        (["--shards", "0", "--refit"], "--shards only asks"),
        (["--shards", "0", "--keep-replies"], "--shards only asks"),
    ],
)
def test_wrong_shards_are_a_sentence(built, server, options, message):
    before = server.requests
    call = ["grade", built, "--engine", server.spec, *options]
    code, printed, said = finish(start(call, built.parent))
    assert (code, printed, server.requests) == (2, "", before)
    assert message in said
    assert "Traceback" not in said


def test_a_log_gets_a_line_now_and_then(capsys, monkeypatch):
    monkeypatch.setattr(asking_progress, "LINE_SECONDS", 0.02)
    with asking_progress.AskingProgress(asking_progress.Console(stderr=True)) as far:
        time.sleep(0.1)
        far.update(Progress(done=3, problems=1200, replies=40, tokens=900, seconds=3.0, left=7380))
        time.sleep(0.1)
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "  graded     0 replies"
    assert said[-1] == (
        "  graded     3 of 1,200 problems, 40 replies, 300 tokens/s, 2 h 3 min left"
    )
