"""CRUXEval-X in other languages: the output is the test's own text, and nothing is run."""

from __future__ import annotations

import json

import pytest
from scripted import ScriptedServer

import rl
from rl.evaluation.benchmarks import BENCHMARKS
from rl.evaluation.benchmarks.other_languages import LANGUAGES, language_of, same_value
from rl.evaluation.benchmarks.reading import BenchmarkError

# The forms of the benchmark's tests: what stands before the input, between, and after the output.
TESTS = {
    "js": ("function test() {\n  assert.deepEqual(candidate(", "),", ");\n}\n\ntest();"),
    "pl": ("    if(eq_deeply($candidate->(", "),", ')) {\n        print "ok!" }'),
    "java": (
        "    }\n    public static void main() {\n    assert(f(",
        ").equals(",
        "));\n    }\n}\n",
    ),
    "cpp": ("}\nint main() {\n    assert(candidate(", ") == ", ");\n}\n"),
    "sh": ("}\n\nrun_test() {\n    [[ $(candidate ", ") = ", " ]]\n}\n\nrun_test"),
    "swift": ("}\n\nassert(f(", ") == ", ")"),
    "rkt": ("(check-equal? (candidate ", ") ", ")"),
}


def row(language: str, given: str, output: str, program: str = "the program\n") -> dict:
    before, between, after = TESTS[language]
    return {
        "id": 3,
        "code": program + before + given + between + output + after,
        "input_reasoning": f"{before}????{between}{output}{after}",
        "output_reasoning": f"{before}{given}{between}????{after}",
    }


def written(folder, language, *rows):
    path = folder / f"{language}.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    return path


def evaluated(data, answer):
    with ScriptedServer(lambda *_: [f"<answer>\n{answer}\n</answer>"]) as server:
        return rl.evaluate(server.spec, "cruxeval_x", data=data)


ANSWERS = {
    "another spacing": ("js", "[4,  [1]]", "[4, [1]]", 1.0),
    "another value": ("js", "[4, [2]]", "[4, [1]]", 0.0),
    "other quotes": ("js", "['a b']", '["a b"]', 1.0),
    "the whole assertion": ("js", "assert.deepEqual(candidate(7),[4]);", "[4]", 1.0),
    "an assertion of another call": ("js", "assert.deepEqual(candidate(8),[4]);", "[4]", 0.0),
    "the call": ("js", "candidate(7)", "[4]", 0.0),
    "a tautology": ("js", "[4] || true", "[4]", 0.0),
    "a text in a fence": ("pl", '```perl\n{"a" => 1}\n```', '{"a" => 1}', 1.0),
    "blanks in a text": ("pl", '"a b"', '"a  b"', 0.0),
    "a text over lines": ("pl", '"a\nb"', '"a\nb"', 1.0),
    "no parentheses": ("java", '"ab"', '("ab")', 1.0),
    "no cast and no suffix": (
        "java",
        "new ArrayList<Long>(Arrays.asList(2, 1))",
        "(new ArrayList<Long>(Arrays.asList((long)2l, (long)1l)))",
        1.0,
    ),
    "a number for a text": ("java", "5", '("5")', 0.0),
    "a character for a text": ("cpp", "'a'", '("a")', 0.0),
    "casts of texts": (
        "cpp",
        'std::vector<std::string>({"1"})',
        '(std::vector<std::string>({(std::string)"1"}))',
        1.0,
    ),
    "a tuple": ("swift", "2, 34", "(2, 34)", 0.0),
    "the same tuple": ("swift", "(2,34)", "(2, 34)", 1.0),
    "a word of the shell": ("sh", '"yes"', '"yes"', 1.0),
    "a list of Racket": ("rkt", "(list 1 2)", "(list 1 2)", 1.0),
    "another list of Racket": ("rkt", "(list 12)", "(list 1 2)", 0.0),
    "nothing": ("rkt", "()", "(list 1 2)", 0.0),
}


@pytest.mark.parametrize(("language", "said", "output", "rate"), ANSWERS.values(), ids=ANSWERS)
def test_an_output_counts_where_it_is_the_test_s_value(tmp_path, language, said, output, rate):
    report = evaluated(written(tmp_path, language, row(language, "7", output)), said)
    assert {(s.task, s.rule): s.rate for s in report.scores} == {("output", "ours"): rate}


def test_inputs_of_other_languages_are_left_out_and_counted(tmp_path):
    data = written(tmp_path, "js", row("js", "7", "[4]"))
    content = BENCHMARKS["cruxeval_x"].read(str(data), ("output", "input"))
    assert len(content.items) == 1
    assert dict(content.left_out) == {"the sandbox cannot run a predicted input in JavaScript": 1}
    with pytest.raises(BenchmarkError, match="input predictions in JavaScript cannot be judged"):
        BENCHMARKS["cruxeval_x"].read(str(data), ("input",))


def test_the_prompt_has_program_and_call_and_no_output(tmp_path):
    data = written(tmp_path, "java", row("java", '("in")', '("result")', "class Problem {\n"))
    (item,) = BENCHMARKS["cruxeval_x"].read(str(data), ("output",)).items
    prompt = item.messages[0]["content"]
    assert 'assert(f(("in")).equals(????));' in prompt
    assert "class Problem {" in prompt
    assert "result" not in prompt


@pytest.mark.parametrize(
    "change",
    [
        {"code": "f()"},
        {"output_reasoning": "nothing to fill in"},
        {"output_reasoning": "before ???? and after"},
    ],
)
def test_a_row_whose_program_does_not_end_in_its_test_is_named(tmp_path, change):
    data = written(tmp_path, "js", {**row("js", "7", "[4]"), **change})
    with pytest.raises(BenchmarkError, match=r"js\.jsonl, row 1: the program does not end in"):
        BENCHMARKS["cruxeval_x"].read(str(data), ("output",))


@pytest.mark.parametrize(
    ("data", "place", "language"),
    [
        ("", "on/hub", "Python"),
        ("xhwl/cruxeval-x:JavaScript", "xhwl/cruxeval-x", "JavaScript"),
        ("xhwl/cruxeval-x:rust", "xhwl/cruxeval-x", "Rust"),
        (":php", "on/hub", "PHP"),
        ("data/mine.jsonl:sh", "data/mine.jsonl", "Shell"),
        ("data/jl.jsonl", "data/jl.jsonl", "Julia"),
        ("data/mine.jsonl", "data/mine.jsonl", "Python"),
        ("xhwl/cruxeval-x", "xhwl/cruxeval-x", "Python"),
    ],
)
def test_the_language_is_named_or_that_of_the_benchmark_s_file(data, place, language):
    assert language_of(data, "on/hub") == (place, language)


@pytest.mark.parametrize("language", LANGUAGES.values())
def test_quotes_that_never_close_are_compared_as_they_are(language):
    assert same_value("'\"", "'\"", language)
    assert not same_value("((((" * 999, "))))" * 999, language)
