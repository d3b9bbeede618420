"""Keeps programs of known benchmarks out of what is made.

A program is refused when its structure is that of a benchmark's program (names and
constants aside), or when most of its token runs are (see :mod:`synth.dedup`). What
a benchmark holds beside programs (its inputs, its texts) is not looked at, and two
programs that compute the same in different ways are not seen to.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from synth.corpora import Item, read
from synth.dedup import THRESHOLD, Fingerprint, NearDuplicates, fingerprint
from tracing.errors import ExecVerifyError, ProgramError, UsageError, shorten

__all__ = ["Benchmarks", "Contamination", "digest_of", "known", "load"]


@dataclass(frozen=True, slots=True)
class Contamination:
    """Why a program is refused.

    Attributes:
        benchmark: The file or dataset.
        item: Name of the benchmark's program, as :class:`synth.corpora.Item` names it.
        how: ``"same structure"`` or ``"near-duplicate"``.
    """

    benchmark: str
    item: str
    how: str


class Benchmarks:
    r"""Programs that must not be made, searchable.

    Attributes:
        programs: Number of programs, for each benchmark.
        unread: Number of rows that are no program of Python 3.11, for each benchmark;
            nothing that is made can be like them.

    Example:
        >>> known = Benchmarks([Item("cruxeval:1", "def f(a):\n    return a + [1]\n", "f", "")])
        >>> known.find(fingerprint("def g(xs):\n    return xs + [7]\n")).item
        'cruxeval:1'
    """

    def __init__(self, items: Iterable[Item], threshold: float = THRESHOLD) -> None:
        """Index programs.

        Args:
            items: The programs; a name's part before the first colon is the benchmark.
            threshold: Jaccard similarity from which on two programs are near-duplicates.
        """
        self.programs: Counter[str] = Counter()
        self.unread: Counter[str] = Counter()
        self._content = hashlib.sha256()
        self._families: dict[str, str] = {}
        self._alike = NearDuplicates(threshold)
        for item in items:
            self._add(item)

    def _add(self, item: Item) -> None:
        try:
            known = fingerprint(item.source)
        except ProgramError:
            self.unread[_benchmark(item.name)] += 1
            return
        self.programs[_benchmark(item.name)] += 1
        shingles = ",".join(map(str, sorted(known.shingles)))
        self._content.update(f"{item.name} {known.family} {shingles}\n".encode())
        if known.family not in self._families:
            self._families[known.family] = item.name
            self._alike.keep(known.shingles, item.name)

    @property
    def sha256(self) -> str:
        """Digest of the programs' names and structures, in order."""
        return self._content.hexdigest()

    def find(self, program: Fingerprint) -> Contamination | None:
        """Look for a benchmark's program that this one is, or is nearly.

        Args:
            program: What :func:`synth.dedup.fingerprint` says of it.

        Returns:
            The first such program of the benchmarks, or None.
        """
        name, how = self._families.get(program.family), "same structure"
        if name is None:
            name, how = self._alike.find(program.shingles), "near-duplicate"
        return None if name is None else Contamination(_benchmark(name), name, how)


def _benchmark(name: str) -> str:
    return name.partition(":")[0]


def load(places: Iterable[str | Path], threshold: float = THRESHOLD) -> Benchmarks:
    """Read the benchmarks that what is made must not hold.

    Args:
        places: Files, folders, short names (``"cruxeval"``) or Hub datasets, as
            :func:`synth.corpora.read` takes them.
        threshold: As for :class:`Benchmarks`.

    Returns:
        Their programs, searchable.

    Raises:
        UsageError: A place cannot be read, or holds no program at all: silence would promise
            a cleanness that nobody checked.
        ExecVerifyError: A dataset cannot be loaded.
    """
    items: list[Item] = []
    for place in places:
        found = list(read(place))
        if not any(_parses(item) for item in found):
            raise UsageError(
                f"{shorten(str(place))} holds {len(found)} rows and no Python program among them; "
                "check its columns"
            )
        items += found
    return Benchmarks(items, threshold)


def digest_of(places: Iterable[str | Path]) -> str:
    """Give the digest of what benchmarks hold, for a spec.

    Args:
        places: As for :func:`load`.

    Returns:
        64 hexadecimal digits; an empty text for no places.

    Raises:
        ExecVerifyError: As for :func:`load`.
    """
    given = tuple(map(str, places))
    return _loaded(given).sha256 if given else ""


def known(places: tuple[str, ...], sha256: str) -> Benchmarks:
    """Give the benchmarks of a spec, read once in each process.

    Args:
        places: As for :func:`load`.
        sha256: What :func:`digest_of` gave for them when the build began.

    Returns:
        Their programs, searchable.

    Raises:
        ExecVerifyError: A place cannot be read, or holds something else by now.
    """
    found = _loaded(places)
    if found.sha256 != sha256:
        raise ExecVerifyError(
            f"what {', '.join(map(shorten, places))} holds is not what it held when the build "
            "began; begin it again"
        )
    return found


@lru_cache(maxsize=2)
def _loaded(places: tuple[str, ...]) -> Benchmarks:
    return load(places)


def _parses(item: Item) -> bool:
    try:
        fingerprint(item.source)
    except ProgramError:
        return False
    return True
