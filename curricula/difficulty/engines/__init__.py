"""The engines that ask a model, a file each.

:func:`open_engine` opens the one that a text names; importing this package registers them
all and loads none of what they need.
"""

from curricula.difficulty.engines import openai, replicas, transformers, vllm
from curricula.difficulty.engines.base import (
    ENGINES,
    Completion,
    Engine,
    Messages,
    Sampling,
    check_engine,
    check_samples,
    engine,
    open_engine,
    options_of,
    without_address,
)

__all__ = [
    "ENGINES",
    "Completion",
    "Engine",
    "Messages",
    "Sampling",
    "check_engine",
    "check_samples",
    "engine",
    "open_engine",
    "openai",
    "options_of",
    "replicas",
    "transformers",
    "vllm",
    "without_address",
]
