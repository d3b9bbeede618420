"""Tells when two programs are one and the same to a learner.

Three degrees, from strict to loose, all blind to names, constants and layout, and
all the same on every supported Python:

- :func:`curricula.family.family`: the same structure. Relatives share it, and splits go by it.
- :class:`NearDuplicates`: most runs of :data:`SHINGLE` neighbouring tokens are shared
  (Jaccard at least :data:`THRESHOLD`), computed exactly and not from sketches.
- :func:`shape_hash`: the same kinds of nodes nested in the same way, whatever the
  names, methods and operators; for counting variety, not for dropping.

It compares texts only: that two different texts compute the same is not seen.
Duplicates between the shards of a build are found by :mod:`synth.merge`.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from dataclasses import dataclass

from curricula.alpha import normalise
from curricula.family import digest, dump

__all__ = [
    "SHINGLE",
    "THRESHOLD",
    "Fingerprint",
    "NearDuplicates",
    "fingerprint",
    "shape_hash",
]

SHINGLE = 5
"""Tokens that a shingle spans."""
THRESHOLD = 0.8
"""Jaccard similarity of shingle sets from which on two programs are near-duplicates.

In a program of ten lines (about 80 tokens) that is one call or operator changed, or a
short statement added; a second such change makes it another program."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What deduplication needs to know of one program.

    Attributes:
        family: Hash of the structure; see :func:`curricula.family.family`.
        shape: Hash of the tree's shape; see :func:`shape_hash`.
        shingles: Stable 64-bit hashes of the runs of :data:`SHINGLE` tokens.
    """

    family: str
    shape: str
    shingles: frozenset[int]


def shape_hash(source: str) -> str:
    r"""Name the shape of a program's tree: node kinds alone, operators not among them.

    Args:
        source: A program.

    Returns:
        Sixteen hexadecimal digits, equal on every supported Python.

    Raises:
        ProgramError: The source does not parse.

    Example:
        >>> shape_hash("def f(a):\n    return a.upper() + 'x'\n") == shape_hash(
        ...     "def f(a):\n    return a.strip() * 2\n"
        ... )
        True
    """
    return digest(_shape(dump(normalise(source))))


def fingerprint(source: str) -> Fingerprint:
    """Compute all that deduplication needs, parsing once.

    Args:
        source: A program.

    Returns:
        Its fingerprint.

    Raises:
        ProgramError: The source does not parse.
    """
    text = dump(normalise(source))
    return Fingerprint(digest(text), digest(_shape(text)), _shingles(text))


_TOKEN = re.compile(r"\b(?!(?:Name|Constant|Expr)\b)[A-Za-z_][\w.]*+(?!=)")
_OWN_NAME = re.compile(r"'v\d+'")
_TEXT = re.compile(r"'[^']*'")
_OPERATOR = re.compile(
    r"\b(?:Add|Sub|Mult|MatMult|Div|Mod|Pow|LShift|RShift|BitOr|BitXor|BitAnd|FloorDiv"
    r"|And|Or|Invert|Not|UAdd|USub|Eq|NotEq|Lt|LtE|Gt|GtE|Is|IsNot|In|NotIn)\b"
)


def _shape(text: str) -> str:
    return _OPERATOR.sub("", _TEXT.sub("", text))


def _shingles(text: str) -> frozenset[int]:
    # All the program's own names are one token here: numbered ones would shift, and make
    # strangers of programs that differ by one statement at the top.
    tokens = _TOKEN.findall(_OWN_NAME.sub("'v'", text))
    count = max(1, len(tokens) - SHINGLE + 1)
    return frozenset(_hash(" ".join(tokens[i : i + SHINGLE])) for i in range(count))


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


class NearDuplicates:
    r"""The programs kept so far, searchable for one much like another.

    The search is exact: two sets with Jaccard similarity t share at least t of the
    larger's members, so any ``len - ceil(t * len) + 1`` shingles of one hold a common
    one. The rarest are looked up, which keeps it near linear.

    Example:
        >>> seen = NearDuplicates()
        >>> seen.add(fingerprint("def f(a):\n    return a.upper()\n").shingles, "first") is None
        True
        >>> seen.add(fingerprint("def g(b):\n    return b.upper()\n").shingles, "second")
        'first'
    """

    def __init__(self, threshold: float = THRESHOLD) -> None:
        """Start with none.

        Args:
            threshold: Jaccard similarity from which on programs are alike, over 0 and
                at most 1.
        """
        self.threshold = threshold
        self._names: list[str] = []
        self._sets: list[frozenset[int]] = []
        self._holders: dict[int, array[int]] = {}

    def __len__(self) -> int:
        return len(self._names)

    def find(self, shingles: frozenset[int]) -> str | None:
        """Look for a kept program much like this one.

        Args:
            shingles: Of a :class:`Fingerprint`.

        Returns:
            The name of the first one kept that is, or None.
        """
        size = len(shingles)
        holders = sorted((self._holders.get(shingle, _NOBODY) for shingle in shingles), key=len)
        checked = size - -int(-self.threshold * size // 1) + 1
        for number in sorted({number for some in holders[:checked] for number in some}):
            other = self._sets[number]
            shared = len(shingles & other)
            if shared >= self.threshold * (size + len(other) - shared):
                return self._names[number]
        return None

    def add(self, shingles: frozenset[int], name: str) -> str | None:
        """Keep a program unless one like it was kept before.

        Args:
            shingles: Of a :class:`Fingerprint`.
            name: What to call it.

        Returns:
            None if it was kept, else the name of the one it is like.
        """
        found = self.find(shingles)
        if found is None:
            self.keep(shingles, name)
        return found

    def keep(self, shingles: frozenset[int], name: str) -> None:
        """Keep a program without looking.

        Args:
            shingles: Of a :class:`Fingerprint`.
            name: What to call it.
        """
        number = len(self._names)
        self._names.append(name)
        self._sets.append(shingles)
        for shingle in shingles:
            self._holders.setdefault(shingle, array("L")).append(number)


_NOBODY: array[int] = array("L")
