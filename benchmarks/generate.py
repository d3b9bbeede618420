"""How many programs are generated per CPU second: written, parsed back, proved.

    python benchmarks/generate.py [--rounds 5] [--programs 300] [--json OUT]

What is timed ends with a program that meets its shape; inputs and runs come later. Tiers
are interleaved, and each round makes other programs. There is no baseline: nothing else
writes programs to a shape. Agreeing says how many meet their shape when checked once more.
"""

from __future__ import annotations

import statistics
import time
from itertools import islice

from measuring import arguments, spread, tell, versions

from synth.generate import programs

STYLES = (("easy", None), ("medium", None), ("hard", None), ("all", None), ("all", "cruxeval"))


def main() -> None:
    given = arguments(
        __doc__, rounds=(int, 5, "rounds"), programs=(int, 300, "programs of a round")
    )
    rates: dict[tuple[str, str | None], list[float]] = {style: [] for style in STYLES}
    right = dict.fromkeys(STYLES, 0)
    for tier, like in STYLES:  # imports and tables
        list(islice(programs(0, 0, tier=tier, like=like), 20))
    for number in range(given.rounds):
        for style in STYLES:
            stream = programs(number, 1000, tier=style[0], like=style[1])
            start = time.process_time()
            made = list(islice(stream, given.programs))
            rates[style].append(len(made) / (time.process_time() - start))
            right[style] += sum(not program.shape.check(program.source) for program in made)
    rows = []
    for style, found in rates.items():
        name = style[0] if style[1] is None else f"like {style[1]}"
        rows.append(
            {
                "programs": name,
                "per CPU second": round(statistics.median(found)),
                "range": spread(found, 0)["range"],
                "agreeing": f"{right[style]} of {given.rounds * given.programs}",
            }
        )
    tell(rows, versions("libcst"), "Programs that were proved", given.json)


if __name__ == "__main__":
    main()
