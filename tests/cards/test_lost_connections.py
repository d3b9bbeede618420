"""Lost connections, refusals and ends of the process at every request of a publish."""

import re
import shutil

import pytest
from clients import Client, Killed
from hub import Fault

from cards.errors import HubError
from cards.hub import Lost
from cards.publishing import prepare
from cards.push import Pushed
from cards.staging import stage
from cards.versions import Version, read_version
from tracing.errors import ExecVerifyError

REPO = "me/demo"
PUSH = "cards.push.push"
KINDS = ("cut", "cut_after")


@pytest.fixture(scope="session")
def versions(built, tmp_path_factory):
    """Two small folders to push: versions 1.0.0, and 1.1.0 with a config more."""
    folders = []
    for name, configs in (("1.0.0", []), ("1.1.0", ["stage1"])):
        place = stage(built, tmp_path_factory.mktemp("small") / name, configs=configs)
        prepare(place, REPO, read_version(name))
        shutil.rmtree(place / "plots")  # many requests, and all of one kind
        folders.append(place)
    return folders


@pytest.fixture
def with_first(versions, hub, client):
    """A Hub with the first version; gives what its readers see."""
    client.call(PUSH, versions[0], REPO, "1.0.0")
    hub.reset_counter()
    return hub.seen(REPO)


def contents(place):
    found = {p.relative_to(place).as_posix(): p for p in place.rglob("*") if p.is_file()}
    return {name: path.read_bytes() for name, path in found.items()}


def check(hub, old, new):
    """What is seen is the old version or the whole new one; a tag is of the whole one."""
    seen = hub.seen(REPO)
    assert seen in (old, {**new, ".gitattributes": old[".gitattributes"]})
    assert hub.seen(REPO, "v1.0.0") == old
    if "v1.1.0" in hub.repos[REPO].tags:
        assert hub.seen(REPO, "v1.1.0") == seen != old


def check_second_try(hub, client, folder, old):
    hub.reset_counter()
    client.call(PUSH, folder, REPO, "1.1.0")
    assert hub.seen(REPO, "v1.1.0") == hub.seen(REPO)
    assert hub.seen(REPO) == {**contents(folder), ".gitattributes": old[".gitattributes"]}
    assert hub.seen(REPO, "v1.0.0") == old
    assert len(hub.repos[REPO].commits) == 3


@pytest.fixture
def count(versions, with_first, hub, client):
    """How many requests a push of the second version has; the Hub is as before."""
    saved = hub.state()
    client.call(PUSH, versions[1], REPO, "1.1.0")
    found = len(hub.log)
    hub.restore(saved)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_machine_that_goes_off_at_any_request_leaves_no_half_version(
    kind, versions, with_first, count, hub, client
):
    saved = hub.state()
    for number in range(1, count + 1):
        hub.restore(saved)
        hub.faults[number] = Fault(kind, forever=True)
        hub.on_cut = client.kill
        with pytest.raises(Killed):
            client.call(PUSH, versions[1], REPO, "1.1.0")
        check(hub, with_first, contents(versions[1]))
        check_second_try(hub, client, versions[1], with_first)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_connection_that_is_cut_at_any_request_leaves_no_half_version(
    kind, versions, with_first, count, hub, client
):
    saved = hub.state()
    for number in range(1, count + 1):
        hub.restore(saved)
        hub.faults[number] = Fault(kind)
        pushed = client.call(PUSH, versions[1], REPO, "1.1.0")
        assert isinstance(pushed, Pushed)
        check(hub, with_first, contents(versions[1]))
        check_second_try(hub, client, versions[1], with_first)


@pytest.mark.parametrize("kind", KINDS)
def test_the_repository_may_be_cut_while_it_is_created(kind, versions, hub, client):
    client.call(PUSH, versions[0], REPO, "1.0.0")
    number = next(n for n, line in enumerate(hub.log, 1) if "/create" in line)
    whole = hub.seen(REPO)
    hub.empty()
    hub.faults[number] = Fault(kind)
    client.call(PUSH, versions[0], REPO, "1.0.0")
    assert hub.seen(REPO, "v1.0.0") == hub.seen(REPO) == whole


