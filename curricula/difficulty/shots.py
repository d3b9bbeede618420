"""Worked examples to put before a prompt, for models that need to be shown the format.

A model of some hundred million parameters does not write answer tags because it is told to,
and would be graded 0 throughout for that. What was shown stands in the row, since rates with
and without examples do not compare.
"""

from __future__ import annotations

from dataclasses import replace

from curricula import prompts
from curricula.problem import Problem

__all__ = ["SHOTS", "worked"]

SHOTS = (
    ("def f(n, m):\n    while n < m:\n        n += 3\n    return n\n", "f(2, 7)", "8"),
    (
        "def f(words):\n    out = []\n    for w in words:\n"
        "        out.append(w.upper())\n    return out\n",
        "f(['a', 'bc'])",
        "['A', 'BC']",
    ),
    (
        "def f(text):\n    if text.startswith('x'):\n        return text[1:]\n    return text\n",
        "f('xylem')",
        "'ylem'",
    ),
)
"""Programs, calls, and the literals of what they give."""


def worked(problem: Problem, count: int) -> list[prompts.Message]:
    """Give a conversation in which examples are asked and answered.

    Args:
        problem: Any problem; it lends the examples its form.
        count: How many, at most ``len(SHOTS)``.

    Returns:
        Two messages for each.
    """
    messages: list[prompts.Message] = []
    for source, call, literal in SHOTS[:count]:
        example = replace(problem, source=source, call=call, entry="f", questions=())
        said = f"<answer>\nassert {call} == {literal}\n</answer>"
        messages += [*prompts.output_prompt(example), {"role": "assistant", "content": said}]
    return messages
