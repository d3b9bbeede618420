"""Reads a completion and says what it earns; shared by grading and by the rewards.

:func:`score` judges one completion, :func:`score_many` a batch. Model text is never run
here: assertions are read, input predictions run our own program, and code runs in the
sandbox. docs/rewards.md lists what is accepted.
"""

from curricula.scoring.reward import HIGHEST, Part, Reward, score, score_many

__all__ = ["HIGHEST", "Part", "Reward", "score", "score_many"]
