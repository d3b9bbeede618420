"""Whether stage I teaches: held-out rewards before and after it, and of a control.

    python benchmarks/learning.py [--out runs/learning] [--json FIGURES]

A model of a million parameters that knows nothing learns by the warm-up, from answers alone,
and then by stage I, from programs of other families. The control is the same stage I, in which
the completions to a prompt swap their rewards: the same rewards, which say nothing. All three
answer the test split, which shares no family with what they learned from.

The prompts are the library's own. They are short for so small a model because its tokenizer has
a token for each sentence that many of them share. The same command goes on where a killed one
stopped; CPU times are of parts that were done in one go.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

from measuring import Row, T, arguments, cpu_of, tell, versions

import rl
from curricula.difficulty.engines import Sampling, open_engine
from curricula.narrator.narration import answered
from curricula.problem import Problem, to_row
from curricula.scoring import score_many
from rl.evaluation.asking import ask
from rl.evaluation.benchmarks import benchmark_of
from rl.evaluation.benchmarks.base import Item
from rl.evaluation.statistics import Difference, interval
from rl.training import StageOneConfig, WarmupConfig
from rl.training.models import fits, load_tokenizer
from rl.training.source import open_source
from synth.build import build_folder
from synth.spec import Spec

KINDS = ("state", "next_statement")
VOCABULARY = 1500
WIDTH, LAYERS, HEADS = 128, 4, 4
PROMPT, ANSWER = 240, 48
"""Most tokens of a prompt and of an answer."""
PROMPTS, GENERATIONS = 16, 8
"""Of an update of stage I."""
SAMPLES = 4
"""Replies to a held-out prompt, at the temperature of the training."""
HIGHEST = 2.0
MODELS = ("warm-up", "stage I", "control")
REPLIES = {"sampled": SAMPLES, "greedy": 1}
SHARED: dict[str, Any] = {"cpu": True, "precision": "float32", "save_steps": 25}

Groups = dict[str, list[float]]
"""Means over the replies to each prompt, by the family of its program."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What a model's replies earned.

    Attributes:
        reward: Rewards, as shares of the highest.
        parts: The same of the output, and of each kind of question.
    """

    reward: Groups
    parts: dict[str, Groups]


def tokenizer_of(texts: Sequence[str]) -> Any:
    """Make a tokenizer for such texts: sentences that a third of them share, and words."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    said = Counter(part for text in texts for part in set(re.split(r"(?<=[.:;,?]) |\n", text)))
    shared = sorted(part for part, n in said.items() if " " in part and 3 * n > len(texts))
    words = Tokenizer(models.BPE())
    words.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(False)]
    )
    words.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY - len(shared),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        special_tokens=["<end>", "<pad>", "<user>", "<assistant>"],
        show_progress=False,
    )
    rest = re.compile("|".join(map(re.escape, sorted(shared, key=len, reverse=True))))
    words.train_from_iterator((rest.sub("", text) for text in texts), trainer)
    words.add_tokens(shared)
    made = PreTrainedTokenizerFast(tokenizer_object=words, eos_token="<end>", pad_token="<pad>")
    made.chat_template = (
        "{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}<end>{% endfor %}"
        "{% if add_generation_prompt %}<assistant>{% endif %}"
    )
    return made


def make_model(problems: Sequence[Problem], place: Path, seed: int) -> int:
    """Write a model that knows nothing, with its tokenizer; give its number of parameters."""
    from transformers import LlamaConfig, LlamaForCausalLM, set_seed

    said = (answered(problem, "output").messages for problem in problems)
    tokenizer = tokenizer_of(["\n".join(one["content"] for one in two) for two in said])
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=WIDTH,
        intermediate_size=3 * WIDTH,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        max_position_embeddings=PROMPT + ANSWER,
        tie_word_embeddings=True,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
    )
    set_seed(seed)
    model = LlamaForCausalLM(config)
    model.save_pretrained(place)
    tokenizer.save_pretrained(place)
    return sum(weights.numel() for weights in model.parameters())


