"""What a build is asked for; with the version, it decides every byte of the result."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from tracing.errors import UsageError, shorten

__all__ = ["LIKES", "SHARD_ROWS", "TIERS", "Spec", "SpecError", "check_int", "from_json", "to_json"]

TIERS = ("easy", "medium", "hard", "all")
"""The tiers that can be asked for; ``all`` is every problem, the trivial ones included."""
LIKES = ("cruxeval",)
"""Sets of written programs whose statistics the generator can imitate."""
SHARD_ROWS = 250
"""Problems that a shard makes before duplicates between shards are dropped."""


class SpecError(UsageError):
    """A build was asked for something that there is not."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A request for a curriculum.

    Attributes:
        tier: One of :data:`TIERS`.
        size: Number of problems.
        seed: Any int that fits 63 bits; another seed gives other programs.
        like: One of :data:`LIKES`, or None for the tier's own style.
        kinds: Question kinds to ask, or None for all that can be asked of a run.
        questions: The most questions of a problem.
        stdlib: Whether programs may import ``math`` and ``collections``.
        source: Engine whose model proposes the programs (``"vllm:MODEL"``), or an empty text
            for the generator.
        benchmarks: Files and datasets whose programs must not be made, as
            :func:`synth.corpora.read` takes them.
        benchmarks_sha256: Digest of these programs (:func:`synth.decontaminate.digest_of`);
            what a build is depends on it, and not on where the files are.

    Raises:
        SpecError: A value is not one of these.

    Example:
        >>> Spec(tier="hardest", size=10, seed=0)
        Traceback (most recent call last):
        ...
        synth.spec.SpecError: there is no tier 'hardest'; choose easy, medium, hard or all
    """

    tier: str
    size: int
    seed: int
    like: str | None = None
    kinds: tuple[str, ...] | None = None
    questions: int = 10
    stdlib: bool = False
    source: str = ""
    benchmarks: tuple[str, ...] = ()
    benchmarks_sha256: str = ""

    def __post_init__(self) -> None:
        if self.tier not in TIERS:
            raise SpecError(
                f"there is no tier {shorten(repr(self.tier))}; choose easy, medium, hard or all"
            )
        if self.like is not None and self.like not in LIKES:
            raise SpecError(
                f"there is nothing to be like called {shorten(repr(self.like))}; "
                f"choose {' or '.join(LIKES)}"
            )
        check_int("size", self.size, 1, 10**9)
        check_int("seed", self.seed, -(2**63), 2**63 - 1)
        check_int("questions", self.questions, 0, 100)
        for name, kind in (("source", str), ("benchmarks_sha256", str), ("stdlib", bool)):
            if not isinstance(getattr(self, name), kind):
                raise SpecError(
                    f"{name} must be a {kind.__name__}, not {shorten(repr(getattr(self, name)))}"
                )
        if self.kinds is not None:
            _check_kinds(self.kinds)


def check_int(name: str, value: Any, low: int, high: int) -> None:
    """Refuse what is no whole number of a range.

    Args:
        name: What the number is called.
        value: Any value.
        low: The least.
        high: The most.

    Raises:
        SpecError: It is none.
    """
    if type(value) is not int or not low <= value <= high:
        raise SpecError(
            f"{name} must be a whole number from {low} to {high}, not {shorten(repr(value))}"
        )


def _check_kinds(kinds: tuple[str, ...]) -> None:
    from curricula.questions import KINDS

    for kind in kinds:
        if kind not in KINDS:
            raise SpecError(
                f"there is no question kind {shorten(repr(kind))}; choose of {', '.join(KINDS)}"
            )


def to_json(spec: Spec) -> str:
    """Write a spec as one line of JSON, the same for equal specs.

    Args:
        spec: Any spec.

    Returns:
        The text.
    """
    return json.dumps(asdict(spec), sort_keys=True)


def from_json(text: str) -> Spec:
    """Read a spec.

    Args:
        text: What :func:`to_json` wrote.

    Returns:
        The spec.

    Raises:
        SpecError: The text is no spec.
    """
    try:
        plain = json.loads(text)
        if plain["kinds"] is not None:
            plain["kinds"] = tuple(plain["kinds"])
        plain["benchmarks"] = tuple(plain["benchmarks"])
        return Spec(**plain)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise SpecError(f"this is no spec of a build: {error}") from None
