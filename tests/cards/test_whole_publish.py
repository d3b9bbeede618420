"""One whole publish of a second version, with the machine going off at every request of it."""

import pytest
from clients import Killed
from datasets import DatasetDict
from hub import Fault

from cards.staging import stage
from synth import Spec, build_folder, folder

REPO = "me/demo"
STEPS = (
    "whoami",
    "/refs",
    "/README.md",
    "/manifest.json",
    "/data/problems/",
    "/tree/",
    "/validate-yaml",
    "/preupload/",
    "/objects/batch",
    "PUT /blob/",
    "/commit/",
    "/tag/",
)
"""What a publish asks a Hub for, from the token to the tag."""


@pytest.fixture(scope="module")
def builds(tmp_path_factory):
    """Two tiny builds, the second without two problems of the first."""
    first = tmp_path_factory.mktemp("builds") / "first"
    build_folder(Spec("all", 12, 7), first, workers=1)
    made = folder.load(first)
    kept = made["train"].select(range(2, len(made["train"])))
    dataset = DatasetDict({**made, "train": kept})
    return first, stage(dataset, first.with_name("second"), configs=["trace"])


def publish(client, build, version):
    options = {"version": version, "configs": ["trace", "stage1"]}
    return client.call("cards.publishing.publish", str(build), REPO, **options)


@pytest.mark.slow
def test_a_publish_cut_at_every_single_request_is_seen_whole_or_not_at_all(builds, hub, client):
    publish(client, builds[0], "1.0.0")
    old, before = hub.seen(REPO), hub.state()
    hub.reset_counter()
    publish(client, builds[1], "1.1.0")
    new, requests = hub.seen(REPO), list(hub.log)
    assert {name.split("/")[0] for name in new} >= {"README.md", "plots", "data"}
    assert [step for step in STEPS if not any(step in line for line in requests)] == []
    cuts = [(number, "cut") for number in range(1, len(requests) + 1)]
    # What was carried out though its answer got lost differs only where something is changed.
    changes = (n for n, line in enumerate(requests, 1) if "/commit/" in line or "/tag/" in line)
    cuts += [(number, "cut_after") for number in changes]
    assert len(cuts) >= len(STEPS) + 2

    for number, kind in cuts:
        where = (number, kind, requests[number - 1])
        hub.restore(before)
        hub.faults[number] = Fault(kind, forever=True)
        hub.on_cut = client.kill
        with pytest.raises(Killed):
            publish(client, builds[1], "1.1.0")
        seen, tags = hub.seen(REPO), hub.repos[REPO].tags
        assert seen in (old, new), where
        assert hub.seen(REPO, "v1.0.0") == old, where
        assert "v1.1.0" not in tags or hub.seen(REPO, "v1.1.0") == seen == new, where

        hub.reset_counter()
        again = publish(client, builds[1], "1.1.0")
        assert hub.seen(REPO) == hub.seen(REPO, "v1.1.0") == new, where
        assert hub.seen(REPO, "v1.0.0") == old, where
        assert hub.repos[REPO].tags["v1.1.0"] == again.commit, where
        assert len(hub.repos[REPO].commits) == 3, where  # made, first version, second version
