"""Trains models: the warm-up, and both stages of reinforcement learning, on TRL.

Each is a function of one frozen config, whose defaults are the paper's. What TRL does is
left to TRL; here are the data, the order in which the trainer sees them, and what makes a
run go on after it was killed.
"""

from rl.training.configs import StageOneConfig, StageTwoConfig, WarmupConfig
from rl.training.reading import read_config

__all__ = ["StageOneConfig", "StageTwoConfig", "WarmupConfig", "read_config"]
