"""What honest programs get, and what is told of those that fail."""

import pytest

from tracing import sandbox
from tracing.errors import ExecVerifyError
from tracing.limits import Limits
from tracing.values import Value


def call(source, *arguments, entry="f", **limits):
    return sandbox.run_calls(source, entry, arguments, limits=Limits(**limits))


def literals(run):
    return [result.value.literal if result.value else result.exception for result in run.results]


def printed(source, *inputs, **limits):
    run = sandbox.run_stdin(source, inputs, limits=Limits(**limits))
    assert run.outcome == "finished", run
    return [result.exception or result.stdout for result in run.results]


def test_each_argument_list_has_its_result():
    run = call("def f(a, b=1): return a * b", "3", "2, b=[1]", "2, b={}")
    assert run.outcome == "finished"
    assert literals(run) == ["3", "[1, 1]", "TypeError"]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "None",
            "True",
            "-0.0",
            "nan",
            "1e999",
            "(1+2j)",
            "'a\\n\\u20ac'",
            "b'\\xff'",
            "'\\ud800'",
        ),
        *("range(1, 9, 2)", "[1, (2,), {3: {4}}]", "set()", "frozenset({1})"),
    ],
)
def test_a_value_comes_back_as_it_went(text):
    assert call("def f(v): return v", text).results[0].value == Value.parse(text)


def test_a_value_keeps_its_exact_type():
    run = call("def f(v): return [v == 1, v]", "True", "1", "1.0")
    assert literals(run) == ["[True, True]", "[True, 1]", "[True, 1.0]"]


def test_what_has_no_literal_has_a_reason():
    run = call("def f(v): return {0: f, 1: [v], 2: 'x' * 10**6}[v]", "0", "1", "2")
    assert [result.reason for result in run.results] == ["no_literal", "", "too_long"]


def test_a_method_of_solution_is_called_on_a_new_instance():
    source = """
class Solution:
    def __init__(self):
        self.seen = []
    def f(self, v):
        self.seen.append(v)
        return self.seen
"""
    assert literals(call(source, "1", "2")) == ["[1]", "[2]"]


def test_arguments_are_new_objects_for_every_call():
    run = call("def f(v):\n    v.append(0)\n    return v", "[1]", "[1]")
    assert literals(run) == ["[1, 0]", "[1, 0]"]


def test_the_main_guard_does_not_run_for_a_function():
    assert literals(call("def f(): return 1\nif __name__ == '__main__': input()", "")) == ["1"]


@pytest.mark.parametrize(
    ("source", "outcome", "reason"),
    [
        ("def f(:", "refused", "does not parse: SyntaxError"),
        ("def g(): return 1", "refused", "no function 'f'"),
        ("def f(): return 1\n1 / 0", "crashed", "raised ZeroDivisionError"),
        ("import sys\ndef f(): return 1\nsys.exit(0)", "crashed", "raised SystemExit"),
        ("import os\ndef f(): os._exit(0)", "crashed", "status 0 before"),
        ("def f(): return 'x' * 10**10", "memory", "more memory"),
        ("def f(): print('x' * 9999)", "output", "printed more"),
        ("def f():\n while True: pass", "timeout", "ran out of time"),
    ],
)
def test_a_failure_has_its_outcome_and_reason(source, outcome, reason):
    run = call(source, "", seconds=0.3, output=5000)
    assert run.outcome == outcome
    assert reason in run.reason


@pytest.mark.parametrize("arguments", ["__import__('os')", "1) + f(2", "x", "1 +", "[f]"])
def test_arguments_that_are_no_literals_are_refused(arguments):
    run = call("def f(*a): return 1", arguments)
    assert run.outcome == "refused"
    assert "no literals" in run.reason


def test_no_tests_are_an_error_of_the_caller():
    with pytest.raises(ExecVerifyError, match="no tests"):
        call("def f(): return 1")


def test_a_job_of_eight_megabytes_runs():
    text = repr("x" * (8 << 20))
    assert literals(call("def f(v): return len(v)", text, seconds=5)) == [str(8 << 20)]


def test_a_job_beyond_any_measure_is_refused():
    assert call("#" * (17 << 20), "").outcome == "refused"


def test_results_before_the_failure_are_kept():
    run = call("def f(v):\n while v: pass\n return v", "0", "0", "1", "0", seconds=0.2)
    assert (run.outcome, literals(run)) == ("timeout", ["0", "0"])


def test_each_call_has_the_whole_time():
    source = "import time\ndef f(v):\n    time.sleep(0.3)\n    return v"
    run = call(source, *"123456", seconds=0.5)
    assert literals(run) == list("123456")


def test_all_calls_together_have_ten_times_the_time():
    source = "import time\ndef f(v):\n    time.sleep(0.09)\n    return v"
    run = call(source, *map(str, range(40)), seconds=0.1)
    assert run.outcome == "timeout"
    assert 5 <= len(run.results) < 40


