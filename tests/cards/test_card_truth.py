"""The card is true of every kind of dataset that can be published."""

import re

import pytest
from kinds import KINDS
from published import body_of, read_published
from recomputed import disagreements

from cards.layout import CONFIGS
from cards.publishing import prepare
from cards.staging import stage
from cards.verifying import verify
from cards.versions import read_version


@pytest.fixture(scope="module", params=KINDS)
def version(request, built, tmp_path_factory):
    """A folder that would be published, of each kind; not to be changed."""
    kind = KINDS[request.param]
    place = tmp_path_factory.mktemp("kinds") / "version"
    stage(kind.make(built), place, **kind.options)
    prepare(place, "me/demo", read_version("1.0.0"))
    return place


def test_every_number_of_the_card_is_that_of_the_files_of_any_dataset(version):
    assert disagreements(version) == set()


def test_nothing_is_found_in_what_is_published_of_any_dataset(version):
    assert verify(version, rows=8).findings == ()


def test_every_config_and_split_that_the_card_names_is_there(version):
    # "Train with it" always loaded stage1, and sft and stage2 were always described.
    data = read_published(version)
    body = body_of((version / "README.md").read_text())
    named = set(re.findall(r"`(\w+)`", body)) & CONFIGS.keys()
    assert named == data.files.keys()
    loaded = re.findall(r'load_dataset\("me/demo", "(\w+)"(?:, split="(\w+)")?', body)
    assert all(not split or split in data.files[config] for config, split in loaded)
    assert {config for config, _ in loaded} <= data.files.keys()
    if "train" not in data.files["problems"]:
        assert "No problem is in a train split: what is here is for testing." in body


def test_the_example_is_said_to_be_in_the_split_that_it_is_in(version):
    # It was said to be of the train split, wherever it was found.
    data = read_published(version)
    body = body_of((version / "README.md").read_text())
    identity, split = re.search(r"Problem `([0-9a-f]{16})` of the (\w+) split", body).groups()
    assert (split, identity) in {(of, row["id"]) for of, row in data.problems}
    assert split == min((of for of, _ in data.problems), key=("train", "validation", "test").index)
