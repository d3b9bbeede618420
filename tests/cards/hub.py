"""The state of a Hub to test against: repositories, and what goes wrong.

Everything is in memory. It can be told to answer the n-th request with a status, late, or
by cutting the connection before or after it has done what was asked; requests are counted
from 1 and kept in a log.
"""

from __future__ import annotations

import copy
import hashlib
import json
import threading
from dataclasses import dataclass, field


@dataclass
class Fault:
    """What goes wrong: ``cut`` before, ``cut_after`` doing it, ``status`` or ``delay``."""

    kind: str
    value: float = 0
    headers: dict = field(default_factory=dict)
    forever: bool = False


@dataclass
class Repo:
    private: bool
    commits: dict = field(default_factory=dict)
    branches: dict = field(default_factory=dict)
    tags: dict = field(default_factory=dict)

    def resolve(self, revision: str) -> str | None:
        known = self.branches.get(revision) or self.tags.get(revision)
        return known or (revision if revision in self.commits else None)


class Hub:
    """The server's state; ``faults`` are by the number of the request."""

    def __init__(self, token: str = "hf_secret") -> None:
        self.token = token
        self.repos: dict[str, Repo] = {}
        self.blobs: dict[str, bytes] = {}
        self.faults: dict[int, Fault] = {}
        self.log: list[str] = []
        self.authorizations: list[str | None] = []
        self.on_fault = self.on_cut = None
        self.lock = threading.Lock()

    def reset_counter(self) -> None:
        with self.lock:
            self.log.clear()
            self.faults.clear()
            self.on_fault = self.on_cut = None

    def empty(self) -> None:
        self.reset_counter()
        self.authorizations.clear()
        self.repos.clear()
        self.blobs.clear()

    def state(self) -> tuple[dict, dict]:
        """What is stored, to be put back by :meth:`restore`."""
        return copy.deepcopy(self.repos), dict(self.blobs)

    def restore(self, state: tuple[dict, dict]) -> None:
        """Be as before, with nothing going wrong."""
        self.reset_counter()
        self.repos, self.blobs = copy.deepcopy(state[0]), dict(state[1])

    def add(self, name: str, files: dict[str, bytes]) -> None:
        """Make a repository as it may have been before."""
        self.repos[name] = Repo(private=False)
        self.commit(self.repos[name], "main", files)

    def seen(self, name: str, revision: str = "main") -> dict[str, bytes]:
        """The files that a reader of a revision sees."""
        repo = self.repos[name]
        return repo.commits[repo.resolve(revision)]

    def fault(self) -> Fault | None:
        count = len(self.log)
        found = self.faults.get(count)
        if found is None:
            found = next((f for n, f in self.faults.items() if f.forever and n <= count), None)
        return found

    def commit(self, repo: Repo, branch: str, files: dict[str, bytes]) -> str:
        parent = repo.branches.get(branch, "")
        listed = json.dumps([parent, sorted((p, oid_of(d)) for p, d in files.items())])
        oid = hashlib.sha1(listed.encode()).hexdigest()
        repo.commits[oid] = files
        repo.branches[branch] = oid
        return oid


def oid_of(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
