"""The wordings of a narration: several for each thing, chosen by the narration's own chance.

Nothing here knows a run; what is put in are facts.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from curricula.narrator.facts import Change, Fact

__all__ = ["Voice", "joined"]

_OPENING = (
    "Let me run `{call}` by hand and keep track of the variables.",
    "I'll follow `{call}` one statement at a time.",
    "To see what `{call}` does, I go through the run line by line.",
    "Walking through `{call}`, noting every change as it happens:",
    "I trace `{call}` from its first statement to its last.",
)
_FIRST = ("Line {line}, `{text}`: ", "Line {line} is `{text}`: ", "`{text}` (line {line}): ")
_AGAIN = "Line {line}: "
_BECOMES = ("{name} becomes {literal}", "{name} is now {literal}")
_GOES = (*_BECOMES, "{name} goes from {old} to {literal}")
_SCALAR = 12
"""The longest literal of a value that is said to go from one to another."""
_TRUE = ("the test holds", "that is true", "the condition is true")
_FALSE = ("the test fails", "that is false", "the condition is false")
_SKIP = (
    "I skip ahead over passes {first} to {last}; after them, {changes}.",
    "Passes {first} to {last} I do in my head; at their end, {changes}.",
)
_QUIET_SKIP = ("I skip ahead over passes {first} to {last}.",)
_RETURNS = (
    "So the call returns {literal}.",
    "The result of the call is {literal}.",
    "That is what comes back: {literal}.",
)
_RAISES = (
    "Nothing in the program catches it, so the call ends in {name}.",
    "No handler takes it: {name} leaves the function.",
)
_QUESTIONS = (
    "Now the questions, from what I noted:",
    "That leaves the questions about the run:",
    "With the run written down, the questions can be answered:",
)
_GOAL = (
    "I need arguments for `{entry}` so that it {does}.",
    "The aim is a call of `{entry}` that {does}.",
    "I look for a call of `{entry}` that {does}.",
)
_CANDIDATE = (
    "Arguments that do all this: `{call}`.",
    "These point to `{call}`.",
    "A call that fits is `{call}`.",
)
_CHECK = (
    "Let me check it by running it:",
    "To be sure, I run it forwards:",
    "Does it work? I go through the run:",
)


class Voice:
    """One way of speaking: chosen once for a narration, varied within it.

    The wording of a line's beginning stays the same over a narration, as one person's does;
    what is said of it varies.
    """

    def __init__(self, rng: random.Random) -> None:
        """Choose a voice.

        Args:
            rng: The narration's own chance.
        """
        self._rng = rng
        self._first = rng.choice(_FIRST)
        self._true = rng.choice(_TRUE)
        self._false = rng.choice(_FALSE)
        self._mentioned: set[int] = set()

    def say(self, wordings: Sequence[str], **facts: object) -> str:
        """Word something in one of several ways.

        Args:
            wordings: Templates.
            facts: What is put in.

        Returns:
            The text.
        """
        return self._rng.choice(wordings).format(**facts)

    def opening(self, call: str) -> str:
        """Begin a walk through a run."""
        return self.say(_OPENING, call=call)

    def at(self, fact: Fact) -> str:
        """Name a line: with its text when it is named for the first time."""
        template = _AGAIN if fact.line in self._mentioned else self._first
        self._mentioned.add(fact.line)
        return template.format(line=fact.line, text=fact.text)

    def change(self, change: Change) -> str:
        """Say what a variable is after a step."""
        if change.literal is None:
            return f"{change.name} is set" if change.is_new else f"{change.name} changes"
        if not change.literal:
            return f"{change.name} is gone"
        if change.is_argument:
            return f"{change.name} comes in as {change.literal}"
        if change.is_new:
            return f"{change.name} = {change.literal}"
        small = change.old is not None and max(len(change.old), len(change.literal)) <= _SCALAR
        wordings = _GOES if small else _BECOMES
        return self.say(wordings, name=change.name, literal=change.literal, old=change.old)

    def verdict(self, holds: bool) -> str:
        """Say how a test went."""
        return self._true if holds else self._false

    def skipped(self, first: int, last: int, changes: str) -> str:
        """Pass over passes of a loop, saying what they left."""
        wordings = _SKIP if changes else _QUIET_SKIP
        return self.say(wordings, first=first, last=last, changes=changes)

    def returned(self, literal: str) -> str:
        """Say what the call gives."""
        return self.say(_RETURNS, literal=literal)

    def escaped(self, name: str) -> str:
        """Say which exception leaves the call."""
        return self.say(_RAISES, name=name)

    def questions(self) -> str:
        """Turn to the questions."""
        return self.say(_QUESTIONS)

    def goal(self, entry: str, does: str) -> str:
        """Say what is looked for, backwards."""
        return self.say(_GOAL, entry=entry, does=does)

    def candidate(self, call: str) -> str:
        """Propose a call."""
        return self.say(_CANDIDATE, call=call)

    def check(self) -> str:
        """Turn to running the proposed call."""
        return self.say(_CHECK)


def joined(parts: Sequence[str]) -> str:
    """Join parts of a sentence.

    Args:
        parts: At least one.

    Returns:
        The sentence's part.

    Example:
        >>> joined(["a = 1", "b = 2", "c = 3"])
        'a = 1, b = 2 and c = 3'
    """
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
