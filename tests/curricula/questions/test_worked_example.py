"""A kind of one's own, as docs/questions.md shows it, is asked and checked like ours."""

from pathlib import Path

import tracing
from curricula.questions import KINDS, derive
from curricula.questions.base import Candidate, Question, question
from tracing import Value

TEXT = (Path(__file__).resolve().parents[3] / "docs" / "questions.md").read_text("utf-8")


def test_the_worked_example_of_a_kind_in_docs_works():
    example = next(part for part in TEXT.split("```python")[1:] if '@question("' in part)
    names = {"Candidate": Candidate, "Question": Question, "question": question, "Value": Value}
    try:
        exec(example.split("```")[0], names)
        trace = tracing.run(
            "def g(n):\n    return n\n\ndef f(n):\n    return g(n) + g(1)\n", "f(2)"
        )
        [asked] = derive(trace, kinds=["frames"])
        assert asked.check("3")
        assert not asked.check("2")
    finally:
        KINDS.pop("frames", None)
