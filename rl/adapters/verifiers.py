"""Problems as a taskset of the package ``verifiers``; needs the extra ``verifiers``.

Its loader wants a module of one word that exports one taskset, so write one of your own::

    # my_curriculum.py
    from rl.adapters.verifiers import Curriculum
    __all__ = ["Curriculum"]
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from typing import Any

import verifiers.v1 as vf

from curricula.narrator.answers import right_answer
from curricula.problem import from_row
from curricula.prompts import output_prompt
from curricula.scoring import HIGHEST
from curricula.scoring.rows import read_row
from rl.rewards import Reward, score
from tracing.errors import InfrastructureError

__all__ = ["Curriculum", "CurriculumConfig", "CurriculumData", "CurriculumTask"]


class CurriculumTaskConfig(vf.TaskConfig):  # type: ignore[misc]
    """How a reply is rewarded; as for :func:`rl.rewards.score`."""

    alpha: float = 0.5
    gate: bool = False


class CurriculumConfig(vf.TasksetConfig):  # type: ignore[misc]
    """Which rows: what ``datasets.load_dataset`` takes."""

    path: str = ""
    """A folder that ``synth build`` made, or a dataset on the Hub."""
    subset: str | None = "problems"
    split: str = "train"
    task: CurriculumTaskConfig = CurriculumTaskConfig()


class CurriculumData(vf.TaskData):  # type: ignore[misc]
    """A prompt, with the row that its reply is scored by."""

    row: str = ""


class CurriculumTask(vf.Task[CurriculumData, vf.State, CurriculumTaskConfig]):  # type: ignore[misc]
    """One problem, answered in one turn."""

    @vf.reward  # type: ignore[untyped-decorator]
    async def score_reply(self, trace: Any) -> float:
        """Score the reply, in a thread.

        Args:
            trace: What happened in the rollout.

        Returns:
            The reward in [0, 2].

        Raises:
            InfrastructureError: The machine failed; verifiers then sorts the rollout out.
        """
        config = self.config
        reward: Reward = await asyncio.to_thread(
            score,
            trace.last_reply,
            json.loads(self.data.row),
            alpha=config.alpha,
            gate=config.gate,
        )
        if reward.total is None:
            raise InfrastructureError(reward.reason)
        trace.record_metric("io", reward.io)
        trace.record_metric("white", reward.white)
        trace.info["reason"] = reward.reason
        return reward.total

    async def validate(self, runtime: Any) -> bool | None:
        """Score the row's own answer, for ``vf-validate``.

        Args:
            runtime: Unused; scoring confines what it runs itself.

        Returns:
            Whether it earns all, or None where the row holds no answer, as those of code.

        Raises:
            InfrastructureError: The machine failed.
        """
        row = json.loads(self.data.row)
        known = read_row(row)
        if known.task == "code":
            return None
        answer = f"<answer>\n{right_answer(known)}\n</answer>"
        reward: Reward = await asyncio.to_thread(score, answer, row)
        if reward.total is None:
            raise InfrastructureError(reward.reason)
        return reward.total == HIGHEST


class Curriculum(vf.Taskset[CurriculumTask, CurriculumConfig]):  # type: ignore[misc]
    """The problems of a dataset."""

    def load(self) -> Iterable[CurriculumTask]:
        """Yield a task for each row.

        Yields:
            Tasks whose prompt is the row's own, or the one for its output.
        """
        from datasets import load_dataset

        config = self.config
        rows = load_dataset(config.path, config.subset, split=config.split)
        return (task_of(row, config.task) for row in rows)


def task_of(row: Mapping[str, Any], config: CurriculumTaskConfig | None = None) -> CurriculumTask:
    """Make a task of a row.

    Args:
        row: A row of the ``problems`` config, or one with a column ``prompt`` and what
            docs/rewards.md names.
        config: How replies are rewarded.

    Returns:
        The task.
    """
    prompt = row.get("prompt") or output_prompt(from_row(row))
    known = {name: value for name, value in row.items() if name != "prompt"}
    data = CurriculumData(id=row.get("id"), prompt=prompt, row=json.dumps(known, default=str))
    return CurriculumTask(data, config)
