"""``synth train``: what is wrong with a call is said before anything heavy is loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest


def train(*words):
    command = [sys.executable, "-m", "synth", "train", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["stage3"], "there is no stage 'stage3'"),
        (["stage1"], "no model is named"),
        (["stage1", "--model", "m", "--set", "lora"], "a setting is NAME=VALUE"),
        (["stage1", "--model", "m", "--set", "rank=8"], "StageOneConfig has no field 'rank'"),
        (["stage1", "--model", "m", "--preset", "tpu"], "there is no preset 'tpu'"),
        (["stage1", "--config", "nowhere.yaml"], "nowhere.yaml cannot be read"),
        (["stage1", "--model", "m"], "a run learns from a folder"),
        (["stage2", "--model", "m"], "neither a dataset nor a public set"),
        (["stage1", "--model", "m", "--data", "nowhere"], "there is no folder nowhere"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_call_is_said_in_a_sentence(words, said):
    done = train(*words)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
