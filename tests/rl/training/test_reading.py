"""The configs of training: the paper's numbers, presets, files and their errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from rl.training import StageOneConfig, StageTwoConfig, WarmupConfig, read_config
from rl.training.reading import PRESETS, setting
from tracing.errors import UsageError

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.yaml"))
VALUES = {"model": "m", "dataset": "d"}


def test_the_warm_up_is_the_papers_by_default():
    made = WarmupConfig(model="m")
    assert (made.learning_rate, made.epochs, made.scheduler) == (1e-5, 2, "cosine")
    assert (made.length, made.conversations, made.lora) == (4096, 30_000, 0)


@pytest.mark.parametrize("made", [StageOneConfig(model="m"), StageTwoConfig(model="m")])
def test_both_stages_are_the_papers_by_default(made):
    assert (made.generations, made.batch, made.mini_batch) == (8, 128, 64)
    assert (made.learning_rate, made.kl) == (1e-6, 0.0)
    assert (made.prompt_length, made.completion_length) == (2048, 4096)


def test_stage_one_mixes_as_the_paper_does():
    made = StageOneConfig(model="m")
    assert (made.output_problems, made.input_problems) == (20_000, 12_000)
    assert (made.next_statement, made.state, made.alpha, made.epochs) == (5, 5, 0.5, 4)
    assert StageTwoConfig(model="m").epochs == 5


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_every_example_is_valid(file):
    stage = file.stem.partition("-")[0]
    made = read_config(stage, file)
    assert made.dataset
    assert made.cpu == file.stem.endswith("cpu")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("stage", ["warmup", "stage1", "stage2"])
def test_every_preset_makes_a_config(preset, stage):
    assert read_config(stage, preset=preset, values=VALUES).cpu == (preset == "cpu")


def test_what_comes_later_wins(tmp_path):
    file = tmp_path / "run.yaml"
    file.write_text(
        "preset: cpu\nmodel: a\nlora: 4\nlearning_rate: 1e-4\noptions: {top_p: 0.9, top_k: 5}\n"
    )
    made = read_config("stage1", file, values={"model": "b", "options": {"top_k": 7}})
    assert (made.model, made.lora, made.learning_rate, made.cpu) == ("b", 4, 1e-4, True)
    assert made.options == {"gradient_checkpointing": False, "top_p": 0.9, "top_k": 7}
    assert not read_config("stage1", file, preset="8gpu").cpu


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("lora=8", ("lora", 8)),
        ("learning_rate=1e-5", ("learning_rate", 1e-5)),
        ("options.loss_type=dr_grpo", ("options", {"loss_type": "dr_grpo"})),
        ("report_to=[wandb]", ("report_to", ["wandb"])),
    ],
)
def test_a_setting_is_read_as_yaml(text, read):
    assert setting(text) == read


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("model: m\nlearning_rates: 1e-5", "did you mean learning_rate?"),
        ("model: m\nlearning_rate: fast", "learning_rate must be a number from 0 to 1"),
        ("model: m\nlora: true", "lora must be a whole number from 0"),
        ("model: m\nbatch: 128\nmini_batch: 48", "48 does not divide 128"),
        ("model: m\ncurriculum: sorted", "curriculum must be paced or uniform"),
        ("model: m\npreset: tpu", "there is no preset 'tpu'; choose cpu or 8gpu"),
        ("model: m\nstage: warmup", "is for 'warmup', not for stage1"),
        ("model: m\noptions: 3", "options are names and values"),
        ("model: m\nkeep: 1", "keep must be a whole number from 2"),
        ("model: m\nreport_to: 3", "report_to is a list of texts"),
        ("dataset: d", "no model is named"),
        ("- model", "holds no fields"),
        ("model: [", "is no YAML"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path, written, said):
    file = tmp_path / "run.yaml"
    file.write_text(written)
    with pytest.raises(UsageError) as caught:
        read_config("stage1", file)
    assert said in str(caught.value)


@pytest.mark.parametrize("tasks", ["[]", "code", "[output, output]"])
def test_a_warm_up_of_tasks_that_there_are_not_is_refused(tmp_path, tasks):
    file = tmp_path / "run.yaml"
    file.write_text(f"model: m\ntasks: {tasks}")
    with pytest.raises(UsageError, match="tasks must be some of output, input, each once"):
        read_config("warmup", file)


@pytest.mark.parametrize("text", ["lora", "=3", "options.x={"])
def test_a_setting_without_a_form_is_refused(text):
    with pytest.raises(UsageError):
        setting(text)


def test_a_stage_that_is_not_there_is_refused():
    with pytest.raises(UsageError, match="did you mean stage1"):
        read_config("stage_1", values=VALUES)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "model: m\noptions: &a {x: *a}\n",
        "model: 2024-99-99\n",
        "model: " + "9" * 9000,
    ],
    ids=["deep", "a cycle", "no date", "too many digits"],
)
def test_a_file_that_cannot_be_read_is_a_sentence(tmp_path, text):
    file = tmp_path / "run.yaml"
    file.write_text(text)
    with pytest.raises(UsageError, match="is no YAML"):
        read_config("stage1", file)
    with pytest.raises(UsageError, match="is no value"):
        setting(f"lora={'[' * 100_000}")
