"""Runs the short form of every script, and writes one table in Markdown and in JSON.

    python benchmarks/all.py [--out bench] [--only trace,write]

Each script runs in a process of its own and writes its figures as JSON; a script that fails
is named in the table, and the exit code is 1 then. The short forms take a few minutes; the
figures that README quotes come from these.
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
    "write": ["--rounds", "5", "--rows", "250"],
    "build": ["--sizes", "400,1200"],
    "peer": ["--rounds", "5", "--items", "1000"],
}
"""The scripts, and what makes them short."""


def run(name: str) -> dict[str, Any] | None:
    """Run a script; give its figures, or None where it failed."""
    with tempfile.TemporaryDirectory() as place:
        figures = Path(place) / "figures.json"
        script = str(Path(__file__).with_name(f"{name}.py"))
        done = subprocess.run(
            [sys.executable, script, *SHORT[name], "--json", str(figures)],
            stdout=subprocess.DEVNULL,
            check=False,
        )
        return json.loads(figures.read_text()) if done.returncode == 0 else None


def text_of(name: str, figures: dict[str, Any] | None) -> str:
    """Write a script's figures as a section."""
    title = f"## {name}.py {' '.join(SHORT[name])}"
    if figures is None:
        return f"{title}\n\nIt failed.\n"
    tables = [table(rows) for rows in figures.values() if isinstance(rows, list)]
    unit = f"\n{figures['unit']}.\n" if "unit" in figures else ""
    return "\n\n".join([title, *tables]) + "\n" + unit


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("bench"), help="folder of the tables")
    parser.add_argument("--only", default=",".join(SHORT), help="scripts, by commas")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    told = versions("datasets", "pyarrow", "libcst", "hypothesis", "reasoning-gym")
    found: dict[str, dict[str, Any] | None] = {}
    text = f"# Benchmarks\n\n{told}. Rates are per CPU second.\n"
    for name in given.only.split(","):
        found[name] = run(name)
        text += f"\n{text_of(name, found[name])}"
        # After each script: what is measured is not lost when one of the others is stopped.
        (given.out / "table.md").write_text(text)
        figures = {"versions": told, "scripts": found}
        (given.out / "table.json").write_text(json.dumps(figures, indent=2) + "\n")
    print(text)
    sys.exit(int(None in found.values()))


if __name__ == "__main__":
    main()
