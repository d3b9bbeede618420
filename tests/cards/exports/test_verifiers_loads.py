"""verifiers itself: the package is installed by pip, found by its name, and plays episodes.

A server of the OpenAI protocol says what the model says, so the rewards are known.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import Distribution, version
from pathlib import Path

import pyarrow.parquet as pq
import pytest

pytest.importorskip("verifiers.v1", reason="needs verifiers (make test-exports)")

from packaging.requirements import Requirement
from verifiers.v1 import EvalClientConfig, ModelContext
from verifiers.v1.utils.loaders import load_environment, resolve_env_config

sys.path.append(str(Path(__file__).parents[2] / "curricula" / "difficulty"))
from scripted import ScriptedServer


@pytest.fixture(scope="module")
def installed(exported, tmp_path_factory):
    """A folder that pip installed the package into, on the module path."""
    place = tmp_path_factory.mktemp("installed")
    # A copy, since setuptools builds beside the sources.
    sources = shutil.copytree(exported["verifiers"], tmp_path_factory.mktemp("sources") / "package")
    command = ["install", "-q", "--no-deps", "--no-build-isolation", "--target", str(place)]
    done = subprocess.run(
        [sys.executable, "-m", "pip", *command, str(sources)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    sys.path.insert(0, str(place))
    yield place
    sys.path.remove(str(place))
    sys.modules.pop("execverify_curriculum", None)


@pytest.fixture
def environment(installed):
    """The environment with the test split, as its own loader makes it."""
    agent = {"harness": {"id": "asking"}, "runtime": {"type": "subprocess"}}
    taskset = {"id": "execverify-curriculum", "split": "train"}
    return load_environment(resolve_env_config({"taskset": taskset, "agent": agent}))


def played(environment, tasks, reply_to):
    """The rewards of episodes whose model replies what is given for its prompt."""

    async def play(server):
        client = EvalClientConfig(base_url=f"http://127.0.0.1:{server.port}/v1", api_key_var="NONE")
        context = ModelContext("scripted", client)
        async with environment.serving():
            return [await environment.run_episode(task, context) for task in tasks]

    with ScriptedServer(lambda prompt, count: [reply_to(prompt)] * count) as server:
        episodes = asyncio.run(play(server))
    traces = [trace for one in episodes for trace in one.traces]
    assert [error.message for one in (*episodes, *traces) for error in one.errors] == []
    return [trace.reward for trace in traces]


def test_what_the_package_requires_is_what_is_installed(installed):
    (metadata,) = installed.glob("execverify_curriculum-*.dist-info")
    for text in Distribution.at(metadata).requires:
        wanted = Requirement(text)
        assert wanted.specifier.contains(version(wanted.name), prereleases=True)


def test_its_loader_finds_a_task_for_each_prompt(environment, installed):
    path = installed / "execverify_curriculum/data/train.parquet"
    rows = pq.read_table(path).to_pylist()
    tasks = list(environment.taskset)
    assert [task.data.id for task in tasks] == [row["id"] for row in rows]
    said = [[message.content for message in task.data.prompt] for task in tasks]
    assert said == [[message["content"] for message in row["prompt"]] for row in rows]


def test_an_episode_earns_all_for_a_right_reply_and_nothing_for_a_wrong_one(environment, replies):
    tasks = list(environment.taskset)[:5]
    known = {task.data.prompt_text: reply for task, reply in zip(tasks, replies, strict=False)}
    assert played(environment, tasks, known.__getitem__) == [2.0] * 5
    assert played(environment, tasks, lambda _: "<answer>\nnothing\n</answer>") == [0.0] * 5


def test_its_validate_command_finds_every_answer_right_and_none_solved_untouched(
    installed, tmp_path
):
    command = Path(sys.executable).with_name("vf-validate")
    options = ["--taskset.split", "train", "--runtime.type", "subprocess", "-o", str(tmp_path)]
    done = subprocess.run(
        [command, "execverify-curriculum", *options],
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    (summary,) = tmp_path.rglob("summary.json")
    found = json.loads(summary.read_text())
    total = pq.read_metadata(installed / "execverify_curriculum/data/train.parquet").num_rows
    assert {name: counts["valid"] for name, counts in found["checks"].items()} == {
        "gold": total,
        "noop": total,
    }
