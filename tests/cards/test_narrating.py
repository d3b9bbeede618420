"""What a model wrote is kept: a publication that is cut short ends as it was begun."""

from __future__ import annotations

from collections import Counter

import pytest

from cards.manifest import read_manifest
from cards.staging import stage
from curricula.difficulty.engines.base import DEFAULT, Completion
from curricula.narrator import narrate
from curricula.narrator.by_model import prompt_of
from curricula.narrator.replies import remembered
from curricula.problem import from_row
from curricula.views.stage1 import TASKS
from synth import Spec, build_folder
from synth import folder as folders
from tests.curricula.difficulty.scripted import ScriptedServer
from tracing import run
from tracing.errors import ExecVerifyError


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    out = tmp_path_factory.mktemp("narrated") / "build"
    build_folder(Spec("all", 12, 7), out, workers=1)
    return out


@pytest.fixture(scope="module")
def right(built):
    """A right reply to each prompt."""
    replies = {}
    for row in (row for _, row in folders.split_rows(built)):
        problem = from_row(row)
        trace = run(problem.source, problem.call)
        for task in TASKS:
            told = narrate(problem, trace, task).messages[-1]["content"]
            replies[prompt_of(problem, task)[-1]["content"]] = told
    return replies


@pytest.fixture
def build(built, tmp_path):
    """The build in a folder of its own, with nothing beside it."""
    place = tmp_path / "build"
    place.symlink_to(built)
    return place


@pytest.fixture
def server(right):
    """A server that words each reply anew, and is wrong for every fourth prompt."""
    asked = Counter()

    def answer(prompt, n):
        asked[prompt] += 1
        if list(right).index(prompt) % 4 == 0:
            return ["I do not know."] * n
        return [f"This is answer no. {sum(asked.values())}.\n{right[prompt]}"] * n

    with ScriptedServer(answer) as running:
        running.asked = asked
        yield running


def staged(build, place, **options):
    stage(build, place, configs=["sft"], **options)
    manifest = read_manifest(place)
    return manifest["files"], manifest["narration"]


def test_a_second_publication_asks_for_nothing_again_and_has_the_same_files(
    server, right, build, tmp_path
):
    first = staged(build, tmp_path / "a", narrator=server.spec)
    assert server.asked == dict.fromkeys(right, 1)
    assert staged(build, tmp_path / "b", narrator=server.spec) == first
    assert server.asked == dict.fromkeys(right, 1)


class Failing:
    """An engine that gives so many replies in all, each another, and then fails."""

    model, revision = "failing", ""

    def __init__(self, left):
        self.left, self.asked = left, []

    def complete(self, prompts, *, n=1, sampling=DEFAULT):
        for place, prompt in enumerate(prompts):
            if not self.left:
                raise ExecVerifyError("the server is gone")
            self.left -= 1
            self.asked.append(prompt[0]["content"])
            yield Completion(place, (f"reply {len(self.asked)}",))

    def close(self):
        pass


def test_what_was_replied_before_a_failure_is_not_asked_for_again(tmp_path):
    engine, prompts = Failing(6), [[{"role": "user", "content": str(n)}] for n in range(10)]
    names = [f"problem {n}" for n in range(10)]

    def asked():
        with remembered(engine, DEFAULT, tmp_path / ".build.narration") as model:
            return {c.prompt: c.texts for c in model.ask(names, prompts)}

    with pytest.raises(ExecVerifyError, match="the server is gone"):
        asked()
    engine.left = 10
    first = asked()
    assert engine.asked == [str(n) for n in range(10)]
    assert first == {n: (f"reply {n + 1}",) for n in range(10)} == asked()


def test_what_a_model_wrote_is_taken_over_when_its_folder_is_staged_again(server, build, tmp_path):
    first = staged(build, tmp_path / "a", narrator=server.spec)
    server.asked.clear()
    assert staged(tmp_path / "a", tmp_path / "b") == first
    assert first[1]["refused"] == {"the answer is not right": 6}
    assert not server.asked


def test_another_model_writes_anew(server, build, tmp_path):
    staged(build, tmp_path / "a", narrator=server.spec)
    before = sum(server.asked.values())
    other = server.spec.replace("scripted", "other")
    _, narration = staged(build, tmp_path / "b", narrator=other)
    assert narration["narrator"] == "openai:other"
    assert sum(server.asked.values()) == 2 * before
