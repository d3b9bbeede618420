"""Where shards are made: on this machine, or on a cluster."""

from synth.executors.base import EXECUTORS, ShardReport, executor_of

__all__ = ["EXECUTORS", "ShardReport", "executor_of"]
