"""Makes shards of programs that a model proposes.

For each number of the seed a plan is drawn, as the generator draws it, and put into words;
what the model replies goes through everything that a generated program goes through. Replies
stand beside the shards as they come, so a build that was interrupted asks for none twice.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

from curricula.difficulty.engines import Engine, Sampling, open_engine
from curricula.shapes import Shape
from synth import shard_files
from synth.executors.base import ShardReport
from synth.plan import plan_of, random_of
from synth.program import Program
from synth.sources.reading import Unfit, program_in
from synth.sources.wording import prompt_for
from synth.spec import Spec
from tracing.errors import ExecVerifyError, said, shorten

__all__ = ["BATCH", "PATIENCE", "make_shards", "programs_of"]

BATCH = 32
"""Prompts that are asked at a time."""
PATIENCE = 1024
"""Replies in a row that give no program before a build is given up."""
UNANSWERED = Unfit("the engine gave no answer")
"""What becomes of a prompt that an engine passes over."""
_SPACING = 10_000_000
_SAMPLING = Sampling(temperature=1.0, top_p=0.95, max_tokens=700)


def make_shards(
    spec: Spec, numbers: Iterable[int], folder: Path, workers: int | None, address: str = ""
) -> Iterator[ShardReport]:
    """Make shards of what the spec's model proposes, one after the other.

    Args:
        spec: What to build; ``source`` names the engine.
        numbers: Which shards.
        folder: Where each is written, and its replies.
        workers: Unused: the model is what takes the time.
        address: Unused.

    Yields:
        A report of each shard.

    Raises:
        ExecVerifyError: The engine cannot be opened or fails, or nothing that it replies fits.
    """
    wanted = list(numbers)
    if not wanted:
        return
    with closing(open_engine(spec.source)) as engine:
        for number in wanted:
            refused: Counter[str] = Counter()
            stream = programs_of(spec, number, engine, folder, refused)
            yield shard_files.write(spec, number, folder, stream=stream, further=refused)


def programs_of(
    spec: Spec, number: int, engine: Engine, folder: Path, refused: Counter[str]
) -> Iterator[Program]:
    """Yield the programs of one shard that are of the shapes that were asked for.

    Args:
        spec: What to build.
        number: The shard.
        engine: Asks the model.
        folder: Where the replies are kept.
        refused: Counts the replies that give no program, by reason.

    Yields:
        Programs, without end.

    Raises:
        ExecVerifyError: :data:`PATIENCE` replies in a row gave none, the engine failed, or the
            file of replies is damaged.
    """
    barren = 0
    known = _Replies(folder / f"replies-{number:06d}.jsonl")
    for first in count(0, BATCH):
        shapes = [_shape(spec, number * _SPACING + n) for n in range(first, first + BATCH)]
        for shape, reply in zip(shapes, known.of(first, shapes, engine), strict=True):
            found = UNANSWERED if reply is None else program_in(reply, shape, spec.source)
            if isinstance(found, Unfit):
                refused[found.reason] += 1
                barren += 1
            else:
                barren = 0
                yield found
        if barren >= PATIENCE:
            common = ", ".join(f"{reason}: {n}" for reason, n in refused.most_common())
            raise ExecVerifyError(
                f"{barren} replies of {shorten(spec.source)} in a row gave no program ({common}); "
                "ask a larger model"
            )


def _shape(spec: Spec, number: int) -> Shape:
    parts = (spec.seed, number, spec.tier, spec.like)
    plan = plan_of(*parts, False, random_of(*parts))
    return Shape(plan.entry.type, plan.entry.method, plan.depth, plan.control, int(plan.helper))


class _Replies:
    """The replies of one shard: a file of lines of JSON that only grows.

    A line is a text, or null where the engine gave no answer and would give none.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        data = path.read_bytes() if path.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]
        lines = whole.split(b"\n")[:-1]
        self.texts = [_reply(line, path, number) for number, line in enumerate(lines, 1)]
        if whole != data:  # what a kill cut short is asked again
            with path.open("rb+") as file:
                file.truncate(len(whole))

    def of(self, first: int, shapes: list[Shape], engine: Engine) -> list[str | None]:
        """Give the replies to a batch of prompts, asking for those that are missing."""
        missing = range(max(first, len(self.texts)), first + len(shapes))
        if missing:
            prompts = [prompt_for(shapes[n - first]) for n in missing]
            replies: dict[int, str] = {}
            for completion in engine.complete(prompts, n=1, sampling=_SAMPLING):
                # What is refused for good would be refused by the same command, too.
                if completion.error and not completion.refused:
                    raise ExecVerifyError(
                        f"a reply never came: {shorten(completion.error)}; the same command goes on"
                    )
                if completion.texts:
                    replies[completion.prompt] = completion.texts[0]
            self._add([replies.get(n) for n in range(len(prompts))])
        return self.texts[first : first + len(shapes)]

    def _add(self, texts: list[str | None]) -> None:
        with self.path.open("ab") as file:
            file.write(b"".join(json.dumps(text).encode() + b"\n" for text in texts))
            file.flush()
            os.fsync(file.fileno())
        self.texts += texts


def _reply(line: bytes, path: Path, number: int) -> str | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = line
    if found is not None and not isinstance(found, str):
        raise ExecVerifyError(
            f"line {number} of {shorten(str(path), 120)} is no reply but {said(line)}; remove the "
            "file, and the same command asks again"
        )
    return found
