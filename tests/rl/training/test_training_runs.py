"""Whole runs of a model that knows nothing: their order, their end, and going on after a kill."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import fields, replace
from pathlib import Path

import pytest

import rl
from curricula.problem import to_row
from rl.training import StageOneConfig, StageTwoConfig, WarmupConfig, read_config
from rl.training.pacing import ORDER
from rl.training.run import PROGRAMS, read_log
from rl.training.table import table
from synth import problems_of
from tracing.errors import UsageError

pytest.importorskip("trl", reason="needs the extra rl (make test-models)")

pytestmark = pytest.mark.slow

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.yaml"))
TINY = {
    "cpu": True,
    "precision": "float32",
    "learning_rate": 1e-3,
    "device_batch": 4,
    "options": {"gradient_checkpointing": False},
}
GRPO = {
    **TINY,
    "generations": 2,
    "batch": 2,
    "mini_batch": 2,
    "prompt_length": 2000,
    "completion_length": 6,
}
SAME = ("step", "loss", "reward", "grad_norm", "tier", "io", "format", "completions/mean_length")


def stage1(folder, model, out, **values):
    told = {"output_problems": 6, "input_problems": 4, "epochs": 2.0, "threshold": 0.5}
    told |= {"window": 4}
    told |= {"dataset": str(folder)}
    return StageOneConfig(model=model, out=str(out), **{**GRPO, **told, **values})


def varied(prompts, completions, **columns):
    """Reward whatever the model says, so that it changes with every step."""
    return [sum(map(ord, said[0]["content"])) % 5 / 2 for said in completions]


def numbers(out):
    return [{name: e[name] for name in SAME if name in e} for e in read_log(Path(out))]


@pytest.fixture
def seen(monkeypatch):
    """Keep the rows that the trainer rewards, a batch each."""
    from trl import GRPOTrainer

    kept = []
    known = GRPOTrainer._calculate_rewards

    def kept_rewards(self, inputs, *rest):
        kept.append([(json.loads(row["row"])["id"], row["task"], row["tier"]) for row in inputs])
        return known(self, inputs, *rest)

    monkeypatch.setattr(GRPOTrainer, "_calculate_rewards", kept_rewards)
    return kept


def tiers_in_order(batches):
    return list(dict.fromkeys(row[2] for batch in batches for row in batch))


def test_the_trainer_sees_the_tiers_in_order_in_every_epoch(
    folder, untrained_folder, tmp_path, seen
):
    config = stage1(folder, untrained_folder, tmp_path, threshold=1.0, share=0.0)
    rl.stage1(config)
    assert len(seen) == 10
    first, second = seen[:5], seen[5:]
    expected = [tier for tier in ORDER if tier in tiers_in_order(seen)]
    assert len(expected) >= 2
    assert tiers_in_order(first) == tiers_in_order(second) == expected
    rows = [{row[:2] for batch in epoch for row in batch} for epoch in (first, second)]
    assert rows[0] == rows[1]
    assert len(rows[0]) == 10
    assert first != second


def test_the_trainer_ends_no_epoch_with_what_is_mastered(folder, untrained_folder, tmp_path, seen):
    told = {"batch": 4, "mini_batch": 4, "output_problems": 20, "input_problems": 20}
    config = stage1(folder, untrained_folder, tmp_path, **told)
    rl.stage1(config, reward=lambda prompts, completions, **row: [2.0] * len(completions))
    assert len(seen) == 20
    expected = [tier for tier in ORDER if tier in tiers_in_order(seen)]
    assert len(expected) >= 2
    for epoch in (seen[:10], seen[10:]):
        assert tiers_in_order(epoch) == expected
        # Of four prompts, one is the default share of earlier tiers.
        assert [row[2] for row in epoch[-1]].count(expected[-1]) >= 6


@pytest.mark.parametrize("stop", [3, 5, 7], ids=["within", "between", "in the second epoch"])
def test_a_run_that_was_stopped_sees_the_rest_and_gives_the_same_numbers(
    folder, untrained_folder, tmp_path, seen, stop, monkeypatch
):
    whole = stage1(folder, untrained_folder, tmp_path / "whole")
    rl.stage1(whole, reward=varied)
    expected = list(seen)
    seen.clear()
    stopped = replace(whole, out=str(tmp_path / "stopped"), save_steps=1)
    with monkeypatch.context() as patch:
        die_after(stop, patch)
        with pytest.raises(KeyboardInterrupt):
            rl.stage1(stopped, reward=varied)
    assert seen == expected[:stop]
    rl.stage1(stopped, reward=varied)
    assert seen == expected
    assert numbers(tmp_path / "stopped") == numbers(tmp_path / "whole")
    assert any(entry.get("grad_norm") for entry in numbers(tmp_path / "whole"))


def die_after(step, monkeypatch):
    from trl import GRPOTrainer

    known = GRPOTrainer.training_step

    def dying(self, *rest):
        if self.state.global_step == step:
            raise KeyboardInterrupt
        return known(self, *rest)

    monkeypatch.setattr(GRPOTrainer, "training_step", dying)


@pytest.mark.parametrize("stage", ["warmup", "stage1", "stage2"])
def test_a_killed_run_goes_on_from_its_last_whole_checkpoint(
    folder, untrained_folder, tmp_path, stage
):
    told = {"model": untrained_folder, "dataset": str(folder), "save_steps": 2, "max_steps": 12}
    told |= (
        {**TINY, "conversations": 20, "length": 3000, "batch": 2, "epochs": 4.0}
        if stage == "warmup"
        else {**GRPO, "output_problems": 20, "input_problems": 20, "epochs": 2.0}
        if stage == "stage1"
        else {**GRPO, "problems": 12, "epochs": 3.0}
    )
    config = tmp_path / "run.yaml"
    config.write_text(json.dumps(told))
    out = tmp_path / "out"
    command = [sys.executable, "-m", "synth", "train", stage, "--json"]
    command += ["--config", str(config), "--out", str(out)]
    run = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 150
        while not (out / "checkpoint-2" / "whole.json").is_file() and time.monotonic() < until:
            time.sleep(0.02)
    finally:
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
    assert list(out.glob("checkpoint-*"))
    assert not (out / "final").exists()
    torn = out / "checkpoint-99"
    torn.mkdir()  # as if it had been killed within a checkpoint
    again = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    assert again.returncode == 0, again.stderr[-2000:]
    assert not torn.exists()
    assert json.loads(again.stdout)["steps"] == 12
    whole = read_config(stage, values={**told, "out": str(tmp_path / "whole")})
    getattr(rl, stage)(whole)
    assert numbers(out) == numbers(tmp_path / "whole")


def test_right_programs_are_kept_and_can_be_asked_about(folder, untrained_folder, tmp_path):
    config = StageTwoConfig(
        model=untrained_folder,
        dataset=str(folder),
        out=str(tmp_path),
        keep_programs=True,
        **{**GRPO, "problems": 4, "max_steps": 2},
    )
    code = json.dumps({"entry": "f", "tests": [{"input": "2", "output": "4"}]})
    told = "<answer>def f(x):\n    y = x + x\n    return y</answer>"

    def right_ones(prompts, completions, row, **columns):
        # The model knows nothing: what it would have said stands here.
        for place, said in enumerate(completions):
            said[-1]["content"], row[place] = (told if place % 2 else "no"), code
        return [2.0 if place % 2 else 0.0 for place in range(len(completions))]

    rl.stage2(config, reward=right_ones)
    kept = read_log(tmp_path, PROGRAMS)
    assert [entry["step"] for entry in kept] == [1, 1, 2, 2]
    assert {entry["completion"] for entry in kept} == {told}
    rows = [json.loads(code) for _ in kept]
    made = [problem for problem in problems_of([e["completion"] for e in kept], rows) if problem]
    assert {(problem.call, problem.output.literal) for problem in made} == {("f(2)", "4")}
    learned = {"train": [to_row(problem) for problem in made]}
    again = stage1(folder, untrained_folder, tmp_path / "again", dataset=learned, max_steps=1)
    assert rl.stage1(again).steps == 1


def test_a_finished_run_is_not_trained_again(folder, untrained_folder, tmp_path, seen):
    config = stage1(folder, untrained_folder, tmp_path, max_steps=2, save_steps=1)
    first = rl.stage1(config)
    assert rl.stage1(config) == first
    assert len(seen) == 2
    shutil.rmtree(first.model)  # as if it had been killed before the model was saved
    again = rl.stage1(config)
    assert (again.steps, again.last["step"]) == (2, 2)
    assert len(seen) == 3
    with pytest.raises(UsageError, match="another seed"):
        rl.stage1(replace(config, seed=1))
    rl.stage1(replace(config, seed=1, resume=False))
    assert len(seen) == 5


def test_mini_batches_reuse_the_completions_of_a_batch(folder, untrained_folder, tmp_path, seen):
    config = stage1(folder, untrained_folder, tmp_path, batch=4, max_steps=4, save_steps=1)
    outcome = rl.stage1(config)
    assert outcome.steps == 4
    assert [len(batch) for batch in seen] == [8, 8]
    assert {place.name for place in tmp_path.glob("checkpoint-*")} == {
        "checkpoint-2",
        "checkpoint-4",
    }


def test_held_out_scores_are_taken_before_and_after(folder, untrained_folder, tmp_path):
    told = {"max_steps": 1, "heldout": 1, "heldout_tokens": 3}
    outcome = rl.stage1(stage1(folder, untrained_folder, tmp_path / "asked", **told))
    assert set(outcome.before) == set(outcome.after) >= {"output", "input"}
    assert "| held-out output | 0.000" in (outcome.model / "README.md").read_text()
    made = table([tmp_path / "asked"])
    assert "before stage1 | after stage1" in made
    (share,) = (one["format"] for one in read_log(tmp_path / "asked") if "format" in one)
    assert "| first and last third of | stage1, 1 updates |" in made
    assert f"| answers in the form asked for | {share:.3f}, {share:.3f} |" in made
    rl.stage1(stage1(folder, untrained_folder, tmp_path / "silent", max_steps=1))
    with pytest.raises(UsageError, match="set heldout above 0"):
        table([tmp_path / "silent"])
    with pytest.raises(UsageError, match="no finished run"):
        table([tmp_path])


def test_the_final_model_has_a_card_with_revision_and_results(folder, untrained_folder, tmp_path):
    from transformers import AutoModelForCausalLM

    config = stage1(folder, untrained_folder, tmp_path, max_steps=2, lora=2)
    outcome = rl.stage1(config)
    card = (outcome.model / "README.md").read_text()
    (_, revision), *_ = outcome.data["names"]
    assert revision in card
    assert "| reward, last step |" in card
    assert "stage I" in card
    AutoModelForCausalLM.from_pretrained(outcome.model)
    assert not list(outcome.model.glob("adapter*"))
    samples = read_log(tmp_path, "samples.jsonl")
    assert {"step", "tier", "task", "reward", "prompt", "text"} == set(samples[0])


def test_the_log_has_what_one_steers_by(folder, untrained_folder, tmp_path):
    rl.stage1(stage1(folder, untrained_folder, tmp_path, max_steps=2))
    names = {name for entry in read_log(tmp_path) for name in entry}
    assert {"io", "format", "zero_no_answer", "infrastructure_errors", "tier"} <= names
    assert {"groups", "groups_all_equal", "completions/mean_length"} <= names


def test_a_control_takes_another_reward(folder, untrained_folder, tmp_path):
    rl.stage1(stage1(folder, untrained_folder, tmp_path, max_steps=3), reward=varied)
    assert any(entry.get("reward", 0) > 0 for entry in read_log(tmp_path))


def test_stage_two_rewards_code(folder, untrained_folder, tmp_path):
    config = StageTwoConfig(
        model=untrained_folder, dataset=str(folder), out=str(tmp_path), max_steps=2, **GRPO
    )
    assert rl.stage2(config).steps == 2
    assert any("reward_code" in entry for entry in read_log(tmp_path))


def test_public_sets_are_learned_from_beside_our_own_and_counted(
    folder, untrained_folder, tmp_path
):
    tests = [f"assert twice({n}) == {2 * n}" for n in range(3)]
    told = {
        "text": "Twice a number.",
        "code": "def twice(n):\n    return n + n",
        "test_list": tests,
    }
    public = tmp_path / "public.jsonl"
    public.write_text("".join(json.dumps({**told, "id": n}) + "\n" for n in range(40)))
    config = StageTwoConfig(
        model=untrained_folder,
        dataset=str(folder),
        public=(f"mbpp:{public}",),
        out=str(tmp_path / "out"),
        **{**GRPO, "problems": 20, "max_steps": 1},
    )
    outcome = rl.stage2(config)
    assert set(outcome.data["counts"]) == {str(folder), f"mbpp:{public}"}
    assert sum(outcome.data["counts"].values()) == outcome.data["rows"]
    card = (outcome.model / "README.md").read_text()
    assert f", {outcome.data['counts'][f'mbpp:{public}']} rows\n" in card


def test_the_warm_up_learns_and_goes_on(folder, untrained_folder, tmp_path):
    config = WarmupConfig(
        model=untrained_folder,
        dataset=str(folder),
        conversations=12,
        length=6000,
        batch=4,
        out=str(tmp_path),
        save_steps=2,
        **TINY,
    )
    outcome = rl.warmup(config)
    losses = [entry["loss"] for entry in read_log(tmp_path) if "loss" in entry]
    assert losses[-1] < losses[0]
    assert outcome.steps == 6
    assert "the supervised warm-up" in (outcome.model / "README.md").read_text()


def test_an_option_that_trl_has_not_is_refused(folder, untrained_folder, tmp_path):
    config = stage1(folder, untrained_folder, tmp_path, options={"temprature": 1})
    with pytest.raises(UsageError, match="no option 'temprature'; did you mean temperature"):
        rl.stage1(config)


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_the_options_of_an_example_are_ones_of_trl(file):
    import trl

    stage = file.stem.partition("-")[0]
    made = trl.SFTConfig if stage == "warmup" else trl.GRPOConfig
    names = {field.name for field in fields(made)}
    assert set(read_config(stage, file).options) <= names
