"""A real model, small as it is: converted, asked, graded. Needs the extra ``rl``."""

from __future__ import annotations

import json
import os
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from sample_problems import additions

pytest.importorskip("torch", reason="needs the extra rl (make test-models)")
pytest.importorskip("transformers", reason="needs the extra rl (make test-models)")

from curricula.difficulty.engines import Sampling, open_engine
from curricula.difficulty.grading import Plan, measure_rates
from curricula.difficulty.small_model import small_model
from tracing.errors import ExecVerifyError

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def engine():
    os.environ["HF_HUB_OFFLINE"] = "1"
    made = open_engine(f"transformers:{small_model()}")
    yield made
    made.close()


def said(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


def test_it_talks_sense_when_it_takes_the_likeliest_words(engine):
    asked = [said("What is the capital of France?"), said("Say the number that follows 4.")]
    made = {c.prompt: c for c in engine.complete(asked, n=2, sampling=Sampling(0.0, 1.0, 16))}
    assert "Paris" in made[0].texts[0]
    assert made[0].texts[0] == made[0].texts[1]
    assert 0 < made[1].tokens <= 32


def test_sampled_replies_differ(engine):
    made = next(engine.complete([said("Tell a story.")], n=6, sampling=Sampling(1.0, 0.9, 12)))
    assert len(made.texts) == 6
    assert len(set(made.texts)) > 1


def test_what_a_model_recommends_for_drawing_is_not_done_behind_the_back(engine, tmp_path):
    for file in small_model().iterdir():
        (tmp_path / file.name).symlink_to(file)
    recommended = tmp_path / "generation_config.json"
    own = json.loads(recommended.read_text())
    recommended.unlink()
    recommended.write_text(
        json.dumps({**own, "repetition_penalty": 9.0, "no_repeat_ngram_size": 1})
    )
    asked, greedy = [said("Say yes ten times: yes yes yes yes")], Sampling(0.0, 1.0, 24)
    made = open_engine(f"transformers:{tmp_path}")
    try:
        assert next(made.complete(asked, sampling=greedy)).texts == (
            next(engine.complete(asked, sampling=greedy)).texts
        )
    finally:
        made.close()


def test_its_revision_is_that_of_the_weights(engine):
    assert re.fullmatch(r"[0-9a-f]{12}", engine.revision)


def test_a_prompt_that_is_too_long_is_named_and_ends_nothing(engine):
    asked = [said("Hello."), said("word " * 9000), said("Bye.")]
    made = {c.prompt: c for c in engine.complete(asked, n=2, sampling=Sampling(max_tokens=4))}
    assert [len(made[place].texts) for place in range(3)] == [2, 0, 2]
    assert re.fullmatch(r"the prompt has 9,0\d\d tokens, and the model .* at most", made[1].error)


def test_problems_are_graded_by_it(engine):
    plan = Plan(samples=2, sampling=Sampling(max_tokens=24))
    made = measure_rates(additions(3), engine, plan)
    assert len(made.difficulties) == 3
    assert all(d.samples == 2 and d.revision == engine.revision for d in made.difficulties.values())


def test_it_is_graded_the_same_behind_a_local_server(engine):
    """The engine for servers reaches the same weights over HTTP."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            sampling = Sampling(body["temperature"], body["top_p"], body["max_tokens"])
            made = next(engine.complete([body["messages"]], n=body["n"], sampling=sampling))
            choices = [{"message": {"role": "assistant", "content": text}} for text in made.texts]
            data = json.dumps(
                {"choices": choices, "usage": {"completion_tokens": made.tokens}}
            ).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *arguments: object) -> None:
            pass

    greedy = Plan(samples=1, sampling=Sampling(0.0, 1.0, 24))
    problems = additions(2)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        remote = open_engine(f"openai:smollm2@{url}", concurrency=1)
        over_http = measure_rates(problems, remote, greedy)
        server.shutdown()
    here = measure_rates(problems, engine, greedy)
    assert {k: (d.passes, d.reasons) for k, d in over_http.difficulties.items()} == {
        k: (d.passes, d.reasons) for k, d in here.difficulties.items()
    }


def test_a_model_that_is_not_there_is_told(tmp_path):
    with pytest.raises(ExecVerifyError, match="cannot be loaded"):
        open_engine(f"transformers:{tmp_path}")
