"""The columns of every config, fixed: no column has another type in another file."""

from __future__ import annotations

import pyarrow as pa

from cards.layout import DEFAULT, TIERS
from curricula.difficulty.grade import REPLIES
from curricula.problem import SCHEMA
from curricula.views import sft, stage1, stage2
from curricula.views import trace as traces

__all__ = ["SCHEMAS"]

SCHEMAS: dict[str, pa.Schema] = {
    **dict.fromkeys((DEFAULT, *TIERS), SCHEMA),
    "trace": traces.SCHEMA,
    "stage1": stage1.SCHEMA,
    "sft": sft.SCHEMA,
    "stage2": stage2.SCHEMA,
    "replies": REPLIES,
}
"""By the config's name."""
