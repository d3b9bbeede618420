"""What a training run is asked for; the defaults are the paper's.

A field exists where we decide something that TRL does not; every other option of TRL's
config can be set by ``options`` and wins over what we pass. No field is about the
machine's number of devices: that is the launcher's business.

Source: ExecVerify, sections 3.2 to 3.4 and the appendix on training; issue on training.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tracing.errors import UsageError, shorten

__all__ = [
    "CURRICULA",
    "RunConfig",
    "StageConfig",
    "StageOneConfig",
    "StageTwoConfig",
    "WarmupConfig",
]

CURRICULA = ("paced", "uniform")
"""The orders in which problems are learned."""
PRECISIONS = ("bfloat16", "float32")
TASKS = ("output", "input")
"""The directions of the warm-up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """What every training run needs.

    Attributes:
        model: A model's folder or its name on the Hub.
        dataset: A folder that ``synth build`` wrote, a dataset's name on the Hub, or a
            ``datasets.DatasetDict`` of problems.
        revision: Revision of a dataset on the Hub; None for the newest.
        out: The folder of the run; checkpoints, logs and the final model go there.
        seed: Decides the data that are drawn, their order and what is sampled.
        learning_rate: The highest learning rate.
        epochs: Passes over the data.
        max_steps: Updates after which to stop; 0 for as many as the epochs have.
        device_batch: Conversations or completions that go through a device at once.
        lora: Rank of a LoRA adapter; 0 to train all weights.
        lora_options: Options of peft's ``LoraConfig``, by name, that win over ours (alpha twice
            the rank, no dropout, all linear layers).
        precision: ``"bfloat16"`` or ``"float32"``.
        cpu: Whether to train on the processor.
        save_steps: Updates between two checkpoints.
        keep: Checkpoints that are kept, at least 2: the newest may not be whole.
        report_to: Where TRL reports, beside the run's own log: ``"tensorboard"``,
            ``"trackio"``, ``"wandb"``.
        resume: Whether to go on from the last whole checkpoint; else begin anew.
        heldout: Held-out problems that the model answers before and after; 0 for none.
        heldout_tokens: Most tokens of an answer to them.
        options: Options of TRL's ``SFTConfig`` or ``GRPOConfig``, by name; not ``output_dir``,
            which is ``out``.

    Raises:
        UsageError: A value is not one that it may be.
    """

    model: str
    dataset: Any = ""
    revision: str | None = None
    out: str = "runs/run"
    seed: int = 0
    learning_rate: float = 1e-6
    epochs: float = 1.0
    max_steps: int = 0
    device_batch: int = 8
    lora: int = 0
    lora_options: Mapping[str, Any] = field(default_factory=dict)
    precision: str = "bfloat16"
    cpu: bool = False
    save_steps: int = 20
    keep: int = 2
    report_to: tuple[str, ...] = ()
    resume: bool = True
    heldout: int = 0
    heldout_tokens: int = 1024
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _text("model", self.model)
        _text("out", self.out)
        _whole("seed", self.seed, 0, 2**32 - 1)
        _number("learning_rate", self.learning_rate, 0.0, 1.0)
        _number("epochs", self.epochs, 0.001, 10_000.0)
        for name, least in _WHOLE.items():
            _whole(name, getattr(self, name), least)
        _one_of("precision", self.precision, PRECISIONS)
        for name in ("cpu", "resume"):
            _flag(name, getattr(self, name))
        _texts("report_to", self.report_to)
        for name, whose in (("options", "TRL"), ("lora_options", "peft")):
            told = getattr(self, name)
            if not isinstance(told, Mapping):
                raise _wrong(name, told, f"a mapping of names of {whose}'s options to values")
        if "output_dir" in self.options:
            raise UsageError("options.output_dir is not set there: set out")
        if self.lora_options and not self.lora:
            raise UsageError("lora_options say how to adapt, but lora is 0: set its rank")


