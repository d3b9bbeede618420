"""A harness for ``verifiers`` that asks the model once.

Those that come with it start a program that fetches its packages from the network.
"""

import httpx
from verifiers.v1 import Harness, HarnessConfig, ProgramResult
from verifiers.v1.dialects.chat import message_to_wire

__all__ = ["Asking"]


class AskingConfig(HarnessConfig):
    """Nothing to choose."""


class Asking(Harness[AskingConfig]):
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(self, ctx, trace, runtime, endpoint, secret, mcp_urls, data):
        _, prompt = self.resolve_prompt(data)
        messages = [message_to_wire(said) for said in prompt]
        body = {"model": ctx.model, "messages": messages, "n": 1}
        async with httpx.AsyncClient(timeout=60) as client:
            reply = await client.post(
                f"{endpoint}/chat/completions",
                json=body,
                headers={"Authorization": f"Bearer {secret}"},
            )
        return ProgramResult(0 if reply.is_success else 1, "", reply.text)
