"""The rewards in TRL's own trainer: one step of GRPO with a model that knows nothing."""

from __future__ import annotations

import pytest

from rl import rewards

pytest.importorskip("trl", reason="needs the extra rl (make test-models)")

pytestmark = pytest.mark.slow

ROW = {
    "prompt": [{"role": "user", "content": "f(3)?"}],
    "task": "output",
    "source": "def f(n):\n    return n\n",
    "entry": "f",
    "call": "f(3)",
    "output": {"type": "int", "literal": "3"},
    "exception": None,
    "questions": [
        {"kind": "executed", "line": 2, "answers": [{"type": "bool", "literal": "True"}]},
    ],
}


def test_grpo_takes_the_reward_with_its_columns(tmp_path, untrained):
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    seen: list[list[float | None]] = []

    def white_box(prompts, completions, **columns):
        seen.append(rewards.white_box(prompts, completions, **columns))
        return seen[-1]

    model, tokenizer = untrained
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=white_box,
        train_dataset=Dataset.from_list([ROW] * 2),
        args=GRPOConfig(
            output_dir=str(tmp_path),
            per_device_train_batch_size=4,
            num_generations=2,
            max_completion_length=8,
            max_steps=1,
            report_to=[],
            use_cpu=True,
            bf16=False,
        ),
    )
    trainer.train()
    assert [len(given) for given in seen] == [4]
    assert seen[0] == [0.0] * 4
    logged = {name for entry in trainer.state.log_history for name in entry}
    assert {"io", "white", "infrastructure_errors", "white_executed"} <= logged