_WHOLE = {"max_steps": 0, "device_batch": 1, "lora": 0, "save_steps": 1, "keep": 2}
_WHOLE |= {"heldout": 0, "heldout_tokens": 1}
"""The least value of fields that hold whole numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WarmupConfig(RunConfig):
    """The warm-up: supervised fine-tuning on conversations that walk through runs.

    Attributes:
        conversations: Conversations to learn from, as many of each task.
        tasks: The directions: ``"output"``, from a call to its outcome, and ``"input"``, back.
        reasoning: Whether replies walk through the run before they answer; else they are the
            answer alone, for models that are too small to walk, and to see what walking does.
        length: Most tokens of a conversation; longer ones are left out.
        batch: Conversations of an update, over all devices.
        scheduler: How the learning rate falls, as transformers names it.

    Source: ExecVerify, section 3.2. The batch is ours; the paper names none.
    """

    out: str = "runs/warmup"
    learning_rate: float = 1e-5
    epochs: float = 2.0
    conversations: int = 30_000
    tasks: tuple[str, ...] = TASKS
    reasoning: bool = True
    length: int = 4096
    batch: int = 64
    scheduler: str = "cosine"

    def __post_init__(self) -> None:
        # The class that dataclass makes for slots is another one: super() would miss it.
        RunConfig.__post_init__(self)
        for name in ("conversations", "length", "batch"):
            _whole(name, getattr(self, name), 1)
        _texts("tasks", self.tasks)
        if (
            not self.tasks
            or not set(self.tasks) <= set(TASKS)
            or len(set(self.tasks)) < len(self.tasks)
        ):
            raise _wrong("tasks", self.tasks, f"some of {', '.join(TASKS)}, each once")
        _flag("reasoning", self.reasoning)
        _text("scheduler", self.scheduler)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageConfig(RunConfig):
    """What both stages of reinforcement learning need (GRPO).

    Attributes:
        generations: Completions to each prompt.
        batch: Prompts that are answered before the weights change.
        mini_batch: Prompts of an update; a divisor of ``batch``.
        kl: Weight of the distance to the first model; 0 keeps no copy of it.
        prompt_length: Most tokens of a prompt; longer ones are left out.
        completion_length: Most tokens of a completion.
        temperature: Sampling temperature.
        curriculum: ``"paced"``: tier by tier, moving on when the measured reward is high
            enough; ``"uniform"``: shuffled.
        threshold: Mean reward, as a share of the highest, above which the next tier begins.
        share: Share of a batch that stays with earlier tiers.
        window: Completions over which the mean is taken.
        use_vllm: Whether vLLM generates.
        vllm_mode: ``"colocate"`` or ``"server"``.
    """

    generations: int = 8
    batch: int = 128
    mini_batch: int = 64
    kl: float = 0.0
    prompt_length: int = 2048
    completion_length: int = 4096
    temperature: float = 1.0
    curriculum: str = "paced"
    threshold: float = 0.6
    share: float = 0.2
    window: int = 512
    use_vllm: bool = False
    vllm_mode: str = "colocate"

    def __post_init__(self) -> None:
        RunConfig.__post_init__(self)
        _whole("generations", self.generations, 2)
        for name in ("batch", "mini_batch", "prompt_length", "completion_length", "window"):
            _whole(name, getattr(self, name), 1)
        if self.batch % self.mini_batch:
            raise UsageError(
                f"mini_batch must divide batch, and {self.mini_batch} does not divide {self.batch}"
            )
        _number("kl", self.kl, 0.0, 100.0)
        _number("temperature", self.temperature, 0.01, 100.0)
        _number("threshold", self.threshold, 0.0, 1.0)
        _number("share", self.share, 0.0, 0.9)
        _one_of("curriculum", self.curriculum, CURRICULA)
        _one_of("vllm_mode", self.vllm_mode, ("colocate", "server"))
        _flag("use_vllm", self.use_vllm)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageOneConfig(StageConfig):
    """Stage I: outputs with questions about the run, and inputs, for white-box rewards.

    Attributes:
        output_problems: Problems whose output and steps are asked for.
        input_problems: Problems whose input is asked for.
        next_statement: Most questions for the next statement with an output.
        state: Most questions for a variable with an output.
        alpha: Weight of the step answers, in [0, 1].
        gate: Whether a wrong output earns nothing for its step answers either.

    Source: ExecVerify, section 3.3.
    """

    out: str = "runs/stage1"
    epochs: float = 4.0
    output_problems: int = 20_000
    input_problems: int = 12_000
    next_statement: int = 5
    state: int = 5
    alpha: float = 0.5
    gate: bool = False

    def __post_init__(self) -> None:
        StageConfig.__post_init__(self)
        for name in ("output_problems", "input_problems", "next_statement", "state"):
            _whole(name, getattr(self, name), 0)
        if not self.output_problems and not self.input_problems:
            raise UsageError("output_problems and input_problems are both 0: nothing is asked")
        _number("alpha", self.alpha, 0.0, 1.0)
        _flag("gate", self.gate)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageTwoConfig(StageConfig):
    """Stage II: programs that must pass unit tests.

    Attributes:
        public: Public sets with tests, each as ``"FORM:WHERE"``: the form ``eurus``, ``mbpp``
            or ``kodcode``, and a JSONL or parquet file or a name on the Hub. With them
            ``dataset`` may be empty.
        problems: Most code problems, drawn from all sets alike; 0 for all.
        most_tests: Most tests of a problem of a public set, at least 3.
        keep_programs: Whether each completion that passes all tests is kept, in
            ``programs.jsonl``, so that it can be asked about (``synth.problems_of``).

    Source: ExecVerify, section 3.4.
    """

    out: str = "runs/stage2"
    epochs: float = 5.0
    public: tuple[str, ...] = ()
    problems: int = 0
    most_tests: int = 20
    keep_programs: bool = False

    def __post_init__(self) -> None:
        StageConfig.__post_init__(self)
        _texts("public", self.public)
        _whole("problems", self.problems, 0)
        # One is shown, and two at least must be kept back.
        _whole("most_tests", self.most_tests, 3)
        _flag("keep_programs", self.keep_programs)


def _wrong(name: str, value: Any, expected: str) -> UsageError:
    return UsageError(f"{name} must be {expected}, not {shorten(repr(value))}")


def _text(name: str, value: Any) -> None:
    if not isinstance(value, str) or not value:
        raise _wrong(name, value, "a text that is not empty")


def _texts(name: str, value: Any) -> None:
    # A text is a sequence of texts, too: its letters.
    if not isinstance(value, (tuple, list)) or not all(isinstance(one, str) for one in value):
        raise _wrong(name, value, "a tuple of texts")


def _flag(name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise _wrong(name, value, "true or false")


def _whole(name: str, value: Any, least: int, most: int = 10**9) -> None:
    if type(value) is not int or not least <= value <= most:
        raise _wrong(name, value, f"a whole number from {least} to {most}")


def _number(name: str, value: Any, least: float, most: float) -> None:
    if type(value) not in (int, float) or not least <= value <= most:
        raise _wrong(name, value, f"a number from {least:g} to {most:g}")


def _one_of(name: str, value: Any, words: tuple[str, ...]) -> None:
    if value not in words:
        raise _wrong(name, value, " or ".join(words))
