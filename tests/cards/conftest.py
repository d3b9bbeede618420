"""A small build, and the folder that is published of it, made once for all tests."""

from __future__ import annotations

import shutil

import pytest
from clients import Client
from hub import Hub
from serving import serve

from cards.publishing import prepare
from cards.staging import stage
from cards.versions import read_version
from synth import Spec, build_folder

SPEC = Spec("all", 60, 7)


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """A folder as ``synth build`` writes it; not to be changed."""
    out = tmp_path_factory.mktemp("built") / "all-7"
    build_folder(SPEC, out, workers=1)
    return out


@pytest.fixture(scope="session")
def prepared(built, tmp_path_factory):
    """The folder that would be published as version 1.0.0; not to be changed."""
    place = tmp_path_factory.mktemp("prepared") / "version"
    stage(built, place)
    prepare(place, "me/demo", read_version("1.0.0"))
    return place


@pytest.fixture
def copy(prepared, tmp_path):
    """A copy of it that may be changed."""
    place = tmp_path / "copy"
    shutil.copytree(prepared, place)
    return place


@pytest.fixture(scope="session")
def running_hub(tmp_path_factory):
    """A Hub, and a client of it that has its token."""
    hub = Hub()
    with serve(hub) as url:
        client = Client(url, tmp_path_factory.mktemp("home"), hub.token)
        client.call("cards.push.look", "me/nothing")  # what it asks once a day, it has asked
        yield hub, client
        client.close()


@pytest.fixture
def hub(running_hub):
    """The Hub, empty."""
    running_hub[0].empty()
    return running_hub[0]


@pytest.fixture
def client(running_hub, hub):
    """The client of the empty Hub."""
    return running_hub[1]
