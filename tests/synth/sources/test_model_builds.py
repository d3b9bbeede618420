"""A build from what a model proposes: proved as ever, resumed without asking twice."""

import json
import random
from collections import Counter
from dataclasses import replace

import pytest
from scripted import Faults, ScriptedServer

from cards.remaking import build_command
from curricula.difficulty.engines import Completion, without_address
from synth import build, generate, report, shard_files, work
from synth.inputs import candidates
from synth.sources import make_shards, prompt_for, proposing
from synth.sources.reading import proposed_by
from synth.spec import Spec
from tracing.errors import ExecVerifyError, MissingExtraError, UsageError

SPEC = Spec(tier="medium", size=25, seed=3, source="scripted")


def replies(count):
    """Write down what a good model would reply: the generator's programs, where it has one."""
    table = {}
    for number in range(count):
        (message,) = prompt_for(proposing._shape(SPEC, number))
        made = generate._program(SPEC.seed, number, SPEC.tier, None, False)
        if made is None:
            table.setdefault(message["content"], "I am sorry.")
            continue
        calls = candidates(made, random.Random(number), 3)
        lines = "\n".join(f"{made.entry}({', '.join(arguments)})" for arguments in calls)
        table[message["content"]] = f"Here it is:\n```python\n{made.source}\n{lines}\n```"
    return table


@pytest.fixture(scope="module")
def server():
    table = replies(640)
    with ScriptedServer(lambda prompt, n: [table.get(prompt, "no")] * n) as running:
        yield running


@pytest.mark.slow
def test_a_build_holds_what_was_proposed_and_proved(server, tmp_path):
    spec = replace(SPEC, source=server.spec)
    made = build.build_folder(spec, tmp_path / "out", workers=1)
    assert made.problems == 25
    reasons = dict(made.refused)
    assert reasons["it is not of the shape that was asked for"] > 0
    assert made.programs_tried > made.programs_kept + sum(reasons.values()) - 1
    assert dict(report.read(tmp_path / "out").refused) == reasons
    rows = build.folder.load(tmp_path / "out")["train"]
    assert set(rows[0]["provenance"]["idioms"]) == {f"proposed by {without_address(server.spec)}"}
    assert made.idioms == (f"proposed by {without_address(server.spec)}",)
    assert report.read(tmp_path / "out").catalogue == made.catalogue != ()


def test_the_address_of_a_server_and_its_password_are_not_published():
    spec = replace(SPEC, source="openai:org/m@http://user:pw@10.0.0.3:8000/v1")
    built = work.identity(spec)
    assert built["spec"]["source"] == "openai:org/m"
    assert built == work.identity(replace(spec, source="openai:org/m@https://elsewhere/v1"))
    assert proposed_by(spec.source) == "proposed by openai:org/m"
    assert "--source openai:org/m@URL " in build_command(built["spec"])


@pytest.mark.slow
def test_an_interrupted_shard_asks_for_nothing_twice(server, tmp_path):
    spec = replace(SPEC, source=server.spec)
    (first,) = make_shards(spec, [0], tmp_path, 1)
    whole = (shard_files.place_of(tmp_path, 0) / "problems.parquet").read_bytes()
    kept = tmp_path / "replies-000000.jsonl"
    asked = server.requests
    again = tmp_path / "again"
    again.mkdir()
    (again / kept.name).write_bytes(kept.read_bytes())
    assert list(make_shards(spec, [0], again, 1)) == [first]
    assert server.requests == asked
    assert (shard_files.place_of(again, 0) / "problems.parquet").read_bytes() == whole
    # What a kill has cut short is asked again, and no more than that batch.
    cut = tmp_path / "cut"
    cut.mkdir()
    lines = kept.read_bytes().splitlines(keepends=True)
    (cut / kept.name).write_bytes(b"".join(lines[:-1]) + lines[-1][:5])
    assert list(make_shards(spec, [0], cut, 1)) == [first]
    assert server.requests == asked + 1
    assert (shard_files.place_of(cut, 0) / "problems.parquet").read_bytes() == whole


