"""The folder of a training run: what it is of, whole checkpoints, logs, the final model.

A run may be killed at any moment. A checkpoint counts when the file that is written last
is in it; what is not whole is removed, and the log is cut to the step that the run goes on
from. A folder belongs to one config and one dataset.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from curricula.columns import is_object_with
from curricula.difficulty.engines.base import folder_revision
from rl.training.configs import RunConfig
from rl.training.outcome import Scores
from tracing.errors import ExecVerifyError, UsageError, shorten

__all__ = [
    "FINAL",
    "PROGRAMS",
    "Run",
    "RunError",
    "append",
    "mark_whole",
    "open_run",
    "read_log",
    "world_size",
]

FINAL = "final"
"""The folder of the final model in that of its run."""
_WHOLE = "whole.json"
_BEFORE = "before.json"
PROGRAMS = "programs.jsonl"
"""The log of right programs."""
_LOGS = ("log.jsonl", "samples.jsonl", PROGRAMS)
_FREE = {"out", "resume", "keep", "report_to", "dataset", "revision", "save_steps"}
"""Fields that may change between a stop and going on."""


class RunError(ExecVerifyError):
    """A training run failed, or its folder is not what it should be."""


@dataclass(frozen=True, slots=True)
class Run:
    """An open run.

    Attributes:
        folder: Its folder.
        checkpoint: The last whole checkpoint, or None to begin.
        pacing: The state of the curriculum in that checkpoint, or None.
        is_finished: Whether the final model is there.
    """

    folder: Path
    checkpoint: Path | None
    pacing: Mapping[str, Any] | None
    is_finished: bool

    @property
    def final(self) -> Path:
        """The folder of the final model."""
        return self.folder / FINAL

    def put(self, made: Path) -> None:
        """Put the final model in its place, whole.

        Args:
            made: The folder that holds it, on the same file system.
        """
        shutil.rmtree(self.final, ignore_errors=True)
        made.rename(self.final)

    def before(self) -> Scores | None:
        """Read the held-out scores of the first model.

        Returns:
            What :meth:`keep_before` kept; None where nothing was kept yet.

        Raises:
            RunError: The file is damaged.
        """
        file = self.folder / _BEFORE
        return _read(file) if file.exists() else None

    def keep_before(self, scores: Scores) -> None:
        """Keep the held-out scores of the first model, for when the run goes on.

        Args:
            scores: The scores.
        """
        _write(self.folder / _BEFORE, scores)


def open_run(config: RunConfig, stage: str, data: Mapping[str, Any]) -> Run:
    """Open the folder of a run: to begin it, or to go on.

    Args:
        config: The config.
        stage: The stage's name.
        data: Names the data: what can be compared when the run goes on.

    Returns:
        The run. With several processes the first one tidies the folder.

    Raises:
        UsageError: The folder belongs to another run.
        RunError: What it holds is damaged.
    """
    folder = Path(config.out)
    identity = _identity(config, stage, data)
    if int(os.environ.get("RANK", "0")) == 0:
        _tidy(folder, identity, config.resume)
    _wait()
    found = _whole_checkpoints(folder)
    checkpoint = found[-1] if found else None
    state = None if checkpoint is None else _read(checkpoint / _WHOLE)
    return Run(
        folder,
        checkpoint,
        None if state is None else state.get("pacing"),
        (folder / FINAL / "results.json").is_file(),
    )


def mark_whole(checkpoint: Path, pacing: Mapping[str, Any] | None) -> None:
    """Say that a checkpoint is whole; it is the last file that is written to it.

    Args:
        checkpoint: The checkpoint.
        pacing: The state of the curriculum.
    """
    _write(checkpoint / _WHOLE, {"pacing": pacing})


def append(file: Path, entry: Mapping[str, Any]) -> None:
    """Write one line of a log.

    Args:
        file: The log.
        entry: What JSON can hold.
    """
    with file.open("a", encoding="utf-8") as log:
        log.write(json.dumps(entry, ensure_ascii=False, default=str) + "\n")


def read_log(folder: Path, name: str = _LOGS[0]) -> list[dict[str, Any]]:
    """Read a log of a run.

    Args:
        folder: The run's folder.
        name: The log.

    Returns:
        Its entries; a line that a killed run has not written to its end is none.
    """
    entries = []
    file = folder / name
    for line in file.read_text(encoding="utf-8").splitlines() if file.is_file() else ():
        try:
            entries.append(json.loads(line))
        except ValueError:
            continue
    return entries


def world_size() -> int:
    """Count the processes that train together.

    Returns:
        What the launcher says, or 1.
    """
    return int(os.environ.get("WORLD_SIZE", "1"))


def _identity(config: RunConfig, stage: str, data: Mapping[str, Any]) -> dict[str, Any]:
    told = {f.name: getattr(config, f.name) for f in fields(config) if f.name not in _FREE}
    # A folder's name stays where another model is put into it.
    told["model_content"] = folder_revision(config.model)
    plain = json.loads(json.dumps({"stage": stage, "data": data, **told}, default=str))
    return {**plain, "world_size": world_size()}


def _tidy(folder: Path, identity: Mapping[str, Any], resume: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"out is {shorten(str(folder), 120)}, which is no folder")
    told = folder / "run.json"
    differing = []
    if told.is_file() and resume:
        known = _read(told)
        differing = [name for name in identity if known.get(name) != identity[name]]
        if differing and _has_trained(folder):
            raise UsageError(
                f"{shorten(str(folder), 120)} holds a run with another {', '.join(differing)}; "
                "choose another out, or set resume to false to begin anew"
            )
    elif folder.is_dir() and any(folder.iterdir()) and not _is_of_a_run(told):
        raise UsageError(
            f"{shorten(str(folder), 120)} holds something else than a training run, so it stays "
            "as it is; choose another out, or remove it yourself"
        )
    if resume and (folder / FINAL).is_dir():
        return
    folder.mkdir(parents=True, exist_ok=True)
    whole = _whole_checkpoints(folder) if resume else []
    for place in [*folder.glob("checkpoint-*"), *([] if resume else [folder / FINAL])]:
        if place not in whole:
            shutil.rmtree(place, ignore_errors=True)
    step = _step(whole[-1]) if whole else 0
    for name in _LOGS:
        _cut(folder, name, step)
    if differing or not resume:
        (folder / _BEFORE).unlink(missing_ok=True)
    _write(told, identity)


def _has_trained(folder: Path) -> bool:
    """Tell whether a run has come so far that its config is no longer free to change."""
    return (folder / FINAL).is_dir() or any(folder.glob(f"checkpoint-*/{_WHOLE}"))


def _is_of_a_run(told: Path) -> bool:
    """Tell whether a run wrote this file; many programs write a file of that name."""
    try:
        text = told.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    return is_object_with(text, ("stage", "data", "world_size"))


def _cut(folder: Path, name: str, step: int) -> None:
    """Leave of a log what a run had written up to a step."""
    if not (folder / name).exists():
        return
    kept = [entry for entry in read_log(folder, name) if entry.get("step", 0) <= step]
    temporary = folder / f".{name}"
    text = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in kept)
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(folder / name)


def _whole_checkpoints(folder: Path) -> list[Path]:
    """List what a run can go on from, in order.

    Not the checkpoint of the last update: a trainer that begins there makes one more. A run
    that was killed before its model was saved makes its last updates again.
    """
    found = [place for place in folder.glob("checkpoint-*") if (place / _WHOLE).is_file()]
    return sorted((p for p in found if _step(p) >= 0 and not _is_last(p)), key=_step)


def _is_last(checkpoint: Path) -> bool:
    state = _read(checkpoint / "trainer_state.json")
    return bool(state.get("global_step", 0) >= state.get("max_steps", 0) > 0)


def _step(checkpoint: Path) -> int:
    match = re.fullmatch(r"checkpoint-([0-9]+)", checkpoint.name)
    return int(match[1]) if match else -1


def _read(file: Path) -> dict[str, Any]:
    try:
        read = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise RunError(f"{shorten(str(file), 120)} is damaged; set resume to false to begin anew")
    return read


def _write(file: Path, entry: Mapping[str, Any]) -> None:
    """Write a file whole or not at all."""
    temporary = file.with_name(f".{file.name}")
    with temporary.open("w", encoding="utf-8") as stream:
        stream.write(json.dumps(entry, indent=2) + "\n")
        stream.flush()
        os.fsync(stream.fileno())
    temporary.replace(file)


def _wait() -> None:
    """Let the other processes see a tidy folder."""
    if world_size() > 1:
        from accelerate import PartialState

        PartialState().wait_for_everyone()