def test_the_same_program_gives_the_same_every_time():
    source = "import random\ndef f(): return [random.random(), list({'a', 'b', 'c', 'd'})]"
    assert literals(call(source, "")) == literals(call(source, ""))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("print(input() + '!')", "a!\n"),
        ("import sys\nprint(sys.stdin.read().split())", "['a', 'b']\n"),
        ("import sys\nprint(sys.stdin.buffer.readline())", "b'a\\n'\n"),
        ("for line in open(0): print(line.strip())", "a\nb\n"),
        ("import os\nos.write(1, os.read(0, 99))", "a\nb\n"),
        ("print(open('/dev/stdin').read().split())", "['a', 'b']\n"),
        ("print(ascii(input('? ')))", "? 'a'\n"),
        ("import sys\nsys.stdout.write('x'); sys.stdout.buffer.write(b'y')", "yx"),
        ("import sys\nsys.stdout.buffer.write(b'y\\n'); sys.exit(0)", "y\n"),
        ("print('x', end=''); exit()", "x"),
        ("print('x'); quit(1)", "SystemExit"),
        ("import sys; print('x'); sys.exit('bad')", "SystemExit"),
        ("if __name__ == '__main__': print('main')", "main\n"),
        ("import atexit\natexit.register(print, 'late')\nprint('early')", "early\nlate\n"),
        ("import threading\nthreading.Thread(target=print, args=('t',)).start()", "t\n"),
        ("import io, sys\nsys.stdout = io.TextIOWrapper(open(1, 'wb', 0))\nprint('w')", "w\n"),
        ("while True: input()", "EOFError"),
        ("print('\\u20ac')", "\u20ac\n"),
        ("import sys\nsys.stderr.write('unseen')", ""),
        ("global total\ntotal = 1\nprint(total)", "1\n"),
    ],
)
def test_a_program_reads_and_prints_in_every_way(source, expected):
    assert printed(source, "a\nb\n") == [expected]


@pytest.mark.parametrize(
    ("source", "outcome"),
    [
        ("import os\nprint(1, flush=True)\nos._exit(0)", "crashed"),
        ("while True: print('x' * 4096)", "output"),
        ("import os\nwhile True: os.write(1, b'x')", "output"),
        ("print('x' * 9999)", "output"),
        ("import atexit\natexit.register(lambda: [0 for _ in iter(int, 1)])", "timeout"),
        (
            "import threading, time\nthreading.Thread(target=time.sleep, args=(9,)).start()",
            "timeout",
        ),
        ("x = bytes(1 << 40)", "memory"),
        ("print(", "refused"),
    ],
)
def test_a_program_that_does_not_finish_says_so(source, outcome):
    run = sandbox.run_stdin(source, ["", ""], limits=Limits(seconds=0.3, output=5000))
    assert (run.outcome, run.results) == (outcome, ())


def test_line_endings_are_left_alone():
    assert printed("print(ascii(input()))", "a\r\n") == ["'a\\r'\n"]


def test_each_input_meets_a_new_module_and_new_streams():
    source = """
import sys
assert "seen" not in globals()
seen = input()
print(seen)
sys.stdin.close(); sys.stdout.close()
"""
    assert printed(source, "1", "2", "3") == ["1\n", "2\n", "3\n"]


@pytest.mark.parametrize(
    "source",
    [
        "import collections, heapq, itertools, math, re, json, decimal, fractions, hashlib, zlib",
        "import bz2, lzma, sqlite3, ssl, uuid, zoneinfo, csv, difflib, statistics, unittest\n"
        "import hashlib, random\nhashlib.sha3_256(b'x'), hashlib.md5(b'x'), uuid.uuid4()",
        "from typing import *\nfrom functools import cache",
        "import dataclasses\n@dataclasses.dataclass\nclass P:\n    x: 'int'\nP(1)",
        "import tempfile\nopen('own.txt', 'w').write('x')\n"
        "with tempfile.TemporaryFile() as t: t.write(b'x')",
        "import contextlib, os\nwith open(os.devnull, 'w') as null, "
        "contextlib.redirect_stdout(null): print('unseen')",
        "import asyncio\nasync def main(): await asyncio.sleep(0)\nasyncio.run(main())",
        "import sys, threading\nsys.setrecursionlimit(10**6)\nthreading.stack_size(2**26)\n"
        "def deep(n): return n and deep(n - 1)\n"
        "t = threading.Thread(target=deep, args=(20000,)); t.start(); t.join()",
        "from concurrent.futures import ThreadPoolExecutor\n"
        "with ThreadPoolExecutor(8) as pool: list(pool.map(str, range(99)))",
        "import functools, sys\nsys.setrecursionlimit(10**6)\n"
        "@functools.lru_cache(None)\ndef deep(n): return n and deep(n - 1)\ndeep(3000)",
    ],
    ids="much extensions typing dataclass files null asyncio deep pool cache".split(),
)  # fmt: skip
def test_what_honest_programs_need_is_there(source):
    assert printed(source + "\nprint('ok')", "", seconds=5) == ["ok\n"]
