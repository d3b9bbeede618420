"""Trains one model on equal amounts of two datasets, and says which of them taught it more.

The paper's comparison with 15,000 conversations of each. Both are learned in the same way
(completions alone, the warm-up's numbers) and measured on the same benchmarks, with a paired
test between them. docs/evaluation.md walks through it.

    python examples/compare_datasets.py --model Qwen/Qwen2.5-Coder-7B \\
        --ours curriculum/all-0 --other hkust-nlp/CodeIO-PyEdu-Reasoning --engine vllm

Does not look for benchmark programs in a dataset; docs/evaluation.md says how to.

Source: ExecVerify, the comparison of PYX-Sub and CodeI/O-Sub.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

import tracing
from curricula.problem import from_row
from curricula.views import sft
from rl.evaluation import Report, compare, evaluate, read_report, write_report
from rl.evaluation.benchmarks.reading import Line, read_lines
from rl.evaluation.table import comparison_table, score_table
from rl.training import WarmupConfig, models
from rl.training.outcome import Data
from rl.training.run import FINAL, world_size
from rl.training.supervised import fine_tune, sft_arguments
from tracing.errors import ExecVerifyError, UsageError

Messages = list[dict[str, str]]
PAIRS = (
    ("prompt", "completion"),
    ("prompt", "response"),
    ("prompt", "turn_1"),
    ("instruction", "output"),
    ("question", "answer"),
    ("query", "response"),
)
"""Columns that datasets hold a question and its answer in; CodeI/O's are the third."""
_ROLES = {"human": "user", "gpt": "assistant"}
SIDES = ("ours", "other")


def conversation(line: Line) -> Messages | None:
    """Read a conversation out of a row of any dataset.

    Args:
        line: A row with ``messages`` or ``conversations``, or with one of :data:`PAIRS`.

    Returns:
        The messages, the last by the assistant; None where a part is empty.

    Raises:
        BenchmarkError: The row has none of these columns.
    """
    columns = line.columns
    for name in ("messages", "conversations"):
        if columns.get(name):
            read = [_message(line, message) for message in line.items(name)]
            whole = all(message["content"].strip() for message in read)
            return read if whole and read[-1]["role"] == "assistant" else None
    for asked, answered in PAIRS:
        if asked in columns and answered in columns:
            parts = columns[asked], columns[answered]
            if not all(isinstance(part, str) and part.strip() for part in parts):
                return None
            return [
                {"role": "user", "content": parts[0]},
                {"role": "assistant", "content": parts[1]},
            ]
    wanted = ", ".join("/".join(pair) for pair in PAIRS)
    raise line.error(f"there is no conversation in it: no messages, and none of {wanted}")


def _message(line: Line, given: Any) -> dict[str, str]:
    if not isinstance(given, dict):
        raise line.error("a message is no object")
    role, content = given.get("role", given.get("from")), given.get("content", given.get("value"))
    if not isinstance(role, str) or not isinstance(content, str):
        raise line.error("a message has no role and content")
    return {"role": _ROLES.get(role, role), "content": content}


def conversations(place: str, rng: random.Random) -> Iterator[Messages]:
    """Give the conversations of a dataset in random order.

    Args:
        place: A folder that ``synth build`` wrote, whose runs are narrated; a JSONL or parquet
            file; or a dataset's name on the Hub, its config behind a colon if it has one.
        rng: Decides the order.

    Yields:
        One conversation after the other.

    Raises:
        ExecVerifyError: It cannot be read.
    """
    if Path(place).is_dir():
        yield from _narrated(Path(place), rng)
        return
    name, colon, config = place.partition(":")
    lines = read_lines(name, config=config if colon else None, split="train")
    rng.shuffle(lines)
    for line in lines:
        read = conversation(line)
        if read is not None:
            yield read


def _narrated(folder: Path, rng: random.Random) -> Iterator[Messages]:
    """Narrate the runs of a built folder's train split, forwards and backwards in turn."""
    files = sorted(folder.glob("data/problems/train-*.parquet"))
    problems = [from_row(line.columns) for file in files for line in read_lines(str(file))]
    rng.shuffle(problems)
    jobs = ((problem.source, problem.call) for problem in problems)
    for problem, trace in zip(problems, tracing.run_many(jobs), strict=True):
        for row in sft.to_rows(problem, trace):
            yield row["messages"]


def tokens_of(messages: Messages, tokenizer: Any) -> int:
    """Count the tokens of a conversation."""
    return len(tokenizer(tokenizer.apply_chat_template(messages, tokenize=False)).input_ids)


def choose(found: Iterator[Messages], count: int, length: int, tokenizer: Any) -> list[Messages]:
    """Take the first conversations that are not too long.

    Args:
        found: Conversations in random order.
        count: How many to take.
        length: Most tokens of one.
        tokenizer: A tokenizer with a chat template.

    Returns:
        So many conversations.

    Raises:
        ExecVerifyError: There are too few.
    """
    taken: list[Messages] = []
    for messages in found:
        if len(taken) == count:
            break
        if tokens_of(messages, tokenizer) <= length:
            taken.append(messages)
    if len(taken) < count:
        raise ExecVerifyError(
            f"there are only {len(taken):,} conversations of at most {length:,} tokens, not "
            f"{count:,}; lower --count, so that both sides learn from as many"
        )
    return taken


