"""A benchmark of our own generated programs in CRUXEval's form, and a model that knows it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import synth
from curricula.prompts import numbered


@cache
def rows(count: int = 24) -> tuple[dict[str, Any], ...]:
    """Generate programs with one function ``f``, and an input and its output for each."""
    made = []
    found = (p for p in synth.stream(seed=5) if p.output is not None)
    for number, problem in enumerate(islice(found, count)):
        renamed = re.sub(rf"\b{problem.entry}\b", "f", problem.source)
        arguments = problem.call.partition("(")[2].removesuffix(")")
        made.append(
            {
                "code": renamed.rstrip("\n"),
                "input": arguments,
                "output": problem.output.literal,
                "id": f"sample_{number}",
            }
        )
    return tuple(made)


def write(folder: Path, lines=None) -> Path:
    """Write rows as a JSONL file."""
    path = folder / "benchmark.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines or rows()))
    return path


def model_of(
    knows: Callable[[int, str], bool], lines=None, wrong: str = "assert f() == 'no'"
) -> Callable[[str, int], list[str]]:
    """Make a model that answers rightly what it knows, and the same wrong thing otherwise."""
    listed = lines or rows()

    def answer(prompt: str, count: int) -> list[str]:
        for number, row in enumerate(listed):
            call = f"assert f({row['input']}) == ????"
            result = f"assert f(????) == {row['output']}"
            if numbered(row["code"]) in prompt and call in prompt:
                task = "output"
            elif f"```python\n{row['code']}\n```" in prompt and result in prompt:
                task = "input"
            else:
                continue
            right = f"assert f({row['input']}) == {row['output']}"
            said = right if knows(number, task) else wrong
            return [f"<reasoning>so</reasoning>\n<answer>\n{said}\n</answer>"] * count
        raise AssertionError(f"a prompt about none of the programs: {prompt}")

    return answer
