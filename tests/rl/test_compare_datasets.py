"""The recipe that compares two datasets: rows of any form, equal amounts, both sides measured."""

from __future__ import annotations

import importlib.util
import json
import random
from dataclasses import fields
from pathlib import Path

import pytest

from rl.evaluation.benchmarks.reading import BenchmarkError, Line
from tracing.errors import ExecVerifyError, UsageError

EXAMPLE = Path(__file__).parents[2] / "examples" / "compare_datasets.py"


@pytest.fixture(scope="module")
def recipe():
    spec = importlib.util.spec_from_file_location("compare_datasets", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ASKED = [{"role": "user", "content": "why?"}, {"role": "assistant", "content": "so"}]


@pytest.mark.parametrize(
    ("columns", "read"),
    [
        ({"messages": ASKED}, ASKED),
        (
            {
                "conversations": [
                    {"from": "human", "value": "why?"},
                    {"from": "gpt", "value": "so"},
                ]
            },
            ASKED,
        ),
        ({"prompt": "why?", "turn_1": "so", "feedback_1": "no"}, ASKED),
        ({"instruction": "why?", "output": "so", "input": ""}, ASKED),
        ({"prompt": "why?", "completion": None}, None),
        ({"prompt": "why?", "completion": " "}, None),
        ({"messages": ASKED[:1]}, None),
    ],
)
def test_conversations_are_read_out_of_rows_of_any_form(recipe, columns, read):
    assert recipe.conversation(Line("data, row 1", columns)) == read


@pytest.mark.parametrize("columns", [{"text": "x"}, {"messages": ["x"]}, {"messages": [{}]}])
def test_a_row_without_a_conversation_is_named(recipe, columns):
    with pytest.raises(BenchmarkError, match="data, row 1: "):
        recipe.conversation(Line("data, row 1", columns))


class Words:
    """A tokenizer that counts words."""

    def apply_chat_template(self, messages, tokenize):
        return " ".join(message["content"] for message in messages)

    def __call__(self, text):
        return type("Tokens", (), {"input_ids": text.split()})


def test_sides_get_as_many_conversations_none_too_long(recipe):
    found = [[{"role": "user", "content": "a " * n}] for n in range(1, 20)]
    chosen = recipe.choose(iter(found), 5, 9, Words())
    assert len(chosen) == 5
    with pytest.raises(ExecVerifyError, match="only 9 conversations of at most 9 tokens, not 12"):
        recipe.choose(iter(found), 12, 9, Words())


def test_the_order_of_a_file_follows_from_the_seed(recipe, tmp_path):
    path = tmp_path / "data.jsonl"
    rows = [{"prompt": str(n), "completion": "x"} for n in range(20)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def order(seed):
        found = recipe.conversations(str(path), random.Random(seed))
        return [messages[0]["content"] for messages in found]

    assert order(1) == order(1) != order(2)
    assert sorted(order(1)) == sorted(order(2))


def given(recipe, *words):
    needed = ["--model", "m", "--ours", "a", "--other", "b"]
    return recipe.arguments([*needed, *words])


def test_both_sides_learn_alike_in_weights_that_keep_small_updates(recipe):
    pytest.importorskip("trl", reason="needs the extra rl (make test-models)")
    from trl import SFTConfig

    from rl.training.models import arguments, devices

    one, other = (recipe.config_of(side, given(recipe, "--cpu")) for side in recipe.SIDES)
    differing = {
        field.name
        for field in fields(one)
        if getattr(one, field.name) != getattr(other, field.name)
    }
    assert differing == {"dataset", "out"}
    args = arguments(SFTConfig, one, **devices(one.batch, one.device_batch))
    assert args.model_init_kwargs["dtype"] == "float32"
    assert args.per_device_train_batch_size * args.gradient_accumulation_steps == 64


def test_the_batch_is_the_same_on_any_number_of_processes(recipe, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "8")
    from rl.training.models import devices

    config = recipe.config_of("ours", given(recipe))
    shared = devices(config.batch, config.device_batch)
    assert 8 * shared["per_device_train_batch_size"] * shared["gradient_accumulation_steps"] == 64


def test_deepspeed_s_config_goes_to_the_trainer(recipe):
    config = recipe.config_of("ours", given(recipe, "--deepspeed", "examples/zero3.json"))
    assert config.options["deepspeed"] == "examples/zero3.json"


def test_several_processes_train_and_do_not_evaluate(recipe, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "8")
    for step in ("all", "evaluate"):
        with pytest.raises(UsageError, match="evaluate with one process"):
            recipe.run(given(recipe, "--step", step))


@pytest.mark.slow
def test_the_recipe_trains_both_sides_and_compares_them(recipe, tmp_path, request):
    pytest.importorskip("trl", reason="needs the extra rl (make test-models)")
    import pyarrow as pa
    import pyarrow.parquet as pq

    import synth
    from curricula.problem import SCHEMA, to_row

    for part in request.getfixturevalue("untrained"):
        part.save_pretrained(tmp_path / "model")
    folder = tmp_path / "built" / "data" / "problems"
    folder.mkdir(parents=True)
    table = pa.Table.from_pylist([to_row(next(synth.stream(seed=1)))], schema=SCHEMA)
    pq.write_table(table, folder / "train-00000-of-00001.parquet")
    other = tmp_path / "other.jsonl"
    other.write_text("".join(json.dumps({"prompt": "a", "turn_1": "b"}) + "\n" for _ in range(9)))
    data = tmp_path / "cruxeval.jsonl"
    row = {"id": "a", "code": "def f(n):\n    return n", "input": "1", "output": "1"}
    data.write_text(json.dumps(row) + "\n")
    words = f"""--model {tmp_path}/model --ours {tmp_path}/built --other {other} --count 2
        --length 100000 --epochs 1 --cpu --max-tokens 4 --benchmarks cruxeval={data}
        --out {tmp_path}/runs"""
    recipe.run(recipe.arguments(words.split()))
    summary = json.loads((tmp_path / "runs" / "summary.json").read_text())
    assert summary["cruxeval"]["output/ours"] == {"base": 0.0, "other": 0.0, "ours": 0.0, "p": 1.0}
    for side in ("ours", "other"):
        assert (tmp_path / "runs" / side / "final" / "model.safetensors").exists()
        told = json.loads((tmp_path / "runs" / side / "run.json").read_text())
        assert told["stage"] == "comparison"
    before = (tmp_path / "runs" / "summary.json").read_bytes()
    weights = (tmp_path / "runs" / "ours" / "final" / "model.safetensors").stat()
    recipe.run(recipe.arguments(words.split()))
    assert (tmp_path / "runs" / "summary.json").read_bytes() == before
    assert (tmp_path / "runs" / "ours" / "final" / "model.safetensors").stat() == weights
    with pytest.raises(UsageError, match="another"):
        recipe.run(recipe.arguments([*words.split(), "--batch", "2", "--step", "ours"]))
    # Killed while the model was saved: that is no model yet.
    (tmp_path / "runs" / "ours" / "final").rename(tmp_path / "runs" / "ours" / ".model")
    (tmp_path / "runs" / "ours" / ".model" / "model.safetensors").unlink()
    recipe.run(recipe.arguments([*words.split(), "--step", "ours"]))
    assert (tmp_path / "runs" / "ours" / "final" / "model.safetensors").exists()