def config_of(side: str, given: argparse.Namespace) -> WarmupConfig:
    """Say how a side is learned: all weights, in float32, where small updates are not lost."""
    return WarmupConfig(
        model=given.model,
        dataset=getattr(given, side),
        out=str(given.out / side),
        conversations=given.count,
        length=given.length,
        epochs=given.epochs,
        learning_rate=given.learning_rate,
        batch=given.batch,
        device_batch=given.device_batch,
        save_steps=100,
        seed=given.seed,
        cpu=given.cpu,
        precision="float32" if given.cpu else "bfloat16",
        options={
            "gradient_checkpointing": not given.cpu,
            **({"deepspeed": given.deepspeed} if given.deepspeed else {}),
        },
    )


def train(chosen: Sequence[Messages], config: WarmupConfig, tokenizer: Any) -> None:
    """Fine-tune the model on conversations; the same call goes on where it was killed.

    Args:
        chosen: The conversations.
        config: How they are learned, and where the model goes: to ``final`` in its folder.
        tokenizer: The model's.

    Raises:
        UsageError: The folder holds another run, or the batch does not fit the processes.
    """
    digest = hashlib.sha256(json.dumps(list(chosen)).encode()).hexdigest()[:12]
    data = Data(((str(config.dataset), digest),), len(chosen), {})
    rows = [{"prompt": messages[:-1], "completion": messages[-1:]} for messages in chosen]
    fine_tune(config, "comparison", sft_arguments(config), rows, data, tokenizer)


def measure(name: str, model: str, given: argparse.Namespace) -> list[Report]:
    """Evaluate one model on all benchmarks, as far as that was not done yet.

    Args:
        name: ``"base"``, ``"ours"`` or ``"other"``.
        model: Its name or folder.
        given: The command line.

    Returns:
        A report for each benchmark.
    """
    reports = []
    for benchmark in given.benchmarks:
        word, colon, data = benchmark.partition("=")
        path = given.out / f"{name}-{word.replace('/', '-')}.json"
        if not path.exists():
            report = evaluate(
                model,
                word,
                engine=given.engine,
                data=data if colon else None,
                max_tokens=given.max_tokens,
                limit=given.limit,
                journal=path.with_suffix(".replies.jsonl"),
            )
            write_report(report, path)
        reports.append(read_report(path))
    return reports


def learn(side: str, given: argparse.Namespace, talk: Console) -> None:
    """Train the model on one side, as far as that was not done yet."""
    tokenizer = models.load_tokenizer(given.model)
    found = conversations(getattr(given, side), random.Random(f"{given.seed} {side}"))
    chosen = choose(found, given.count, given.length, tokenizer)
    tokens = sum(tokens_of(messages, tokenizer) for messages in chosen)
    talk.print(f"{side}: {len(chosen):,} conversations, {tokens:,} tokens")
    train(chosen, config_of(side, given), tokenizer)


def show(given: argparse.Namespace, talk: Console) -> None:
    """Evaluate the model before and after, and write what came of it."""
    places = {"base": given.model, **{side: str(given.out / side / FINAL) for side in SIDES}}
    measured = {name: measure(name, model, given) for name, model in places.items()}
    summary: dict[str, Any] = {}
    for place, benchmark in enumerate(given.benchmarks):
        reports = {name: several[place] for name, several in measured.items()}
        for report in reports.values():
            talk.print(score_table(report))
        compared = compare(reports["other"], reports["ours"])
        talk.print(comparison_table(compared, "other", "ours"))
        summary[benchmark.partition("=")[0]] = {
            f"{one.task}/{one.rule}": {
                "base": reports["base"].score(one.task, rule=one.rule).rate,
                "other": one.first,
                "ours": one.second,
                "p": one.difference.p,
            }
            for one in compared
        }
    (given.out / "summary.json").write_text(json.dumps(summary, indent=2) + "\n")


def run(given: argparse.Namespace) -> None:
    """Do the steps that were asked for."""
    if world_size() > 1 and given.step not in SIDES:
        raise UsageError(
            f"{world_size()} processes train one side at a time: start them with --step ours and "
            "--step other, and evaluate with one process and --step evaluate"
        )
    talk = Console()
    given.out.mkdir(parents=True, exist_ok=True)
    for side in SIDES:
        if given.step in (side, "all"):
            learn(side, given, talk)
    if given.step in ("evaluate", "all"):
        show(given, talk)


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--model", required=True, help="the model that both train")
    parser.add_argument("--ours", required=True, help="a built folder, a file or NAME:CONFIG")
    parser.add_argument("--other", required=True, help="a file, or NAME[:CONFIG] on the Hub")
    parser.add_argument("--count", type=int, default=15_000, help="conversations of each")
    parser.add_argument("--length", type=int, default=4096, help="most tokens of one")
    parser.add_argument("--epochs", type=float, default=2.0)
    parser.add_argument("--learning-rate", type=float, default=1e-5)
    parser.add_argument("--batch", type=int, default=64, help="of an update, over all devices")
    parser.add_argument("--device-batch", type=int, default=4, help="through a device at once")
    parser.add_argument("--deepspeed", default="", help="its config, like examples/zero3.json")
    parser.add_argument("--cpu", action="store_true", help="train on the processor")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--engine", default="transformers", help="transformers or vllm")
    parser.add_argument("--max-tokens", type=int, default=2048, help="of a reply")
    parser.add_argument("--limit", type=int, default=None, help="problems of a benchmark")
    parser.add_argument(
        "--benchmarks",
        nargs="+",
        default=["cruxeval", "livecodebench"],
        help="names, with =FILE for a local copy",
    )
    parser.add_argument("--step", choices=(*SIDES, "evaluate", "all"), default="all")
    parser.add_argument("--out", type=Path, default=Path("runs/compare"))
    return parser.parse_args(words)


if __name__ == "__main__":
    try:
        run(arguments())
    except ExecVerifyError as error:
        raise SystemExit(f"compare_datasets: {error}") from None
