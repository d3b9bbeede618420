"""Datasets in the forms of other trainers, one file for each format.

Importing this package registers them all in :data:`EXPORTS`; :func:`export` writes one.
"""

from cards.exports import (
    jsonl,
    llama_factory,
    openrlhf,
    reasoning_gym,
    trl_grpo,
    trl_sft,
    verifiers,
    verl,
)
from cards.exports.base import EXPORTS, export, export_format

__all__ = ["EXPORTS", "export", "export_format"]