def parted(problems: Sequence[Problem]) -> tuple[list[Problem], list[Problem]]:
    """Share problems among warm-up and stage I, three in four to the first, by family."""
    parts: tuple[list[Problem], list[Problem]] = [], []
    for problem in problems:
        digest = hashlib.sha256(problem.family.encode()).digest()
        parts[digest[0] < 64].append(problem)
    return parts


def in_memory(problems: Sequence[Problem]) -> dict[str, Any]:
    """Give problems as a dataset."""
    return {"train": [to_row(problem) for problem in problems]}


def swapped(seed: int) -> Callable[..., list[float | None]]:
    """Give the control's reward: that of another completion to the same prompt."""

    def reward(prompts: Any, completions: Any, **columns: Any) -> list[float | None]:
        earned = rl.rewards.white_box(prompts, completions, **columns)
        rng = random.Random(f"swapped\0{seed}\0{columns['trainer_state'].global_step}")
        for first in range(0, len(earned), GENERATIONS):
            group = earned[first : first + GENERATIONS]
            earned[first : first + GENERATIONS] = rng.sample(group, len(group))
        return earned

    return reward


def warmed(blank: Path, problems: Sequence[Problem], given: Any) -> Path:
    """Teach the model that knows nothing by the warm-up."""
    config = WarmupConfig(
        model=str(blank),
        dataset=in_memory(problems),
        out=str(given.out / "warmup"),
        seed=given.seed,
        learning_rate=3e-3,
        epochs=3.0,
        max_steps=given.warmup,
        tasks=("output",),
        reasoning=False,
        length=PROMPT + ANSWER,
        batch=16,
        device_batch=16,
        # Prompts are learned, too: that is how a model that knows nothing learns to copy.
        options={
            "gradient_checkpointing": False,
            "completion_only_loss": False,
            "warmup_steps": 20,
        },
        **SHARED,
    )
    return rl.warmup(config).model


def reinforced(name: str, model: Path, problems: Sequence[Problem], given: Any) -> Path:
    """Teach a model by stage I, or by its control."""
    config = StageOneConfig(
        model=str(model),
        dataset=in_memory(problems),
        out=str(given.out / name.replace(" ", "")),
        seed=given.seed,
        learning_rate=given.rate,
        epochs=100.0,
        max_steps=given.updates,
        input_problems=0,
        generations=GENERATIONS,
        batch=PROMPTS,
        mini_batch=PROMPTS,
        device_batch=PROMPTS * GENERATIONS,
        prompt_length=PROMPT,
        completion_length=ANSWER,
        curriculum="uniform",
        options={"gradient_checkpointing": False, "lr_scheduler_type": "linear"},
        **SHARED,
    )
    return rl.stage1(config, reward=swapped(given.seed) if name == "control" else None).model


def heldout(data: Path, model: Path) -> list[Item]:
    """Give the test split's prompts that are as short as those that were learned from."""
    benchmark, tasks = benchmark_of("heldout/output")
    tokenizer = load_tokenizer(str(model))
    return [
        item
        for item in benchmark.read(str(data), tasks).items
        if fits(tokenizer, {"prompt": item.messages}, PROMPT)
    ]


def measured(model: Path, items: Sequence[Item], samples: int, journal: Path) -> Marks:
    """Ask a model held-out prompts; greedily where one sample is asked for."""
    from transformers import set_seed

    set_seed(0)
    engine = open_engine(f"transformers:{model}", device="cpu", batch=64)
    sampling = Sampling(1.0 if samples > 1 else 0.0, 1.0, ANSWER)
    header = {"model": engine.revision, "samples": samples}
    replied = ask(items, engine, sampling, samples, journal=journal, header=header)
    found = Marks({}, {name: {} for name in ("output", *KINDS)})
    for one in replied:
        earned = score_many(one.texts, [one.item.row] * samples)
        marks: dict[str, list[float]] = {"output": [reward.io for reward in earned]}
        for part in (part for reward in earned for part in reward.parts):
            marks.setdefault(part.kind, []).append(float(part.right))
        family = one.item.row["family"]
        totals = [(reward.total or 0.0) / HIGHEST for reward in earned]
        found.reward.setdefault(family, []).append(fmean(totals))
        for name, values in marks.items():
            found.parts[name].setdefault(family, []).append(fmean(values))
    return found


