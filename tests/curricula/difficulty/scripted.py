"""A real HTTP server that speaks the OpenAI chat protocol and answers from a table.

It can be told to fail, to dawdle, to send rubbish and to restart; what it does then follows
from a seed. It counts what it answered, so a test can say that nothing was asked in vain.
"""

from __future__ import annotations

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[str, int], Sequence[str]]
"""Gives the replies to a prompt's text, so many."""


@dataclass
class Faults:
    """What goes wrong, and how often.

    Attributes:
        failures: Share of requests that get an error of the server.
        malformed: Share that get rubbish.
        dropped: Share whose connection is cut.
        delay: Most seconds that an answer is held back.
        short: Whether one reply is given, however many are asked for.
        single: Status for requests for more than ``most`` replies, or 0.
        most: Replies that one request may ask for, see ``single``.
        busy: So many requests get a 429 before the first is answered.
        begin: So many requests get a 500 before the first is answered.
        pause: Seconds that a 429 asks to be left alone for, or 0.
        refuse: Prompts that hold this text get a 400.
        status: Status for every request, or 0.
    """

    failures: float = 0.0
    malformed: float = 0.0
    dropped: float = 0.0
    delay: float = 0.0
    short: bool = False
    single: int = 0
    most: int = 1
    busy: int = 0
    begin: int = 0
    pause: int = 0
    refuse: str = "\0"
    status: int = 0


RUBBISH = (
    "",
    "<html>busy</html>",
    "[]",
    "{}",
    '{"choices": []}',
    '{"choices": [{"message": null}]}',
    '{"choices": [{"message": {"content": 3}}]}',
    '{"choices": 7',
    "[" * 10_000,
)


@dataclass
class ScriptedServer:
    """The server; a context manager."""

    answer: Answer
    faults: Faults = field(default_factory=Faults)
    seed: int = 0
    requests: int = 0
    served: Counter[str] = field(default_factory=Counter)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    port: int = 0

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.lock = threading.Lock()
        self.server: _Server | None = None

    @property
    def spec(self) -> str:
        """What names this server as an engine."""
        return f"openai:scripted@http://127.0.0.1:{self.port}/v1"

    def start(self) -> None:
        """Listen, on the port of before where there was one."""
        self.server = _Server(("127.0.0.1", self.port), _Handler)
        self.server.script = self
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        """Listen no more; what is under way is cut."""
        if self.server is not None:
            server, self.server = self.server, None
            server.stopped = True
            server.shutdown()
            server.server_close()

    def restart(self, seconds: float) -> None:
        """Be away for a while."""
        self.stop()
        time.sleep(seconds)
        self.start()

    def __enter__(self) -> ScriptedServer:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()


def _completion(texts: Sequence[str]) -> dict[str, Any]:
    """Replies with every field that the protocol asks for."""
    choices = [
        {"index": i, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        for i, text in enumerate(texts)
    ]
    tokens = 7 * len(texts)
    return {
        "id": "scripted",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": choices,
        "usage": {"prompt_tokens": 5, "completion_tokens": tokens, "total_tokens": 5 + tokens},
    }


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 256
    stopped = False
    script: ScriptedServer

    def handle_error(self, *arguments: object) -> None:
        """Say nothing: clients are cut off here on purpose."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        script, faults = self.server.script, self.server.script.faults
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = body["messages"][-1]["content"]
        with script.lock:
            script.requests += 1
            script.bodies.append(body)
            script.headers.append(dict(self.headers))
            luck, rubbish = script.rng.random(), script.rng.choice(RUBBISH)
            delay = script.rng.random() * faults.delay
            is_busy = script.requests <= faults.busy
            begins = script.requests <= faults.begin
        time.sleep(delay)
        if faults.status or faults.refuse in prompt or self.path != "/v1/chat/completions":
            self.reply(faults.status or (400 if self.path.startswith("/v1") else 404), "no")
        elif begins:
            self.reply(500, "the model is being loaded")
        elif is_busy:
            pause = {"Retry-After": str(faults.pause)} if faults.pause else {}
            self.reply(429, "too many requests", pause)
        elif faults.single and body["n"] > faults.most:
            self.reply(faults.single, "Only one completion choice is allowed")
        elif self.server.stopped or luck < faults.dropped:
            self.connection.close()
            self.close_connection = True
        elif luck < faults.dropped + faults.failures:
            self.reply(random.Random(luck).choice([500, 502, 503, 429]), "busy")
        elif luck < faults.dropped + faults.failures + faults.malformed:
            self.reply(200, rubbish)
        else:
            texts = list(script.answer(prompt, 1 if faults.short else body["n"]))
            if self.reply(200, json.dumps(_completion(texts))):
                with script.lock:
                    script.served[prompt] += len(texts)

    def reply(self, status: int, text: str, headers: Mapping[str, str] | None = None) -> bool:
        data = text.encode()
        try:
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)
        except OSError:  # the client is gone
            return False
        return True

    def log_message(self, *arguments: object) -> None:
        pass
