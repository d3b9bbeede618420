"""What is wrong with a run is said in a sentence before anything is made, asked or written."""

from __future__ import annotations

import json
from importlib import util
from pathlib import Path

import pytest

import rl
from rl.training import StageOneConfig, StageTwoConfig, WarmupConfig
from rl.training.models import arguments, building, lora_of
from rl.training.needs import check_needs
from tracing.errors import ExecVerifyError, MissingExtraError, UsageError

pytest.importorskip("trl", reason="needs the extra rl (make test-models)")

TINY = {"cpu": True, "precision": "float32", "device_batch": 4}
GRPO = {**TINY, "generations": 2, "batch": 4, "mini_batch": 2, "completion_length": 6}
ZERO = {"deepspeed": {"zero_optimization": {"stage": 3}}}


@pytest.fixture
def absent(monkeypatch):
    """Let a package not be installed, or be."""
    known = util.find_spec

    def set_absent(*names, there=()):
        def find(name, *rest):
            return None if name in names else object() if name in there else known(name, *rest)

        monkeypatch.setattr(util, "find_spec", find)

    return set_absent


def stage_arguments(**values):
    from rl.training.stages import _arguments

    return _arguments(StageOneConfig(model="m", **{**GRPO, **values}))


@pytest.mark.parametrize("mode", ["colocate", "server"])
def test_vllm_that_is_not_installed_is_said_in_both_modes(absent, mode):
    absent("vllm")
    with pytest.raises(MissingExtraError, match=r"execverify\[vllm\]"):
        check_needs(StageOneConfig(model="m", use_vllm=True, vllm_mode=mode))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tensorboard", r"execverify\[rl\]"),
        ("trackio", "pip install trackio, or take it out of report_to"),
        ("wandb", "pip install wandb, or take it out of report_to"),
    ],
)
def test_a_reporter_that_is_not_installed_is_said(absent, name, said):
    absent(name, "tensorboardX")
    with pytest.raises(MissingExtraError, match=said):
        check_needs(WarmupConfig(model="m", report_to=(name,)))


def test_deepspeed_that_is_not_installed_is_said(absent):
    absent("deepspeed")
    with pytest.raises(MissingExtraError, match="pip install deepspeed, or set options"):
        check_needs(WarmupConfig(model="m", options=ZERO))


def test_deepspeed_without_a_launcher_is_said(absent, monkeypatch):
    absent(there=["deepspeed"])
    monkeypatch.delenv("RANK", raising=False)
    with pytest.raises(UsageError, match="DeepSpeed needs a launcher"):
        check_needs(WarmupConfig(model="m", options=ZERO))
    monkeypatch.setenv("RANK", "0")
    check_needs(WarmupConfig(model="m", options=ZERO))


@pytest.mark.parametrize("launched", ["ACCELERATE_USE_DEEPSPEED", "ACCELERATE_USE_FSDP"])
def test_an_adapter_that_could_not_be_merged_is_refused(monkeypatch, launched):
    with pytest.raises(UsageError, match="cannot be merged into weights that DeepSpeed"):
        check_needs(WarmupConfig(model="m", lora=8, options=ZERO))
    monkeypatch.setenv(launched, "true")
    with pytest.raises(UsageError, match="cannot be merged into weights that DeepSpeed"):
        check_needs(WarmupConfig(model="m", lora=8))


@pytest.mark.parametrize("error", [ImportError, RuntimeError, ValueError])
def test_a_trainer_that_refuses_says_so_in_a_sentence(error):
    with (
        pytest.raises(ExecVerifyError, match="the trainer cannot be made: no such thing"),
        building(),
    ):
        raise error("no\nsuch thing")


def test_several_gpus_without_a_launcher_are_said():
    import trl

    class Seeing(trl.SFTConfig):
        n_gpu = 2

    with pytest.raises(UsageError, match="one process sees 2 GPUs"):
        arguments(Seeing, WarmupConfig(model="m", **TINY))


