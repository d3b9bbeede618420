"""Publishing and loading back, through the genuine clients and a Hub of our own."""

import pyarrow.parquet as pq
import pytest
from datasets import DatasetDict
from hub import Fault

from cards.datacard import BEGIN, END
from cards.errors import HubError, VersionError
from cards.files import read_json
from cards.layout import MANIFEST
from cards.staging import stage
from synth import folder
from tracing.errors import UsageError

REPO = "me/demo"
LINES = "rl.evaluation.benchmarks.reading.read_lines"


@pytest.fixture(scope="session")
def changed(built, tmp_path_factory):
    """The build without two problems of its train split, and with a question less in another."""
    made = folder.load(built)
    train = made["train"].to_list()[2:]
    changed = next(row for row in train if row["questions"])
    changed["questions"] = changed["questions"][:-1]
    rows = made["train"].from_list(train, features=made["train"].features)
    place = tmp_path_factory.mktemp("changed") / "build"
    return stage(DatasetDict({**made, "train": rows}), place)


def published(place, config):
    """The rows of each split in a folder that was published."""
    splits = {}
    for path in sorted(place.glob(f"data/{config}/*.parquet")):
        splits.setdefault(path.name.partition("-")[0], []).extend(pq.read_table(path).to_pylist())
    return splits


def write(files, place):
    for name, data in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return place


def publish(client, dataset, version, **options):
    return client.call("cards.publishing.publish", str(dataset), REPO, version=version, **options)


@pytest.mark.slow
def test_two_versions_are_loaded_by_their_tags(built, changed, hub, client, tmp_path):
    first = publish(client, built, "1.0.0")
    before = hub.seen(REPO, "v1.0.0")
    second = publish(client, changed, "1.1.0")
    assert hub.repos[REPO].tags == {"v1.0.0": first.commit, "v1.1.0": second.commit}
    assert hub.seen(REPO, "v1.0.0") == before
    assert hub.seen(REPO) == hub.seen(REPO, "v1.1.0")
    for version in ("v1.0.0", "v1.1.0"):
        place = write(hub.seen(REPO, version), tmp_path / version)
        for config in ("problems", "hard", "trace", "stage1", "sft", "stage2"):
            rows = published(place, config)
            assert client.call("clients.rows", REPO, config, version) == rows, config
        asked = client.call(LINES, f"{REPO}@{version}", config="problems", split="train")
        assert [line.columns for line in asked] == published(place, "problems")["train"]
        streamed = client.call("clients.rows", REPO, "hard", version, streaming=True)
        assert streamed == published(place, "hard")
        assert client.call("cards.verifying.verify", REPO, version, rows=5).is_right
    changes = read_json(tmp_path / "v1.1.0" / MANIFEST)["changes"]
    assert [entry["version"] for entry in changes] == ["1.1.0", "1.0.0"]
    assert "0 problems were added, 2 removed and 1 changed." in changes[0]["lines"]
    card = hub.seen(REPO)["README.md"].decode()
    assert all(line in card for entry in changes for line in entry["lines"])


@pytest.fixture
def with_first(prepared, hub, client):
    """A Hub with version 1.0.0."""
    client.call("cards.push.push", prepared, REPO, "1.0.0")
    hub.reset_counter()
    return hub.repos[REPO]


def test_a_version_is_never_published_over(changed, with_first, client):
    before = dict(with_first.branches), dict(with_first.tags), len(with_first.commits)
    with pytest.raises(VersionError, match=r"1\.0\.0 already, with other files.*publish 1\.0\.1"):
        publish(client, changed, "1.0.0", configs=[])
    assert (with_first.branches, with_first.tags, len(with_first.commits)) == before


def test_a_version_below_the_newest_is_refused(built, with_first, client):
    with pytest.raises(VersionError, match=r"has version 1\.0\.0 already; publish a higher one"):
        publish(client, built, "0.9.0")


def test_a_version_that_says_too_little_is_refused(changed, with_first, client, tmp_path):
    with pytest.raises(VersionError, match=r"1\.0\.1 is too low.*publish 1\.1\.0 or higher"):
        publish(client, changed, "1.0.1", out=tmp_path / "out")
    assert list(tmp_path.iterdir()) == []  # so that the same call with 1.1.0 is not refused
    assert list(with_first.tags) == ["v1.0.0"]


@pytest.mark.slow
def test_the_same_version_again_is_no_new_one(built, with_first, client):
    again = publish(client, built, "1.0.0")
    assert not again.is_new
    assert again.commit == with_first.tags["v1.0.0"]
    assert len(with_first.commits) == 2


