"""CRUXEval-X in other languages than Python: outputs, judged by how their literals are written.

A row's program ends in a test that holds the output; what a model says is compared with that,
token by token. Nothing is run: the sandbox starts no other program, so an input, which only a
run could judge, is not asked for. A right value in another form (``List.of(3)`` for
``Arrays.asList(3)``) is not recognised, so a score says at least how often a model is right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from curricula import prompts
from curricula.scoring.completion import Unreadable, answer_of, lines_of
from rl.evaluation.benchmarks.base import Item, Mark, Replied
from rl.evaluation.benchmarks.reading import Line

__all__ = ["LANGUAGES", "judge", "language_of", "output_item", "same_value"]

LANGUAGES = {
    "cpp": "Cpp",
    "cs": "CS",
    "d": "D",
    "go": "Go",
    "java": "Java",
    "jl": "Julia",
    "js": "JavaScript",
    "lua": "Lua",
    "php": "PHP",
    "pl": "Perl",
    "r": "R",
    "rb": "Ruby",
    "rkt": "Racket",
    "rs": "Rust",
    "scala": "Scala",
    "sh": "Shell",
    "swift": "Swift",
    "ts": "TypeScript",
}
"""The benchmark's file names, without ending, and the splits on the Hub."""
HOLE = "????"
_TWO_QUOTES = {"JavaScript", "Lua", "PHP", "Perl", "R", "Ruby", "Shell", "TypeScript"}
"""Where plain texts may stand in single or double quotes; elsewhere one is a character."""
_CASTS = {"long", "int", "double", "bool", "boolean", "String", "std::string"}
"""Types that the benchmark's tests write before a value, in parentheses."""
_TOKEN = re.compile(
    r"""
    "(?:[^"\\]|\\.)*"                 # a text
    | '(?:[^'\\]|\\.)*'               # a text or a character
    | \d[\w.]*                        # a number
    | [A-Za-z_$@%](?:\w|::)*          # a name
    | \S                              # anything else, character by character
    """,
    re.VERBOSE | re.DOTALL,
)
_PLAIN = re.compile(r"""'[^'"\\$@#`!]*'""")
_LONG = re.compile(r"\d+[lL]")


def output_item(name: str, line: Line, language: str) -> Item:
    """Make the item of a row: the program, and its test without the output.

    Args:
        name: The problem's id.
        line: The row.
        language: A name of :data:`LANGUAGES`.

    Returns:
        The item.

    Raises:
        BenchmarkError: The program does not end in the test.
    """
    code, test = line.text("code").rstrip(), line.text("output_reasoning").rstrip()
    before, hole, after = test.partition(HOLE)
    start = code.rfind(before) if hole else -1
    end = len(code) - len(after)
    if start < 0 or not code.endswith(after) or start + len(before) >= end:
        raise line.error(f"the program does not end in the test of output_reasoning with {HOLE}")
    asked = next(part for part in test.split("\n") if HOLE in part)
    row = {
        "language": language,
        "output": code[start + len(before) : end],
        "around": asked.split(HOLE, 1),
    }
    messages = prompts.value_prompt(language, code[:start] + test, asked.strip())
    return Item(f"{name}/output", name, "output", messages, row)


def judge(replied: Replied) -> Mark:
    """Judge an output by its text.

    Args:
        replied: A reply to an item of :func:`output_item`.

    Returns:
        The mark.
    """
    row, task = replied.item.row, replied.item.task
    try:
        said = "\n".join(lines_of(answer_of(replied.reply))).strip()
    except Unreadable as error:
        return Mark(task, "", 0.0, str(error))
    if same_value(_inner(said, row["around"]), row["output"], row["language"]):
        return Mark(task, "", 1.0)
    return Mark(task, "", 0.0, "it is not the test's output, as it is written there")


def _inner(said: str, around: Sequence[str]) -> str:
    """Take the value out of an answer that repeats the assertion."""
    before, after = (part.strip() for part in around)
    if said.startswith(before) and said.endswith(after) and len(said) > len(before) + len(after):
        return said[len(before) : len(said) - len(after)]
    return said


def same_value(first: str, second: str, language: str) -> bool:
    """Tell whether two literals are written the same way.

    Args:
        first: One.
        second: The other.
        language: Decides whether single and double quotes mean the same.

    Returns:
        Whether they are, blanks between tokens, casts and parentheses around one value aside.

    Example:
        >>> same_value("[4, 'a']", '[4,"a"]', "JavaScript"), same_value("'a'", '"a"', "Java")
        (True, False)
        >>> same_value("new Pair((long)4l)", "new Pair(4)", "Java"), same_value("3", "4", "Java")
        (True, False)
    """
    return _normal(first, language) == _normal(second, language)


def _normal(text: str, language: str) -> list[str]:
    tokens = [_spelled(token, language) for token in _TOKEN.findall(text)]
    kept: list[str] = []
    for token in tokens:
        kept.append(token)
        if token == ")" and len(kept) > 2 and kept[-3] == "(" and kept[-2] in _CASTS:
            del kept[-3:]
    while len(kept) > 2 and kept[0] == "(" and _closing(kept) == len(kept) - 1:
        inner = kept[1:-1]
        if not inner or "," in _outside(inner):
            break  # a tuple
        kept = inner
    return kept


def _spelled(token: str, language: str) -> str:
    if language in _TWO_QUOTES and _PLAIN.fullmatch(token):
        return f'"{token[1:-1]}"'
    return token[:-1] if _LONG.fullmatch(token) else token


def _closing(tokens: Sequence[str]) -> int:
    """Find where the parenthesis that opens first is closed."""
    depth = 0
    for place, token in enumerate(tokens):
        depth += (token == "(") - (token == ")")
        if depth == 0:
            return place
    return -1


def _outside(tokens: Sequence[str]) -> list[str]:
    """Give the tokens that stand in no bracket."""
    depth, found = 0, []
    for token in tokens:
        depth += (token in "([{") - (token in ")]}")
        if depth == 0:
            found.append(token)
    return found


def language_of(data: str, default: str) -> tuple[str, str]:
    """Tell where rows are and in which language.

    Args:
        data: A file or a name on the Hub, perhaps with a language behind a colon; or nothing.
        default: The benchmark's name on the Hub.

    Returns:
        The place, and a name of :data:`LANGUAGES` or ``"Python"``: as it is named, or else as
        the benchmark's own file of that name is (``js.jsonl``).
    """
    known = {**LANGUAGES, "py": "Python"}
    by_name = known | {name.lower(): name for name in known.values()}
    place, colon, word = data.rpartition(":")
    if colon and word.lower() in by_name:
        return place or default, by_name[word.lower()]
    stem = re.split(r"[/\\]", data)[-1].partition(".")[0] if "." in data else ""
    return data or default, by_name.get(stem.lower(), "Python")
