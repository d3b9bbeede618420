"""Writes the commands that make a dataset again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from curricula.difficulty.engines import without_address

__all__ = ["command_of"]


def command_of(spec: Mapping[str, Any] | None, benchmarks: Sequence[str] = ()) -> str:
    """Write the command that made a build.

    Args:
        spec: What the build was asked for, or None where that is not known.
        benchmarks: Names of what it was decontaminated with: a build forgets where they were.

    Returns:
        The command, or an empty text.
    """
    if not spec:
        return ""
    words = ["synth", "build", "--tier", spec["tier"], "--size", str(spec["size"])]
    words += ["--seed", str(spec["seed"])]
    if spec.get("like"):
        words += ["--like", spec["like"]]
    if spec.get("kinds"):
        words += ["--kinds", ",".join(spec["kinds"])]
    if spec.get("questions", 10) != 10:
        words += ["--questions", str(spec["questions"])]
    if spec.get("stdlib"):
        words.append("--stdlib")
    if spec.get("source"):
        source = without_address(spec["source"])
        # An address is not published, and is needed to ask again.
        words += ["--source", f"{source}@URL" if "openai:" in source else source]
    for place in spec.get("benchmarks") or benchmarks:
        words += ["--decontaminate", place]
    return shlex.join([*words, "--out", f"curriculum/{spec['tier']}-{spec['seed']}"])