def previous(hub, client, place):
    found = client.call(
        "cards.previous.fetch_previous",
        REPO,
        Version(1, 1, 0),
        place,
        token=None,
        may_miss=False,
    )
    return found, contents(found.folder).keys() if found.folder else None


@pytest.mark.slow
def test_what_a_version_builds_on_is_fetched_whole_or_not_at_all(with_first, hub, client, tmp_path):
    place = tmp_path / "place"
    whole, _ = previous(hub, client, place)
    assert whole.folder is not None
    for number in range(1, len(hub.log) + 1):
        hub.reset_counter()
        hub.faults[number] = Fault("cut")
        shutil.rmtree(place)
        found, _ = previous(hub, client, place)
        assert (found.version, found.changes) == (whole.version, whole.changes)
        assert found.handwritten == whole.handwritten
        assert contents(found.folder / "data") == contents(whole.folder / "data")


def test_a_hub_that_goes_away_while_the_card_is_read_is_no_card_that_is_missing(
    with_first, hub, client, tmp_path
):
    hub.faults[2] = Fault("cut", forever=True)
    with pytest.raises(Lost, match="the connection to the Hub was lost; run the same again"):
        previous(hub, client, tmp_path)


def test_a_hub_that_stays_away_is_one_clear_sentence(versions, with_first, hub, client):
    hub.faults[1] = Fault("cut", forever=True)
    with pytest.raises(Lost, match=r"could not .* of me/demo: the connection to the Hub was lost"):
        client.call(PUSH, versions[1], REPO, "1.1.0")


REFUSALS = {
    401: "the Hub does not accept the token",
    403: "the token may not do this; use one that may write",
    404: "there is no such repository or revision",
    409: "somebody else changed the repository meanwhile",
    412: "somebody else changed the repository meanwhile; try again",
    429: "the Hub asks to slow down; try again in some minutes",
    503: "the Hub has a problem; try again later",
}


@pytest.mark.slow
@pytest.mark.parametrize(("status", "said"), REFUSALS.items(), ids=str)
def test_a_refusal_is_one_clear_sentence_without_the_token(
    status, said, versions, with_first, count, hub, client
):
    hub.faults[count - 1] = Fault("status", status, {"Retry-After": "0"}, forever=True)
    with pytest.raises(HubError, match=said) as caught:
        client.call(PUSH, versions[1], REPO, "1.1.0")
    words = str(caught.value)
    assert re.match(f"could not [a-z ]+ of {REPO}: ", words)
    assert "\n" not in words
    assert hub.token not in words + client.said
    assert hub.seen(REPO) == with_first


def test_a_hub_that_asks_to_slow_down_for_a_moment_is_waited_for(
    versions, with_first, count, hub, client
):
    for number in (1, count - 1, count):
        hub.faults[number] = Fault("status", 429, {"Retry-After": "0"})
    client.call(PUSH, versions[1], REPO, "1.1.0")
    assert hub.seen(REPO, "v1.1.0") == hub.seen(REPO) != with_first


@pytest.mark.parametrize(
    ("token", "said"), [("hf_wrong", "run `hf auth login`"), (False, "set HF_TOKEN")]
)
def test_a_token_that_does_not_serve_is_named_but_not_printed(token, said, versions, hub, client):
    with pytest.raises(ExecVerifyError, match=said) as caught:
        client.call(PUSH, versions[0], REPO, "1.0.0", token=token)
    assert "hf_" not in str(caught.value) + client.said
    assert not hub.repos


@pytest.mark.parametrize(
    ("token", "said"),
    [("hf_wrong", "the Hub does not accept the token"), (None, "there is no token; run `hf auth")],
)
def test_a_token_is_asked_for_before_the_work_begins(token, said, built, hub, client, tmp_path):
    lonely = Client(client.env["HF_ENDPOINT"], tmp_path, token)
    with pytest.raises(HubError, match=f"could not begin the upload of {REPO}: {said}"):
        lonely.call("cards.publishing.publish", str(built), REPO, version="1.0.0")
    lonely.close()
    assert all("whoami" in line or "agent" in line for line in hub.log)
