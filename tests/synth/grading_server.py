"""What a scripted server answers about the problems of a folder."""

import re

from synth import folder


def answer_of(built):
    """Solve the problems with a short output nine times of ten, the others once."""
    literals = {
        row["call"]: row["output"]["literal"]
        for _, row in folder.split_rows(built)
        if row["output"] is not None
    }

    def answer(prompt, n):
        call = re.findall(r"^assert (.*) == \?{4}$", prompt, re.MULTILINE)[-1]
        literal = literals.get(call, "")
        right = 9 if 0 < len(literal) < 6 else 1
        good = f"<answer>assert {call} == {literal}</answer>"
        return [good if place < right else "<answer>what?</answer>" for place in range(n)]

    return answer