@pytest.mark.slow
def test_what_a_person_wrote_is_kept_and_what_is_stale_is_not(built, with_first, hub, client):
    card = hub.seen(REPO)["README.md"].decode()
    start, _, rest = card.partition(BEGIN)
    _, _, end = rest.partition(END)
    ours = f"{start}{BEGIN}\nAsk *Ada* about `<run>`.\n\n{{{{ no template }}}}\n{END}{end}"
    ours = ours.replace("---\n", "---\nextra_gated_heading: Say who you are\n", 1)
    stale = {"data/problems/train-00001-of-00002.parquet": b"old", "dataset_infos.json": b"{}"}
    hand = {"README.md": ours.encode(), "notes.txt": b"by hand", **stale}
    client.call("clients.upload", REPO, hand)
    publish(client, built, "1.0.1")
    files = hub.seen(REPO, "v1.0.1")
    card = files["README.md"].decode()
    assert f"{BEGIN}\nAsk *Ada* about `<run>`.\n\n{{{{ no template }}}}\n{END}" in card
    assert "extra_gated_heading: Say who you are" in card.split("---\n")[1]
    assert files["notes.txt"] == b"by hand"
    assert not files.keys() & stale.keys()
    assert client.call("cards.verifying.verify", REPO, "v1.0.1", rows=1).is_right


def test_a_card_that_was_there_before_is_kept_whole(built, hub, client):
    hub.add(REPO, {"README.md": b"---\nlicense: mit\n---\n# Mine\n\nBy hand.\n"})
    publish(client, built, "1.0.0", configs=["stage1"])
    assert f"{BEGIN}\n# Mine\n\nBy hand.\n{END}" in hub.seen(REPO)["README.md"].decode()


@pytest.mark.slow
def test_a_dry_run_writes_the_very_folder_and_asks_for_no_token(
    changed, with_first, hub, client, tmp_path
):
    hub.authorizations.clear()
    place = publish(client, changed, "1.1.0", dry_run=True, out=tmp_path / "dry", token=False)
    assert set(hub.authorizations) == {None}
    assert list(with_first.tags) == ["v1.0.0"]
    assert [line for line in hub.log if not line.startswith(("GET", "HEAD"))] == []
    publish(client, changed, "1.1.0")
    wanted = {n: d for n, d in hub.seen(REPO, "v1.1.0").items() if n != ".gitattributes"}
    assert {
        path.relative_to(place).as_posix(): path.read_bytes()
        for path in place.rglob("*")
        if path.is_file()
    } == wanted


def test_a_dry_run_without_a_hub_says_what_it_takes_for_granted(built, hub, client, tmp_path):
    hub.faults[1] = Fault("cut", forever=True)
    options = {"dry_run": True, "out": tmp_path / "dry", "configs": ["stage1"]}
    place = publish(client, built, "1.0.0", **options)
    assert (place / "README.md").is_file()
    assert "the Hub cannot be reached; the folder is made as if nothing" in client.said


def test_a_folder_that_is_not_empty_is_not_written_into(built, hub, client, tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UsageError, match="is there already; choose another folder"):
        publish(client, built, "1.0.0", dry_run=True, out=tmp_path)


def test_a_private_repository_is_created_private(prepared, hub, client):
    client.call("cards.push.push", prepared, REPO, "1.0.0", private=True)
    assert hub.repos[REPO].private
    assert client.call("cards.verifying.verify", REPO, "v1.0.0", rows=0).is_right


def test_what_is_to_be_private_is_not_pushed_to_a_public_repository(copy, with_first, hub, client):
    with pytest.raises(UsageError, match="is there and public; make it private on the Hub first"):
        client.call("cards.push.push", copy, REPO, "1.0.1", private=True)
    assert list(with_first.tags) == ["v1.0.0"]
    with_first.private = True
    assert client.call("cards.push.push", copy, REPO, "1.0.1", private=True).is_new


def test_a_tag_that_somebody_else_made_is_not_moved(prepared, hub, client):
    client.call("cards.push.push", prepared, REPO, "1.0.0")
    number = next(n for n, line in enumerate(hub.log, 1) if "/tag/" in line)
    hub.empty()

    def overtake(_):
        repo = hub.repos[REPO]
        repo.tags["v1.0.0"] = hub.commit(repo, "main", {"other": b"data"})

    hub.faults[number] = Fault("delay")
    hub.on_fault = overtake
    with pytest.raises(VersionError, match=r"got a version 1\.0\.0 meanwhile; it is not changed"):
        client.call("cards.push.push", prepared, REPO, "1.0.0")
    assert hub.seen(REPO, "v1.0.0") == {"other": b"data"}


def test_metadata_that_the_hub_does_not_take_is_named(copy, hub, client):
    card = (copy / "README.md").read_text()
    (copy / "README.md").write_text(card.replace("license: apache-2.0", "license: My Own"))
    with pytest.raises(HubError, match=r'the Hub does not take the card.*"license" must be one of'):
        client.call("cards.push.push", copy, REPO, "1.0.0")
    assert not hub.repos[REPO].tags


def test_damage_on_the_hub_is_found(with_first, hub, client):
    name = "data/problems/train-00000-of-00001.parquet"
    client.call("clients.upload", REPO, {name: hub.seen(REPO)[name] + b"\0"})
    done = client.call("cards.verifying.verify", REPO, rows=0)
    assert next(f.what for f in done.findings if f.place == name).startswith("its SHA-256")