def rows_of(found: dict[tuple[str, str], Marks]) -> list[Row]:
    """Compare what each model earns with what the one after the warm-up does."""
    rows = []
    for how in REPLIES:
        before = found["warm-up", how].reward
        for name in MODELS:
            marks = found[name, how]
            low, high, _ = interval(list(marks.reward.values()))
            row: Row = {"replies": how, "after": name, "reward": mean_of(marks.reward)}
            row["95%"] = [round(low, 3), round(high, 3)]
            row |= {"change": "", "95% of change": ""}
            if name != "warm-up":
                row |= change(before, marks.reward)
            rows.append(row | {part: mean_of(of) for part, of in marks.parts.items()})
    return rows


def mean_of(groups: Groups) -> float:
    """Give the mean over the prompts of all families."""
    values = [value for group in groups.values() for value in group]
    return round(fmean(values), 3) if values else 0.0


def change(before: Groups, after: Groups) -> Row:
    """Compare the same prompts before and after; families are what is drawn anew."""
    pairs = [list(zip(before[family], after[family], strict=True)) for family in before]
    found = Difference.of(pairs)
    low, high = round(found.low, 3), round(found.high, 3)
    return {"change": round(found.mean, 3), "95% of change": [low, high]}


def main() -> None:
    given = arguments(
        __doc__,
        out=(Path, Path("runs/learning"), "folder of the data, the runs and the replies"),
        problems=(int, 10_000, "problems, over all splits"),
        warmup=(int, 1500, "updates of the warm-up"),
        updates=(int, 80, "updates of stage I"),
        rate=(float, 3e-4, "learning rate of stage I"),
        seed=(int, 0, "seed of all that is drawn"),
    )
    data, blank = given.out / "curriculum", given.out / "blank"
    minutes: dict[str, float] = {}

    def timed(name: str, work: Callable[[], T]) -> T:
        seconds, result = cpu_of(work)
        minutes[name] = round(seconds / 60, 1)
        return result

    if not data.exists():
        spec = Spec(tier="easy", size=given.problems, seed=given.seed, kinds=KINDS, questions=2)
        timed("build", lambda: build_folder(spec, data, workers=1))
    first, second = parted(open_source(data).problems)
    parameters = make_model(first, blank, given.seed)
    models = {"warm-up": timed("warm-up", lambda: warmed(blank, first, given))}
    for name in MODELS[1:]:
        work = partial(reinforced, name, models["warm-up"], second, given)
        models[name] = timed(name, work)
    items = heldout(data, blank)
    found = {}
    for name, model in models.items():
        for how, samples in REPLIES.items():
            journal = given.out / f"{name.replace(' ', '')}-{how}.jsonl"
            work_ = partial(measured, model, items, samples, journal)
            found[name, how] = timed(f"{name}, {how}", work_)
    beyond = change(found["control", "sampled"].reward, found["stage I", "sampled"].reward)
    families = len({item.row["family"] for item in items})
    told = versions("torch", "transformers", "trl")
    unit = f"{len(items):,} prompts of {families:,} families; {parameters:,} parameters"
    tell(rows_of(found), told, unit, given.json, beyond_control=beyond, cpu_minutes=minutes)
    print(f"stage I beyond its control: {beyond}\nCPU minutes: {minutes}")


if __name__ == "__main__":
    main()
