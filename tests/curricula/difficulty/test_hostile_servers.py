"""A server may say anything: what it says is bounded, and never taken for what it is not."""

from __future__ import annotations

import gzip
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from sample_problems import additions

from curricula.difficulty.engines import chat_request, open_engine
from curricula.difficulty.grading import Plan, measure_rates
from tracing.errors import ExecVerifyError

PROBLEMS = additions(2)
GOOD = {"choices": [{"message": {"content": "<answer>assert add0(1) == 1</answer>"}}]}


class Server:
    """A server that gives one answer to every request; a context manager."""

    def __init__(self, status=200, data=b"", headers=(), dripping=False):
        class Handler(BaseHTTPRequestHandler):
            def do_POST(handler):
                self.requests += 1
                handler.rfile.read(int(handler.headers["Content-Length"]))
                handler.send_response(status)
                for name, value in headers:
                    handler.send_header(name, value)
                handler.end_headers()
                try:
                    for start in range(0, len(data), 1 if dripping else 1 << 20):
                        handler.wfile.write(data[start : start + (1 if dripping else 1 << 20)])
                        time.sleep(0.05 if dripping else 0)
                except OSError:
                    pass

            def log_message(handler, *arguments):
                pass

        self.requests = 0
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()


def asked(server, count=1, n=1, **options):
    engine = open_engine(f"openai:m@{server.url}", **{"pause": 0.01, "patience": 0.2, **options})
    prompts = [[{"role": "user", "content": f"prompt {i}"}] for i in range(count)]
    return list(engine.complete(prompts, n=n))


def saying(content, **more):
    return json.dumps({"choices": [{"message": {"content": content}}], **more}).encode()


@pytest.mark.parametrize("content", [0, False, [], {}, 7, ["a"], {"text": "a"}], ids=str)
def test_a_reply_that_is_no_text_is_none(content):
    with Server(data=saying(content)) as server:
        (made,) = asked(server)
    assert made.texts == ()
    assert "holds no replies" in made.error


def test_a_reply_of_null_says_nothing():
    with Server(data=saying(None)) as server:
        (made,) = asked(server)
    assert (made.texts, made.error) == (("",), "")


@pytest.mark.parametrize(
    "tokens", [-5, True, "7", 1.5, 10**4000, [], None], ids=lambda one: str(one)[:8]
)
def test_a_count_of_tokens_that_is_none_does_not_spoil_the_journal(tokens, tmp_path):
    journal = tmp_path / "journal.jsonl"
    data = json.dumps({**GOOD, "usage": {"completion_tokens": tokens}}).encode()
    with Server(data=data) as server:
        spec = f"openai:m@{server.url}"
        made = measure_rates(PROBLEMS, spec, Plan(samples=2), journal=journal)
        requests = server.requests
        assert measure_rates(PROBLEMS, spec, Plan(samples=2), journal=journal) == made
        assert server.requests == requests


@pytest.mark.parametrize(
    ("data", "headers"),
    [
        (bytes(range(256)) * 10, []),
        (b"\xff\xfe\x00", []),
        (b"{}", [("Content-Type", "application/json; charset=hex")]),
        (b"{}", [("Content-Type", "application/json; charset=idna")]),
        (b"no gzip", [("Content-Encoding", "gzip")]),
        (b"data: [DONE]\n\n", [("Content-Type", "text/event-stream")]),
        (b'{"choices": {"0": 1}}', []),
        (b'{"choices": [[]]}', []),
        (b'{"choices": [{"message": {"content": "a"}}], "usage": 3}', []),
        (b'{"choices": ' + b"9" * 5000 + b"}", []),
    ],
    ids=lambda one: repr(one)[:24],
)
def test_rubbish_is_no_reply(data, headers):
    with Server(data=data, headers=headers) as server:
        (made,) = asked(server)
    assert made.texts == ()
    assert made.error


def test_an_answer_without_end_is_not_read_to_it(monkeypatch):
    monkeypatch.setattr(chat_request, "_LARGEST", 1 << 20)
    with Server(data=saying("a" * (8 << 20))) as server:
        (made,) = asked(server)
    assert "longer than 1,048,576 bytes" in made.error


def test_a_packed_answer_is_bounded_by_what_it_unpacks_to(monkeypatch):
    monkeypatch.setattr(chat_request, "_LARGEST", 1 << 20)
    data = gzip.compress(saying("a" * (8 << 20)))
    with Server(data=data, headers=[("Content-Encoding", "gzip")]) as server:
        (made,) = asked(server)
    assert "longer than" in made.error


def test_an_answer_that_drips_is_given_up():
    with Server(data=saying("a" * 10_000), dripping=True) as server:
        begun = time.monotonic()
        (made,) = asked(server, timeout=0.3)
    assert "no answer from the server (TimeoutError)" in made.error
    assert time.monotonic() - begun < 30


def test_a_redirection_is_told_and_not_followed():
    with Server(data=saying("a")) as other:
        place = f"{other.url}/chat/completions"
        with (
            Server(status=307, headers=[("Location", place)]) as server,
            pytest.raises(ExecVerifyError, match=r"answers 307 .*ask 'http.* instead if you trust"),
        ):
            asked(server)
    assert other.requests == 0


def test_what_a_server_says_cannot_steer_a_terminal():
    with Server(status=400, data=b"\x1b[2Jgone") as server:
        (made,) = asked(server)
    assert "gone" in made.error
    assert made.error.isprintable()


def test_what_a_failing_server_says_is_told(caplog):
    with Server(status=500, data=b"out of memory\x1b[2J") as server:
        (made,) = asked(server)
    assert "the server answers 500: 'out of memory" in made.error
    assert made.error.isprintable()
    assert "answers 500: 'out of memory" in caplog.text


@pytest.mark.parametrize(
    "when", ["nan", "-5", "soon", "", "Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 99 Foo", "1e-3"]
)
def test_a_pause_that_is_none_holds_nothing_up(when):
    with Server(status=503, headers=[("Retry-After", when)]) as server:
        begun = time.monotonic()
        (made,) = asked(server)
    assert made.error == "the server answers 503"
    assert time.monotonic() - begun < 10


def test_a_server_that_went_away_is_not_waited_for_again_and_again():
    with Server(status=500) as server:
        begun = time.monotonic()
        made = asked(server, count=200, concurrency=2, patience=0.5)
    assert [one.error for one in made] == ["the server answers 500"] * 200
    assert time.monotonic() - begun < 30  # not a hundred times the patience


def test_more_replies_than_were_asked_for_are_left_out():
    choices = [{"message": {"content": f"{i}"}} for i in range(9)]
    with Server(data=json.dumps({"choices": choices}).encode()) as server:
        (made,) = asked(server, n=4)
    assert made.texts == ("0", "1", "2", "3")
