"""The measure of learning runs whole in small: every model, both kinds of replies, its table."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import learning

pytest.importorskip("trl", reason="needs the extra rl (make test-models)")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    """Run it in small, and once more with another hash seed; give the figures of both."""
    place = tmp_path_factory.mktemp("learning")
    found = []
    for seed, name in enumerate(("first.json", "again.json")):
        command = [sys.executable, learning.__file__, "--out", str(place / "run")]
        command += ["--problems", "240", "--warmup", "4", "--updates", "2"]
        command += ["--json", str(place / name)]
        env = {**os.environ, "PYTHONHASHSEED": str(seed)}
        done = subprocess.run(command, capture_output=True, text=True, timeout=3600, env=env)
        assert done.returncode == 0, done.stderr
        found.append(json.loads((place / name).read_text()))
    return found


def test_each_model_is_measured_with_an_interval_and_its_change(figures):
    rows = figures[0]["rows"]
    assert [(row["replies"], row["after"]) for row in rows] == [
        (how, name) for how in learning.REPLIES for name in learning.MODELS
    ]
    for row in rows:
        low, high = row["95%"]
        assert 0 <= low <= row["reward"] <= high <= 1
        assert {"output", *learning.KINDS} < set(row)
        if row["after"] == "warm-up":
            assert row["change"] == ""
        else:
            low, high = row["95% of change"]
            assert low <= row["change"] <= high
    assert set(figures[0]["cpu_minutes"]) > {"build", *learning.MODELS}


def test_a_second_call_trains_nothing_and_finds_the_same(figures):
    first, again = figures
    assert again["rows"] == first["rows"]
    assert "build" not in again["cpu_minutes"]


def test_the_control_swaps_rewards_within_a_prompt_alone(monkeypatch):
    count = 2 * learning.GENERATIONS
    earned = [float(number) for number in range(count)]
    monkeypatch.setattr(learning.rl.rewards, "white_box", lambda *_, **__: list(earned))
    reward = learning.swapped(0)
    given = reward([], [], trainer_state=SimpleNamespace(global_step=3))
    half = learning.GENERATIONS
    assert given != earned
    assert sorted(given[:half]) == earned[:half]
    assert sorted(given[half:]) == earned[half:]
    assert given == reward([], [], trainer_state=SimpleNamespace(global_step=3))


def test_parts_share_no_family():
    rng = random.Random(0)
    problems = [SimpleNamespace(family=str(rng.randrange(50))) for _ in range(500)]
    first, second = learning.parted(problems)
    assert first
    assert second
    assert not {p.family for p in first} & {p.family for p in second}
