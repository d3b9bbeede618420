"""What each column is, in a few words for the card; by ``config.column`` or by ``column``."""

from __future__ import annotations

__all__ = ["COLUMNS"]

COLUMNS: dict[str, str] = {
    "id": "Hash of source and call; joins the configs.",
    "family": "Hash of the program after renaming; relatives share it.",
    "source": "The program.",
    "entry": "Name of the function that is called.",
    "call": "The call, with literal arguments.",
    "outcome": "returned or raised.",
    "output": "Type name and literal of the value that is returned, or null.",
    "exception": "Type name of the exception that leaves the call, or null.",
    "shape": "What the program was made for and checked to meet.",
    "structure": "What was measured on the source and on the run.",
    "questions": "What is asked: kind, wording, line, occurrence, variable, right answers.",
    "difficulty": "Rates with intervals, by model or by estimate.",
    "tier": "easy, medium, hard, trivial or unsolved.",
    "provenance": "Seed, shard, version of execverify, Python, idioms.",
    "task": "output, input or code.",
    "prompt": "A conversation that asks for the answer.",
    "prompt_version": "Version of the prompts' wording.",
    "trace.reason": "Empty: only runs that are ground truth are published.",
    "trace.output": "Number of the returned value in types and literals, or negative.",
    "lines": "Line of each step.",
    "frames": "Frame of each step, from 1.",
    "scopes": "For each frame, the line of its def.",
    "raised_at": "Steps (from 0) that ended in an exception.",
    "raised": "The exceptions' type names.",
    "change_steps": "For each change of a variable, its step.",
    "change_names": "For each change, the number of the name.",
    "change_values": "For each change, the number of the value; negative: no literal.",
    "names": "Names of variables.",
    "types": "Type names of values.",
    "literals": "Literals of values.",
    "suspended": "Frames that never ended.",
    "finalisers": "Steps that ran because a generator was closed.",
    "messages": "Prompt and reply, with reasoning and answer.",
    "style": "long, short, or model.",
    "narrator": "Who wrote the reasoning.",
    "tests": "Argument lists and results; the first are shown in the prompt.",
    "shown": "How many tests the prompt shows.",
    "solution": "The program before it lost its statement.",
    "line": "Line of the lost statement.",
}
"""Descriptions of columns."""
