"""The realism benchmark: near 0.5 where nothing differs, near 1 where all does."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"

# Parts of small programs over a list of numbers; `out` is what comes out.
TEXT = """\
    out = [x for x in xs if x > {n}]
--
    for x in xs:
        if x % {m} == 0:
            out.append(x)
--
    i = 0
    while i < len(xs):
        out.insert(0, xs[i])
        i += {m}
--
    out += sorted(xs)[:{m}]
--
    for i, x in enumerate(xs):
        if x > i:
            out.append(x - i)
        elif x == {n}:
            break
        else:
            out.append(i)
--
    out = list(map(str, out))
--
    if not xs:
        return []
--
    seen = set()
    for x in xs:
        if x in seen:
            continue
        seen.add(x)
        out.append(x * {m})
--
    out.append(sum(xs) // {m})
--
    counts = dict.fromkeys(xs, 0)
    for x in xs:
        counts[x] += {n}
    out.extend(counts.values())
"""
PARTS = TEXT.split("--\n")
ENDS = ["    return out", "    return out[::-1]", "    return len(out)", "    return str(out)"]


def composed(rng: random.Random) -> str:
    parts = rng.sample(PARTS, rng.randint(1, 4))
    body = "".join(part.format(n=rng.randint(0, 9), m=rng.randint(2, 5)) for part in parts)
    return f"def f(xs):\n    out = []\n{body}{rng.choice(ENDS)}\n"


def template(rng: random.Random) -> str:
    method, word = rng.choice(["upper", "lower", "title"]), rng.choice("abcdefghij")
    return f"def f(text):\n    return text.{method}() + '{word * rng.randint(1, 30)}'\n"


def write(path: Path, make: Callable[[random.Random], str], call: str, seed: int) -> Path:
    rng = random.Random(seed)
    sources = sorted({make(rng) for _ in range(90)})
    path.write_text("".join(json.dumps({"source": s, "call": call}) + "\n" for s in sources))
    return path


@pytest.fixture
def main(monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import realism

    monkeypatch.setattr(realism, "TREES", 40)
    return lambda *words: realism.main([str(word) for word in words])


@pytest.fixture
def reference(tmp_path: Path) -> Path:
    return write(tmp_path / "reference.jsonl", composed, "f([4, 1, 4, 3])", 0)


def test_programs_from_one_source_cannot_be_told_apart(
    main: Callable[..., int], tmp_path: Path, reference: Path
) -> None:
    ours = write(tmp_path / "ours.jsonl", composed, "f([4, 1, 4, 3])", 1)
    assert main(ours, "--against", reference, "--json", tmp_path / "figures.json") == 0
    found = json.loads((tmp_path / "figures.json").read_text())
    assert 0.35 < found["AUC"]["mean"] < 0.65
    assert 0.3 < found["AUC of the reference's halves"]["mean"] < 0.7
    assert found["AUC"]["features"] == 38


def test_a_template_is_told_apart_every_time(
    main: Callable[..., int], tmp_path: Path, reference: Path
) -> None:
    ours = write(tmp_path / "ours.jsonl", template, "f('ab')", 0)
    assert main(ours, "--against", reference, "--json", tmp_path / "figures.json") == 0
    found = json.loads((tmp_path / "figures.json").read_text())
    assert found["AUC"]["mean"] > 0.99
    assert found["ours"]["tree shapes"] == 1
    assert found["ours"]["families"] == 3
    assert found["ours"]["entropy of tree shapes (bits)"] == 0
    assert found["ours"]["near-duplicate share"] > 0.95
    assert found["ours"]["percentiles"]["steps"] == [1, 1, 1]
    assert found["reference"]["near-duplicate share"] < 0.4


def test_runs_of_one_program_are_joined(
    main: Callable[..., int], tmp_path: Path, reference: Path
) -> None:
    rows = [json.loads(line) for line in reference.read_text().splitlines()]
    more = [{**row, "call": "f([])"} for row in rows]
    ours = tmp_path / "ours.jsonl"
    ours.write_text("".join(json.dumps(row) + "\n" for row in (*rows, *more)))
    assert main(ours, "--against", reference, "--json", tmp_path / "figures.json") == 0
    found = json.loads((tmp_path / "figures.json").read_text())
    assert found["ours"]["programs"] == found["reference"]["programs"] == len(rows)
    assert found["ours"]["calls per program"] == 2
    assert found["ours"]["calls that ran"] == 1
    assert 1 < found["ours"]["distinct outputs per program"] <= 2
    assert found["ours"]["branches gone both ways"] > found["reference"]["branches gone both ways"]


def test_the_table_names_what_tells_most(
    main: Callable[..., int], tmp_path: Path, reference: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = write(tmp_path / "ours.jsonl", template, "f('ab')", 0)
    assert main(ours, "--against", reference, "--static") == 0
    printed = capsys.readouterr().out
    assert "most telling features" in printed
    assert "AUC 1.000" in printed
    assert "steps" not in printed


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "there is no file"), ("{", "is no JSON"), ("", "holds 0 programs")],
    ids=["absent", "no JSON", "empty"],
)
def test_a_bad_file_is_one_sentence_and_exit_code_1(
    main: Callable[..., int],
    tmp_path: Path,
    reference: Path,
    capsys: pytest.CaptureFixture[str],
    content: str | None,
    message: str,
) -> None:
    ours = tmp_path / "ours.jsonl"
    if content is not None:
        ours.write_text(content)
    assert main(ours, "--against", reference) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("realism: ")
    assert message in told.err


def test_features_tell_an_elif_from_a_nested_if(main: Callable[..., int]) -> None:
    module = sys.modules["structure"]
    flat = (
        "def f(a):\n    if a:\n        return 1\n    elif a == 0:\n        return 2\n    return 3\n"
    )
    nested = flat.replace(
        "    elif a == 0:\n        return 2", "    else:\n        if a == 0:\n            return 2"
    )
    one, other = module.features(flat, "f"), module.features(nested, "f")
    assert (one["depth"], one["if"], one["elif"], one["else"]) == (1, 1, 1, 0)
    assert (other["depth"], other["if"], other["elif"], other["else"]) == (2, 2, 0, 1)
