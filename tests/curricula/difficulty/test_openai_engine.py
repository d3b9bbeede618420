"""The engine for OpenAI-compatible servers, against a real server that misbehaves."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest
from scripted import Faults, ScriptedServer

from curricula.difficulty.engines import Sampling, open_engine
from tracing.errors import ExecVerifyError, UsageError


def prompts(count: int):
    return [[{"role": "user", "content": f"prompt {i}"}] for i in range(count)]


def echo(prompt: str, n: int) -> list[str]:
    return [f"{prompt} reply {i}" for i in range(n)]


def asked(server: ScriptedServer, count: int, n: int = 1, **options):
    options.setdefault("pause", 0.01)
    engine = open_engine(server.spec, **options)
    done = list(engine.complete(prompts(count), n=n, sampling=Sampling(0.7, 0.8, 99)))
    return {completion.prompt: completion for completion in done}, done


def test_every_prompt_gets_its_replies_once():
    with ScriptedServer(echo) as server:
        by_prompt, done = asked(server, 50, n=3)
    assert len(done) == 50
    assert all(c.texts == tuple(echo(f"prompt {i}", 3)) for i, c in by_prompt.items())
    assert all(c.tokens == 21 and not c.error for c in done)
    assert server.requests == 50


def test_the_request_says_how_to_sample_and_sends_no_seed_and_no_key(monkeypatch):
    monkeypatch.delenv("EXECVERIFY_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    with ScriptedServer(echo) as server:
        asked(server, 1, n=2)
    assert server.bodies == [
        {
            "model": "scripted",
            "messages": [{"role": "user", "content": "prompt 0"}],
            "n": 2,
            "temperature": 0.7,
            "top_p": 0.8,
            "max_tokens": 99,
        }
    ]
    assert "Authorization" not in {name.title() for name in server.headers[0]}


def test_what_is_sent_in_addition_is_kept_as_the_revision():
    extra = {"top_k": 0, "chat_template_kwargs": {"enable_thinking": False}}
    with ScriptedServer(echo) as server:
        asked(server, 1, extra=extra)
        engine = open_engine(server.spec, extra=extra)
    assert {name: server.bodies[0][name] for name in extra} == extra
    assert engine.revision == '{"chat_template_kwargs": {"enable_thinking": false}, "top_k": 0}'


@pytest.mark.parametrize(
    "extra", [{"n": 2}, {"stream": True}, "top_k=0", [1], {"a": {1}}, {"a": float("nan")}], ids=str
)
def test_what_cannot_be_sent_in_addition_is_refused(extra):
    with pytest.raises(UsageError, match="extra"):
        open_engine("openai:m@http://127.0.0.1:9/v1", extra=extra)


def test_a_key_is_sent_where_it_is_set(monkeypatch):
    monkeypatch.setenv("EXECVERIFY_API_KEY", "k")
    with ScriptedServer(echo) as server:
        asked(server, 1)
    assert {k.title(): v for k, v in server.headers[0].items()}["Authorization"] == "Bearer k"


def test_failures_rubbish_and_cut_connections_are_asked_again():
    faults = Faults(failures=0.15, malformed=0.15, dropped=0.1, delay=0.01)
    with ScriptedServer(echo, faults) as server:
        by_prompt, _ = asked(server, 80, n=2, attempts=30)
    assert all(c.texts == tuple(echo(f"prompt {i}", 2)) for i, c in by_prompt.items())
    assert server.requests > 80
    assert sum(server.served.values()) == 160


def test_a_restart_in_the_middle_is_survived():
    with ScriptedServer(echo, Faults(delay=0.05)) as server:
        engine = open_engine(server.spec, pause=0.02, concurrency=4)
        stream = engine.complete(prompts(60))
        first = [next(stream) for _ in range(10)]
        away = threading.Thread(target=server.restart, args=(0.5,))
        away.start()
        rest = list(stream)
        away.join()
    assert sorted(c.prompt for c in first + rest) == list(range(60))
    assert not any(c.error for c in first + rest)


def test_a_restart_that_outlasts_all_attempts_leaves_no_request_unanswered():
    with ScriptedServer(echo, Faults(delay=0.05)) as server:
        engine = open_engine(server.spec, pause=0.01, attempts=3, concurrency=4)
        stream = engine.complete(prompts(40))
        first = [next(stream) for _ in range(6)]
        away = threading.Thread(target=server.restart, args=(1.5,))
        away.start()
        rest = list(stream)
        away.join()
    assert not [c.error for c in first + rest if c.error]


def test_a_server_that_gives_one_reply_at_a_time_is_asked_more_often():
    with ScriptedServer(echo, Faults(short=True)) as server:
        by_prompt, _ = asked(server, 2, n=3)
    assert [len(c.texts) for c in by_prompt.values()] == [3, 3]
    assert server.requests == 6


@pytest.mark.parametrize(("status", "times"), [(400, 1), (422, 1), (500, 4), (501, 4)])
def test_a_server_that_refuses_to_give_several_replies_is_asked_for_one_at_a_time(status, times):
    with ScriptedServer(echo, Faults(single=status)) as server:
        by_prompt, _ = asked(server, 6, n=4, concurrency=1)
    assert [len(by_prompt[i].texts) for i in range(6)] == [4] * 6
    assert not any(c.error for c in by_prompt.values())
    # Twice it is asked for several, and where it may have failed by accident, again; what it
    # declined is known from then on.
    begun = [4] * times + [1] + [3] * times + [1]
    assert [body["n"] for body in server.bodies] == begun + [1] * 22


def test_a_server_that_gives_some_replies_at_once_is_asked_for_as_many():
    with ScriptedServer(echo, Faults(single=400, most=4)) as server:
        engine = open_engine(server.spec, pause=0.01, concurrency=1)
        list(engine.complete(prompts(1), n=4))
        made = list(engine.complete(prompts(3), n=10))
    assert [len(c.texts) for c in made] == [10] * 3
    asked_for = [body["n"] for body in server.bodies]
    assert asked_for == [4, 10, 4, 6, 4, 2] + [4, 4, 2] * 2


def test_failures_of_a_server_that_gives_several_replies_do_not_make_it_one_that_does_not():
    with ScriptedServer(echo, Faults(failures=0.4)) as server:
        engine = open_engine(server.spec, pause=0.01, attempts=60)
        list(engine.complete(prompts(60), n=5))
        server.faults, server.bodies = Faults(), []
        list(engine.complete(prompts(9), n=5))
    assert [body["n"] for body in server.bodies] == [5] * 9


def test_first_failures_of_a_server_do_not_split_a_request():
    with ScriptedServer(echo, Faults(begin=3)) as server:
        by_prompt, _ = asked(server, 2, n=5, concurrency=1)
    assert [len(by_prompt[i].texts) for i in range(2)] == [5, 5]
    assert [body["n"] for body in server.bodies] == [5] * 5


def test_a_prompt_that_is_refused_is_refused_for_one_reply_too():
    with ScriptedServer(echo, Faults(refuse="prompt 0")) as server:
        by_prompt, _ = asked(server, 1, n=5)
    assert by_prompt[0].refused
    assert [body["n"] for body in server.bodies] == [5, 1]


def test_requests_that_are_too_many_do_not_use_up_the_attempts():
    with ScriptedServer(echo, Faults(busy=12)) as server:
        by_prompt, _ = asked(server, 2, attempts=2, concurrency=2)
    assert not any(c.error for c in by_prompt.values())


def test_a_server_that_asks_to_be_left_alone_is(caplog):
    with ScriptedServer(echo, Faults(busy=1, pause=1)) as server:
        begun = time.monotonic()
        by_prompt, _ = asked(server, 1)
    assert by_prompt[0].texts
    assert time.monotonic() - begun >= 1
    assert server.requests == 2
    assert "answers 429: 'too many requests'; trying again" in caplog.text


def test_a_server_that_only_ever_has_too_many_requests_is_given_up():
    with ScriptedServer(echo, Faults(busy=10**9)) as server:
        by_prompt, _ = asked(server, 3, patience=0.3)
    assert {c.error for c in by_prompt.values()} == {"the server answers 429: 'too many requests'"}


def test_a_refused_prompt_is_reported_and_the_others_are_answered():
    with ScriptedServer(echo, Faults(refuse="prompt 3")) as server:
        by_prompt, _ = asked(server, 6)
    assert "refuses the prompt (400)" in by_prompt[3].error
    assert by_prompt[3].texts == ()
    assert [bool(by_prompt[i].texts) for i in range(6)] == [True] * 3 + [False] + [True] * 2


def test_a_server_that_stays_away_is_given_up():
    server = ScriptedServer(echo)
    server.start()
    server.stop()
    by_prompt, _ = asked(server, 3, patience=0.2)
    assert all("no answer from the server" in c.error for c in by_prompt.values())


def test_one_prompt_that_always_fails_does_not_hold_up_the_rest():
    def picky(prompt: str, n: int) -> list[str]:
        return [] if prompt == "prompt 1" else echo(prompt, n)

    with ScriptedServer(picky) as server:
        by_prompt, _ = asked(server, 5, attempts=4, patience=60)
    assert "holds no replies" in by_prompt[1].error
    assert sum(bool(c.texts) for c in by_prompt.values()) == 4


@pytest.mark.parametrize("status", [401, 404])
def test_an_unknown_model_or_a_missing_key_ends_the_run(status):
    message = f"answers {status} for the model scripted"
    with (
        ScriptedServer(echo, Faults(status=status)) as server,
        pytest.raises(ExecVerifyError, match=message),
    ):
        asked(server, 3)


def test_a_run_that_is_left_early_stops_asking():
    with ScriptedServer(echo, Faults(delay=0.02)) as server:
        stream = open_engine(server.spec, concurrency=2).complete(prompts(500))
        next(stream)
        stream.close()
        assert server.requests < 100


def test_it_works_inside_an_event_loop():
    async def main(server: ScriptedServer) -> int:
        return len(asked(server, 3)[1])

    with ScriptedServer(echo) as server:
        assert asyncio.run(main(server)) == 3


@pytest.mark.parametrize("spec", ["qwen", "@http://x/v1", "qwen@localhost:8000", "q w@http://x"])
def test_what_names_no_model_and_server_is_refused(spec):
    with pytest.raises(ExecVerifyError, match="MODEL@URL"):
        open_engine(f"openai:{spec}")


def test_a_model_name_may_hold_colons_and_slashes():
    assert open_engine("openai:Qwen/Q:7b@http://h:1/v1").model == "Qwen/Q:7b"
