"""What a program reads of the time and the machine is found in its text."""

import pytest

import synth
from synth.problems import GroundTruthError
from tracing.world import reads_world

READ = [
    ("import datetime", "str(datetime.date.today())"),
    ("import datetime as dt", "dt.datetime.now().year"),
    ("from datetime import date", "date.today().year"),
    ("import time", "time.localtime().tm_year"),
    ("from time import time", "int(time()) // 100000"),
    ("import os", "os.cpu_count()"),
    ("import os", "os.environ.get('HOME', '')"),
    ("import sys", "sys.version"),
    ("import sys", "sys.getsizeof(n)"),
    ("import platform", "platform.platform()"),
    ("import socket", "socket.gethostname()"),
    ("from pathlib import Path", "Path('x').exists()"),
    ("", "open('/etc/hostname').read()"),
    ("", "input()"),
    ("", "__file__"),
    ("", "id(n) % 16"),
]
NOT_READ = [
    ("import datetime", "datetime.date(2020, 2, 28) + datetime.timedelta(days=n)"),
    ("import os", "os.path.join('a', str(n))"),
    ("import sys", "sys.maxsize > n"),
    ("import random", "random.Random(n).random()"),
    ("", "id(n) == id(n)"),
    ("import math", "math.floor(n)"),
]


def program(head, value):
    return f"{head}\ndef f(n):\n    x = {value}\n    return str(x)\n"


@pytest.mark.parametrize(("head", "value"), READ)
def test_a_reading_is_found_and_is_no_ground_truth(head, value):
    source = program(head, value)
    assert "depends on the time or the machine" in (reads_world(source) or "")
    with pytest.raises(GroundTruthError, match="line"):
        synth.problem_from(source, "f(1)")


@pytest.mark.parametrize(("head", "value"), NOT_READ)
def test_what_only_looks_like_one_is_not(head, value):
    source = program(head, value)
    assert reads_world(source) is None
    assert synth.problem_from(source, "f(1)").output is not None


def test_a_name_of_the_programs_own_is_no_reading():
    source = "def open(n):\n    return n\n\ndef f(n, input):\n    now = open(n)\n    return now + input\n"
    assert reads_world(source) is None


def test_a_wrong_call_says_what_it_raises():
    with pytest.raises(GroundTruthError, match=r"f\(1, 2\) raises TypeError before its first step"):
        synth.problem_from("def f(a):\n    return a\n", "f(1, 2)")
