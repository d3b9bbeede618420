"""Runs the short form of every script, and writes one table in Markdown and in JSON.

    python benchmarks/all.py [--out bench] [--only trace,write]
                             [--cruxeval FILE.jsonl --passes PASSES.json]

Each script runs in a process of its own and writes its figures as JSON; a script that fails
is named in the table, and the exit code is 1 then. The short forms take a quarter of an hour.
CRUXEval and a model's passes on it come from outside: with them tracing is measured on
CRUXEval's own programs, and estimate.py and realism.py run, too; without them the table says
that these did not.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from measuring import table, versions

SHORT: dict[str, list[str]] = {
    "trace": ["--rounds", "5", "--samples", "12", "--many", "2000"],
    "reward": ["--rounds", "5", "--samples", "12"],
    "generate": ["--rounds", "5", "--programs", "100"],
    "inputs": ["--rounds", "5"],
    "write": ["--rounds", "5", "--rows", "250"],
    "build": ["--sizes", "400,1200"],
    "peer": ["--rounds", "5", "--items", "1000"],
    "groups": ["--draws", "20"],
}
"""The scripts, and what makes them short."""
OUTSIDE = ("estimate", "realism")
"""Scripts that need data from outside."""


def given_data(cruxeval: Path | None, passes: Path | None) -> dict[str, list[str]]:
    """Give the arguments of each script that can run with such data."""
    asked = {name: list(words) for name, words in SHORT.items()}
    if cruxeval is not None:
        asked["trace"] = [str(cruxeval), *SHORT["trace"]]
        asked["realism"] = ["--against", str(cruxeval)]
        if passes is not None:
            asked["estimate"] = [str(cruxeval), str(passes)]
    return asked


def run(name: str, words: list[str]) -> dict[str, Any] | None:
    """Run a script; give its figures, or None where it failed."""
    with tempfile.TemporaryDirectory() as place:
        figures = Path(place) / "figures.json"
        script = str(Path(__file__).with_name(f"{name}.py"))
        done = subprocess.run(
            [sys.executable, script, *words, "--json", str(figures)],
            stdout=subprocess.DEVNULL,
            check=False,
        )
        return json.loads(figures.read_text()) if done.returncode == 0 else None


def text_of(name: str, words: list[str], figures: dict[str, Any] | None) -> str:
    """Write a script's figures as a section."""
    title = f"## {name}.py {' '.join(Path(word).name for word in words)}"
    if figures is None:
        return f"{title}\n\nIt failed.\n"
    tables = [table(rows) for rows in figures.values() if isinstance(rows, list)]
    unit = f"\n{figures['unit']}.\n" if "unit" in figures else ""
    return "\n\n".join([title, *tables]) + "\n" + unit


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("bench"), help="folder of the tables")
    parser.add_argument("--only", help="scripts, by commas")
    parser.add_argument("--cruxeval", type=Path, help="CRUXEval's problems, a JSON a line")
    parser.add_argument("--passes", type=Path, help="a model's passes of ten on them, by id")
    given = parser.parse_args()
    asked = given_data(given.cruxeval, given.passes)
    names = given.only.split(",") if given.only else list(asked)
    if unknown := [name for name in names if name not in asked]:
        needs = " (it needs data from outside)" if set(unknown) & set(OUTSIDE) else ""
        parser.error(f"{unknown[0]} is none of {', '.join(asked)}{needs}")
    given.out.mkdir(parents=True, exist_ok=True)
    told = versions("datasets", "pyarrow", "libcst", "hypothesis", "reasoning-gym")
    found: dict[str, dict[str, Any] | None] = {}
    text = f"# Benchmarks\n\n{told}. Rates are per CPU second.\n"
    if left := [name for name in OUTSIDE if name not in asked]:
        text += f"\nNot run, for want of data from outside: {', '.join(left)}.\n"
    for name in names:
        found[name] = run(name, asked[name])
        text += f"\n{text_of(name, asked[name], found[name])}"
        # After each script: what is measured is not lost when one of the others is stopped.
        (given.out / "table.md").write_text(text)
        figures = {"versions": told, "scripts": found}
        (given.out / "table.json").write_text(json.dumps(figures, indent=2) + "\n")
    print(text)
    sys.exit(int(None in found.values()))


if __name__ == "__main__":
    main()
