"""``DatasetCard.validate()``, the genuine one, against what a Hub is known to check."""

import pytest
from card_rules import LICENSES as KNOWN
from card_rules import errors_of

from cards import card
from cards.licenses import LICENSES, checked_license
from tracing.errors import UsageError


@pytest.fixture(scope="module")
def text(prepared):
    return (prepared / "README.md").read_text()


def test_the_card_of_a_version_is_valid(text, hub, client):
    client.call("clients.validate", text)
    assert hub.log == ["POST /api/validate-yaml"]


def test_a_card_that_no_version_has_been_made_of_is_valid(built, client):
    client.call("clients.validate", str(card(built)))


BROKEN = {
    "a licence of one's own": ("license: apache-2.0", "license: My Own", '"license" must be'),
    "an SPDX name": ("license: apache-2.0", "license: gpl-2.0-or-later", '"license" must be'),
    "no licence name": ("license: apache-2.0", "license: 2.0", '"license" must be an array'),
    "a task": ("- text-generation", "- program-execution", '"task_categories" must be one of'),
    "a task as text": (
        "task_categories:\n- text-generation",
        "task_categories: text-generation",
        '"task_categories" must be an array',
    ),
    "a language": ("- en\n", "- english\n", "must be an ISO 639-1"),
    "a capital": ("- en\n", "- En\n", "must only contain lowercase"),
    "a language that YAML takes for false": ("- en\n", "- no\n", '"language[0]" must be a string'),
    "a size": ("- n<1K", "- small", '"size_categories" must be one of'),
    "a creator": ("- machine-generated", "- robots", "must be one of"),
    "a tag": ("- rlvr", "- 7", '"tags" must be an array of strings'),
    "two configs of a name": ("config_name: easy", "config_name: hard", "duplicate config_name"),
    "two defaults": ("- config_name: easy\n", "- config_name: easy\n  default: true\n", "default"),
    "a split": ("- split: train", "- split: 'tr ain'", "is no name of a split"),
    "a path": ("path: data/problems/train-*", "path: 3", "must be a string or an array"),
    "a type": ("dtype: int32", "dtype: whole", "are no types of columns"),
    "a number": ("download_size: ", "download_size: -", "must be a whole number"),
    "rows": ("num_examples: ", "num_examples: about ", "must have a name, num_bytes"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_card_whose_metadata_are_broken_is_refused(what, text, client):
    old, new, said = BROKEN[what]
    broken = text.replace(old, new, 1)
    assert broken != text
    with pytest.raises(ValueError) as caught:  # noqa: PT011  its message is the server's answer
        client.call("clients.validate", broken)
    assert said in str(caught.value).replace('\\"', '"')


def test_metadata_that_are_no_yaml_are_refused():
    # The genuine client cannot read such a card, and so never asks.
    assert "Invalid YAML" in errors_of("---\nlicense: [\n---\n")[0]
    assert errors_of("---\n- license\n---\n") == ["the metadata must be an object"]


def test_the_licences_that_publish_takes_are_those_that_the_hub_knows():
    assert LICENSES == KNOWN
    assert checked_license("cc-by-4.0") == "cc-by-4.0"


@pytest.mark.parametrize("name", ["Apache-2.0", "My Own", "", None, 3, ["mit"]])
def test_a_licence_that_the_hub_does_not_know_is_refused_in_a_clear_sentence(name):
    with pytest.raises(
        UsageError, match=r"the Hub knows no licence .*; write one of its"
    ) as caught:
        checked_license(name)
    assert name != "Apache-2.0" or "like apache-2.0" in str(caught.value)
