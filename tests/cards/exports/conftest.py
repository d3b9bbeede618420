"""Every format, written once from the small build."""

from __future__ import annotations

import json

import pytest

from cards.exports import EXPORTS, export


@pytest.fixture(scope="session")
def exported(built, tmp_path_factory):
    """Folders by format; not to be changed."""
    out = tmp_path_factory.mktemp("exported")
    for name in EXPORTS:
        export(built, name, out / name)
    return {name: out / name for name in EXPORTS}


@pytest.fixture(scope="session")
def lines():
    """Reads a file of JSON lines."""
    return lambda path: [json.loads(line) for line in path.read_text().split("\n")[:-1]]


@pytest.fixture(scope="session")
def replies(exported, lines):
    """Right replies to the prompts of the train split, in order."""
    entries = lines(exported["reasoning_gym"] / "train.jsonl")
    return [f"<answer>\n{entry['answer']}\n</answer>" for entry in entries]
