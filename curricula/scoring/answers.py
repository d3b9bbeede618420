"""Judges the lines that answer a problem's questions, each by its question's own check.

As many lines as questions are taken in order. With fewer or more, lines stay in order and
the gaps lie where most answers fit, so that a line missing costs one question and not all
behind it. Answers that can be guessed do not decide where the gaps lie: dropping a line
would be a second guess at all of them. Each line too many takes away what one right answer
earns, so naming two candidates gains nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from curricula.questions import Question
from curricula.questions.base import kind_of
from curricula.scoring.completion import unnumbered

__all__ = ["Part", "judge_answers"]


@dataclass(frozen=True, slots=True)
class Part:
    """The verdict on one question.

    Attributes:
        kind: The question's kind.
        right: Whether the answer was right.
    """

    kind: str
    right: bool


def judge_answers(
    lines: Sequence[str], questions: Sequence[Question]
) -> tuple[tuple[Part, ...], int]:
    """Judge answer lines.

    Args:
        lines: The lines behind the assertion, no blank ones among them.
        questions: At least one question, in the order in which they were asked.

    Returns:
        The verdict on each question, and how many lines there are too many.

    Raises:
        InfrastructureError: An answer had to be run, and the machine failed.
    """
    asked, surplus = len(questions), max(0, len(lines) - len(questions))
    if surplus >= asked:  # whatever is right in a flood is taken away again
        return tuple(Part(q.kind, False) for q in questions), surplus
    pairs = dict(_aligned(lines, questions))
    parts = tuple(
        Part(q.kind, place in pairs and _is_right(q, lines[pairs[place]]))
        for place, q in enumerate(questions)
    )
    return parts, surplus


def _is_right(question: Question, line: str) -> bool:
    # An honest answer may be spaced and escaped in other ways, but is not much longer.
    longest = max((len(answer.literal) for answer in question.answers), default=0)
    if len(line) > 500 + 8 * longest:
        return False
    check = kind_of(question.kind).check
    stripped = line.strip()
    bare = unnumbered(line)
    return check(question, stripped) or (bare != stripped and check(question, bare))


def _aligned(lines: Sequence[str], questions: Sequence[Question]) -> list[tuple[int, int]]:
    """Pair questions with lines in order, leaving out some of the longer of the two."""
    gaps = abs(len(lines) - len(questions))

    def fits(question: int, line: int) -> bool:
        asked = questions[question]
        return kind_of(asked.kind).is_telling and _is_right(asked, lines[line])

    if not gaps:
        return [(place, place) for place in range(len(lines))]
    if len(lines) < len(questions):
        chosen = _places(len(lines), gaps, lambda line, question: fits(question, line))
        return [(question, line) for line, question in enumerate(chosen)]
    return list(enumerate(_places(len(questions), gaps, fits)))


def _places(count: int, gaps: int, fits: Callable[[int, int], bool]) -> list[int]:
    """Place items 0 to ``count - 1`` in order, leaving ``gaps`` places out, for the most fits.

    Among equals, the gaps lie as late as they can.
    """
    scores = [
        [int(fits(item, item + skipped)) for skipped in range(gaps + 1)] for item in range(count)
    ]
    best = [[0] * (gaps + 1) for _ in range(count + 1)]
    for item in range(count - 1, -1, -1):
        for skipped in range(gaps, -1, -1):
            here = scores[item][skipped] + best[item + 1][skipped]
            later = best[item][skipped + 1] if skipped < gaps else 0
            best[item][skipped] = max(here, later)
    chosen, skipped = [], 0
    for item in range(count):
        while scores[item][skipped] + best[item + 1][skipped] < best[item][skipped]:
            skipped += 1
        chosen.append(item + skipped)
    return chosen
