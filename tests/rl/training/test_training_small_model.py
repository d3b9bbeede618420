"""A real small model: two steps of each stage from the command line, one after the other."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from rl.training.run import read_log

pytest.importorskip("trl", reason="needs the extra rl (make test-models)")

pytestmark = pytest.mark.slow

TWO_STEPS = ["batch=2", "max_steps=2", "save_steps=1"]
STAGE = ["completion_length=8", "generations=2", "mini_batch=2", "next_statement=1", "state=1"]
STAGE += ["prompt_length=250", *TWO_STEPS]


@pytest.fixture(scope="module")
def easy(tmp_path_factory):
    from synth.build import build_folder
    from synth.spec import Spec

    place = tmp_path_factory.mktemp("easy") / "curriculum"
    build_folder(Spec(tier="easy", size=40, seed=0), place, workers=2)
    return place


def train(stage, model, data, out, settings):
    command = [sys.executable, "-m", "synth", "train", stage, "--preset", "cpu", "--json"]
    command += ["--model", str(model), "--data", str(data), "--out", str(out)]
    for text in settings:
        command += ["--set", text]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def warm(easy, tmp_path_factory):
    """Give the run of a warm-up of two steps."""
    from curricula.difficulty.small_model import small_model

    out = tmp_path_factory.mktemp("warm") / "warmup"
    settings = ["conversations=4", "length=320", *TWO_STEPS]
    return out, train("warmup", small_model(), easy, out, settings)


def test_the_warm_up_takes_two_steps(warm):
    out, outcome = warm
    assert outcome["steps"] == 2
    assert len([entry for entry in read_log(out) if "loss" in entry]) == 2


def test_stage_one_takes_two_steps_and_gives_the_same_numbers_again(warm, easy, tmp_path):
    model = warm[1]["model"]
    logs = []
    for name in ("first", "second"):
        settings = [*STAGE, "output_problems=8", "input_problems=8"]
        assert train("stage1", model, easy, tmp_path / name, settings)["steps"] == 2
        keys = ("step", "loss", "reward", "grad_norm", "format", "completions/mean_length")
        log = [{k: e[k] for k in keys if k in e} for e in read_log(tmp_path / name)]
        logs.append((log, read_log(tmp_path / name, "samples.jsonl")))
    assert logs[0] == logs[1]


def test_stage_two_takes_two_steps(warm, easy, tmp_path):
    settings = [text for text in STAGE if not text.startswith(("next", "state"))]
    outcome = train("stage2", warm[1]["model"], easy, tmp_path / "run", [*settings, "problems=8"])
    assert outcome["steps"] == 2
