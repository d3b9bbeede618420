"""reasoning-gym itself: datasets of our entries by name, and mixed with its own.

It has no reader of files: a dataset is a class that gives entries. Ours gives the exported
ones; registry, mixing and scoring are its own.
"""

from dataclasses import dataclass

import pytest

pytest.importorskip("reasoning_gym", reason="needs reasoning-gym (make test-exports)")

from reasoning_gym import create_dataset
from reasoning_gym.composite import DatasetSpec
from reasoning_gym.dataset import ProceduralDataset
from reasoning_gym.factory import DATASETS, register_dataset


@dataclass
class ExportedConfig:
    """What it asks of every config."""

    source: str
    seed: int = 0
    size: int = 1


@pytest.fixture(scope="module")
def entries(exported, lines):
    """The entries by the name of the dataset that they say they are of."""
    found = {}
    for entry in lines(exported["reasoning_gym"] / "train.jsonl"):
        found.setdefault(entry["metadata"]["source_dataset"], []).append(entry)
    return found


@pytest.fixture
def registered(entries, monkeypatch):
    """The names, registered with it."""

    class Exported(ProceduralDataset):
        def __init__(self, config):
            super().__init__(config, seed=config.seed, size=config.size)

        def __getitem__(self, index):
            return entries[self.config.source][index % len(entries[self.config.source])]

    monkeypatch.setattr("reasoning_gym.factory.DATASETS", DATASETS.copy())
    for name in entries:
        register_dataset(name, Exported, ExportedConfig)
    return list(entries)


def test_it_makes_a_dataset_of_a_name_and_gives_its_answers_one(registered, entries):
    for name in registered:
        dataset = create_dataset(name, source=name, size=len(entries[name]))
        assert list(dataset) == entries[name]
        assert {dataset.score_answer(entry["answer"], entry) for entry in dataset} == {1.0}
        assert {dataset.score_answer("nothing", entry) for entry in dataset} == {0.0}


def test_mixed_with_its_own_every_entry_is_scored_by_the_dataset_it_names(registered):
    ours = [DatasetSpec(name, 1, {"source": name}) for name in registered]
    own = DatasetSpec("chain_sum", 1, {})
    mixed = create_dataset("composite", seed=0, size=40, datasets=[*ours, own])
    assert {entry["metadata"]["source_dataset"] for entry in mixed} == {"chain_sum", *registered}
    assert {mixed.score_answer(entry["answer"], entry) for entry in mixed} == {1.0}
