"""Runs functions in processes whose genuine clients speak to a test Hub.

``huggingface_hub`` reads its environment when it is imported; so one process imports all
that is slow with ``HF_ENDPOINT`` set, and forks a child for each call. A child can be
killed while it works, as a machine that goes off.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


class Killed(Exception):
    """The child was killed."""


class Client:
    """Calls functions, one after the other, each in a child of its own."""

    def __init__(self, url: str, home: Path, token: str | None) -> None:
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", "HUGGING"))}
        self.env |= {
            "HF_ENDPOINT": url,
            "HF_HOME": str(home),
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(Path(__file__).parent)]),
        }
        if token:
            self.env["HF_TOKEN"] = token
        self.said = ""
        self.child = 0
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            env=self.env,
            cwd=home,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def call(self, function, *args, **kwargs):
        """Call a function by its import path; give what it gives, or raise what it raises."""
        pipe, answers = self._process.stdin, self._process.stdout
        pickle.dump((function, args, kwargs), pipe)
        pipe.flush()
        self.child = pickle.load(answers)
        kind, value, self.said = pickle.load(answers)
        if kind == "killed":
            raise Killed
        if kind == "raised":
            raise value
        return value

    def kill(self, *_):
        """Kill the child that is at work."""
        os.kill(self.child, signal.SIGKILL)

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait(20)
        self._process.stdout.close()


def rows(repo_id: str, config: str, revision: str, *, streaming: bool = False) -> dict:
    """Load a config as a user does; give the rows of each split."""
    from datasets import load_dataset

    found = load_dataset(repo_id, config, revision=revision, streaming=streaming)
    return {split: list(part) for split, part in found.items()}


def validate(text: str) -> None:
    """Let the Hub validate a card, as ``DatasetCard.push_to_hub`` does before it pushes."""
    from huggingface_hub import DatasetCard

    DatasetCard(text, ignore_metadata_errors=True).validate()


def upload(repo_id: str, files: dict[str, bytes]) -> None:
    """Commit files as somebody who edits the repository by hand."""
    from huggingface_hub import CommitOperationAdd, HfApi

    adds = [CommitOperationAdd(name, data) for name, data in files.items()]
    HfApi().create_commit(repo_id, adds, repo_type="dataset", commit_message="By hand")


def _serve() -> None:
    import datasets  # noqa: F401
    import jinja2  # noqa: F401
    import polars  # noqa: F401
    from matplotlib.figure import Figure

    import cards.publishing
    import cards.verifying  # noqa: F401

    figure = Figure()  # the first picture loads fonts and more
    figure.subplots().set_title("a")
    figure.savefig(os.devnull, format="png")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            function, args, kwargs = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        read, write = os.pipe()
        said = os.memfd_create("said")
        child = os.fork()
        if child == 0:
            os.dup2(said, 1), os.dup2(said, 2)
            _work(write, function, args, kwargs)
        os.close(write)
        pickle.dump(child, answers)
        answers.flush()
        with os.fdopen(read, "rb") as file:
            found = file.read()
        os.waitpid(child, 0)
        kind, value = pickle.loads(found) if found else ("killed", None)
        os.lseek(said, 0, os.SEEK_SET)
        with os.fdopen(said, errors="replace") as file:
            pickle.dump((kind, value, file.read()), answers)
        answers.flush()


def _work(write: int, function: str, args: tuple, kwargs: dict) -> None:
    from importlib import import_module

    module, _, name = function.rpartition(".")
    try:
        answer = ("gave", getattr(import_module(module), name)(*args, **kwargs))
    except BaseException as error:  # noqa: BLE001  it is raised again on the other side
        answer = ("raised", error)
    sys.stdout.flush(), sys.stderr.flush()
    with os.fdopen(write, "wb") as file:
        pickle.dump(answer, file)
    os._exit(0)


if __name__ == "__main__":
    _serve()