@pytest.mark.parametrize(
    ("made", "values"),
    [
        (WarmupConfig, {"report_to": "tensorboard"}),
        (WarmupConfig, {"tasks": "output"}),
        (StageTwoConfig, {"public": "mbpp:x"}),
    ],
)
def test_a_text_is_not_split_into_letters(made, values):
    with pytest.raises(UsageError, match="must be a tuple of texts"):
        made(model="m", **values)


def test_a_batch_that_options_change_is_refused():
    for options in ({"per_device_train_batch_size": 2}, {"num_generations": 4}):
        with pytest.raises(UsageError, match="built on batch 4 and generations 2"):
            stage_arguments(options=options)
    with pytest.raises(UsageError, match="no whole number of updates"):
        stage_arguments(options={"gradient_accumulation_steps": 3})


def test_checkpoints_are_between_batches_whatever_the_options_say():
    assert stage_arguments(save_steps=3).save_steps == 4
    assert stage_arguments(options={"save_steps": 5}).save_steps == 6
    # A batch of two updates that is learned from three times.
    assert stage_arguments(options={"save_steps": 7, "num_iterations": 3}).save_steps == 12
    with pytest.raises(UsageError, match=r"options\.save_steps is a whole number"):
        stage_arguments(options={"save_steps": 0.5})


def test_the_folder_is_said_by_out_alone():
    with pytest.raises(UsageError, match="set out"):
        WarmupConfig(model="m", options={"output_dir": "elsewhere"})


def test_what_an_adapter_is_can_be_set():
    told = {"lora_alpha": 4, "lora_dropout": 0.1, "target_modules": ["q_proj"]}
    made = lora_of(WarmupConfig(model="m", lora=2, lora_options=told))
    assert (made.r, made.lora_alpha, made.lora_dropout) == (2, 4, 0.1)
    assert made.target_modules == {"q_proj"}
    with pytest.raises(UsageError, match="did you mean lora_alpha"):
        lora_of(WarmupConfig(model="m", lora=2, lora_options={"lora_alfa": 4}))
    with pytest.raises(UsageError, match="lora is 0"):
        WarmupConfig(model="m", lora_options=told)


@pytest.mark.slow
def test_a_start_that_fails_leaves_its_folder_free(folder, untrained_folder, tmp_path, monkeypatch):
    asked = []

    def scores(model, *_, **__):
        asked.append(model)
        return type("Report", (), {"scores": ()})()

    monkeypatch.setattr("rl.evaluation.evaluate", scores)
    out = tmp_path / "out"
    told = {**GRPO, "model": untrained_folder, "dataset": str(folder), "out": str(out)}
    told |= {"output_problems": 6, "input_problems": 4, "prompt_length": 2000, "heldout": 1}
    wrong = ({"options": {"temprature": 1}}, {"batch": 2000, "mini_batch": 2000})
    for values in wrong:
        with pytest.raises(UsageError):
            rl.stage1(StageOneConfig(**{**told, **values}))
    assert not asked
    assert not out.exists()

    def fail(*_, **__):
        raise RuntimeError("no such kernel")

    with monkeypatch.context() as patch:
        patch.setattr("trl.GRPOTrainer.__init__", fail)
        with pytest.raises(ExecVerifyError, match="no such kernel"):
            rl.stage1(StageOneConfig(**told))
    assert asked == [untrained_folder]
    # Corrected, the same command begins, and the first model is asked anew where it must be.
    told |= {"max_steps": 2, "save_steps": 2}
    again = StageOneConfig(**told)
    with monkeypatch.context() as patch:
        patch.setattr("trl.GRPOTrainer.__init__", fail)
        with pytest.raises(ExecVerifyError, match="no such kernel"):
            rl.stage1(again)
    assert asked == [untrained_folder] * 2
    rl.stage1(again)
    assert asked == [untrained_folder] * 2 + [str(out / ".model")]
    assert json.loads((out / "before.json").read_text()) == {}
    assert Path(out / "final").is_dir()
