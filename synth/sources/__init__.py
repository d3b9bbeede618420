"""Programs that a model proposes, each proved like those that the generator writes."""

from synth.sources.proposing import make_shards, programs_of
from synth.sources.reading import Unfit, program_in
from synth.sources.wording import prompt_for

__all__ = ["Unfit", "make_shards", "program_in", "programs_of", "prompt_for"]
