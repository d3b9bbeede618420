"""``transformers:MODEL``: a model in this process, on a GPU or on the CPU; no server.

Slow beside vLLM and happy with little: made for small models and for tests. Prompts are
batched in the order of their length and padded on the left. Of what the model's folder says
about generating, only which tokens end a reply counts.
"""

from __future__ import annotations

import sys
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
from tracing.errors import ExecVerifyError, shorten

__all__ = ["TransformersEngine"]


def _require(model: str) -> None:
    for package in ("torch", "transformers"):
        require(package, "rl", "use openai:MODEL@URL")


@engine("transformers", _require)
class TransformersEngine:
    """Asks a model that is loaded here.

    Args:
        model: A folder, or a name on the Hub.
        batch: Replies that are made side by side.
        revision: Revision on the Hub, or None for the newest.
        device: ``"cpu"``, ``"cuda"``, ...; None for a GPU where there is one.
        dtype: ``"float32"``, ``"bfloat16"``, ...; None for float32 on a CPU, where it is the
            fastest, and for what the model was stored in elsewhere.

    Raises:
        MissingExtraError: torch or transformers is not installed.
        ExecVerifyError: The model cannot be loaded.
    """

    def __init__(
        self,
        model: str,
        *,
        batch: int = 32,
        revision: str | None = None,
        device: str | None = None,
        dtype: str | None = None,
    ) -> None:
        _require(model)
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig

        self.model = model
        self._batch = max(1, batch)
        self._device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        wanted = dtype or ("float32" if self._device == "cpu" else "auto")
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(
                model, revision=revision, padding_side="left"
            )
            loaded = AutoModelForCausalLM.from_pretrained(model, revision=revision, dtype=wanted)
        except (OSError, ValueError) as error:
            raise ExecVerifyError(
                f"the model {shorten(model)} cannot be loaded: {shorten(str(error), 200)}"
            ) from None
        if self._tokenizer.pad_token_id is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token
        self._loaded: Any = loaded.to(self._device).eval()
        # A model's folder may recommend a penalty or a cut, of which the rate would say nothing.
        own = loaded.generation_config
        self._loaded.generation_config = GenerationConfig(
            bos_token_id=own.bos_token_id, eos_token_id=own.eos_token_id
        )
        self._most: int = getattr(loaded.config, "max_position_embeddings", None) or sys.maxsize
        commit = getattr(loaded.config, "_commit_hash", None)
        self.revision = folder_revision(model) or str(commit or revision or "")

    def complete(
        self, prompts: Sequence[Messages], *, n: int = 1, sampling: Sampling = DEFAULT
    ) -> Iterator[Completion]:
        """Ask for n replies to each prompt; see :class:`curricula.difficulty.engines.Engine`.

        Args:
            prompts: The conversations.
            n: Replies to each.
            sampling: How they are drawn.

        Yields:
            One completion for each prompt, the shortest prompts first; without a reply where
            the prompt is too long for the model.
        """
        texts = [
            self._tokenizer.apply_chat_template(
                [dict(message) for message in messages], tokenize=False, add_generation_prompt=True
            )
            for messages in prompts
        ]
        sizes = [len(self._tokenizer(text, add_special_tokens=False).input_ids) for text in texts]
        order = sorted(range(len(texts)), key=lambda place: sizes[place])
        while order and sizes[order[-1]] >= self._most:
            place = order.pop()
            yield Completion(place, (), error=too_long(sizes[place], self._most), refused=True)
        width = max(1, self._batch // n)
        for start in range(0, len(order), width):
            places = order[start : start + width]
            replies, tokens = self._generate([texts[place] for place in places], n, sampling)
            for number, place in enumerate(places):
                own = slice(number * n, (number + 1) * n)
                yield Completion(place, tuple(replies[own]), sum(tokens[own]))

    def _generate(
        self, texts: list[str], n: int, sampling: Sampling
    ) -> tuple[list[str], list[int]]:
        import torch

        tokenizer = self._tokenizer
        given = tokenizer(texts, return_tensors="pt", padding=True, add_special_tokens=False)
        given = given.to(self._device)
        drawn: dict[str, Any] = {"do_sample": False, "temperature": None, "top_p": None}
        if sampling.temperature > 0:
            drawn = {
                "do_sample": True,
                "temperature": sampling.temperature,
                "top_p": sampling.top_p,
            }
        with torch.inference_mode():
            made = self._loaded.generate(
                input_ids=given["input_ids"].repeat_interleave(n, dim=0),
                attention_mask=given["attention_mask"].repeat_interleave(n, dim=0),
                past_key_values=self._read(given, n),
                top_k=0 if sampling.temperature > 0 else None,
                max_new_tokens=min(sampling.max_tokens, self._most - given["input_ids"].shape[1]),
                pad_token_id=tokenizer.pad_token_id,
                **drawn,
            )
        replies = made[:, given["input_ids"].shape[1] :]
        counts = (replies != tokenizer.pad_token_id).sum(dim=1).tolist()
        return tokenizer.batch_decode(replies, skip_special_tokens=True), counts

    def _read(self, given: Any, n: int) -> Any:
        """Read the prompts once and not once for each reply, but for the last token of each."""
        from transformers import DynamicCache

        cache = DynamicCache(config=self._loaded.config)
        mask = given["attention_mask"]
        if mask.shape[1] > 1:
            self._loaded(
                input_ids=given["input_ids"][:, :-1],
                attention_mask=mask[:, :-1],
                position_ids=(mask.cumsum(dim=1) - 1).clamp(min=0)[:, :-1],
                past_key_values=cache,
                logits_to_keep=1,
            )
        cache.batch_repeat_interleave(n)
        return cache

    def close(self) -> None:
        """Let the model go."""
        self._loaded = None
