"""Finds duplicates between the shards of a build, in one pass and little memory.

A shard is made without looking at the others, so that it is the same wherever and
whenever it is made; within it duplicates are dropped exactly. Between shards every
program has a few *keys*: its family, and sketches of its shingles such that programs
much alike share one with high probability. A program survives if no earlier program
has one of its keys. That needs no order but the programs' own (shard, then place in
it) and asks about each key apart, so the keys can be split over passes or machines,
and the answer is the same.

How often programs of Jaccard similarity J share a key: 0.95: 99.9%, 0.9: 96%,
0.85: 78%, 0.8: 51%, 0.6: 2%, 0.4: under 0.02%. What is dropped is dropped by this
chance, but the same on every machine: the sketches hash, they do not draw.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from synth.dedup import Fingerprint

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["BANDS", "ROWS", "keys", "later_duplicates"]

BANDS = 10
"""Sketch keys of a program."""
ROWS = 12
"""Minima that one sketch key is made of; all must agree for the key to."""


def keys(program: Fingerprint) -> tuple[int, ...]:
    """Make the keys of a program.

    Args:
        program: Its fingerprint.

    Returns:
        One key for the family and :data:`BANDS` sketches, each of 64 bits.
    """
    import numpy as np

    multipliers, offsets = _permutations()
    shingles = np.fromiter(program.shingles, np.uint64, len(program.shingles))
    # Multiplication and addition wrap around; the high half of the result is well mixed.
    hashed = (shingles[:, None] * multipliers + offsets) >> np.uint64(32)
    minima = hashed.min(axis=0).astype("<u4").reshape(BANDS, ROWS)
    sketches = (
        hashlib.blake2b(band.tobytes(), digest_size=8, salt=bytes([place])).digest()
        for place, band in enumerate(minima)
    )
    return (int(program.family, 16), *(int.from_bytes(sketch, "little") for sketch in sketches))


_made: list[tuple[NDArray[np.uint64], NDArray[np.uint64]]] = []


def _permutations() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Give the constants of the hash functions, the same everywhere."""
    import numpy as np

    if not _made:
        count = BANDS * ROWS
        stream = hashlib.shake_256(b"execverify sketches").digest(16 * count)
        constants = np.frombuffer(stream, "<u8").astype(np.uint64)
        _made.append((constants[:count] | np.uint64(1), constants[count:]))
    return _made[0]


def later_duplicates(
    shards: Iterable[Iterable[tuple[int, ...]]], *, passes: int = 1
) -> Iterator[tuple[int, int]]:
    """Find the programs that repeat one of an earlier shard.

    Args:
        shards: For each shard, in order, the keys of its programs. Iterated once a pass,
            so with more than one pass they must be able to start again.
        passes: Into how many parts the keys are split; memory is one part's (about
            100 bytes a key). The result is the same.

    Yields:
        Shard and place in it, both from 0, of each program to drop, in order.

    Example:
        >>> list(later_duplicates([[(1, 2), (3, 4)], [(5, 2), (6, 7)]]))
        [(1, 0)]
    """
    dropped: set[tuple[int, int]] = set()
    for part in range(passes):
        first: dict[int, int] = {}
        for shard, programs in enumerate(shards):
            for place, some in enumerate(programs):
                for key in some:
                    # Within a shard only exact search decides, and it has decided.
                    if key % passes == part and first.setdefault(key, shard) != shard:
                        dropped.add((shard, place))
    yield from sorted(dropped)