@pytest.mark.slow
def test_a_prompt_that_the_server_refuses_for_good_ends_no_build(tmp_path):
    table = replies(320)
    (message,) = prompt_for(proposing._shape(SPEC, 0))
    faults = Faults(refuse=message["content"])
    with ScriptedServer(lambda prompt, n: [table.get(prompt, "no")] * n, faults) as running:
        (made,) = make_shards(replace(SPEC, source=running.spec), [0], tmp_path, 1)
    assert made.problems == 25
    assert made.counts["the engine gave no answer"] >= 1
    assert (tmp_path / "replies-000000.jsonl").read_text().startswith("null\n")


def test_a_model_that_proposes_nothing_ends_with_the_reasons(tmp_path, monkeypatch):
    monkeypatch.setattr(proposing, "PATIENCE", 64)
    with ScriptedServer(lambda prompt, n: ["I cannot."] * n) as running:
        spec = replace(SPEC, source=running.spec)
        with pytest.raises(ExecVerifyError, match=r"64 replies of .*the reply does not parse: 64"):
            list(make_shards(spec, [0], tmp_path, 1))
    lines = (tmp_path / "replies-000000.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == ["I cannot."] * 64


def test_a_source_that_there_is_not_is_a_plain_error(tmp_path):
    with pytest.raises(UsageError, match="names no engine"):
        build.build_folder(replace(SPEC, source="gpt"), tmp_path / "out")
    for source in (
        "openai:m@http://[::1",
        "openai:m@http://x:port/v1",
        "openai:m@http:///v1",
        "openai:m@http://x\udc80/v1",
        "openai:\udc80@http://x/v1",
        "ray:8:gpt",
        "vllm: ",
    ):
        with pytest.raises((UsageError, MissingExtraError), match="names no"):
            build.build_folder(
                replace(SPEC, source=source), tmp_path / "out", begin=lambda _: pytest.fail("begun")
            )
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UsageError, match="local executor"):
        build.build_folder(replace(SPEC, source="openai:m@http://x"), tmp_path, executor="ray")


@pytest.mark.parametrize(
    "line", [b"{cut", b"3", b'["a"]', b"\xff", b"", b"[" * 100_000], ids=lambda line: repr(line[:9])
)
def test_a_damaged_line_among_the_replies_is_named(tmp_path, line):
    path = tmp_path / "replies-000000.jsonl"
    path.write_bytes(b'"I cannot."\n' + line + b'\n"so"\n')
    spec = replace(SPEC, source="openai:m@http://127.0.0.1:9/v1")
    with pytest.raises(ExecVerifyError, match=r"line 2 of .*replies-000000\.jsonl is no reply"):
        list(make_shards(spec, [0], tmp_path, 1))
    assert path.read_bytes().endswith(b'"so"\n')


class Forgetful:
    """Passes over every other prompt, and gives one an empty list."""

    model, revision = "forgetful", ""
    asked = 0

    def complete(self, prompts, *, n=1, sampling=None):
        self.asked += len(prompts)
        yield Completion(0, ())
        for place in range(1, len(prompts), 2):
            yield Completion(place, ("I cannot.",))

    def close(self):
        pass


def test_a_prompt_without_an_answer_is_counted_and_not_asked_again(tmp_path, monkeypatch):
    monkeypatch.setattr(proposing, "PATIENCE", proposing.BATCH)
    engine = Forgetful()
    half = proposing.BATCH // 2
    for _ in range(2):
        refused = Counter()
        with pytest.raises(ExecVerifyError, match="gave no program"):
            list(proposing.programs_of(SPEC, 0, engine, tmp_path, refused))
        assert refused == {"the engine gave no answer": half, "the reply does not parse": half}
        assert engine.asked == proposing.BATCH
