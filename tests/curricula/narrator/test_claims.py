"""What a model says of a run: false claims are found in every wording, true ones taken."""

from __future__ import annotations

from time import process_time

import pytest

from curricula.narrator.claims import disagreements
from curricula.narrator.claims.disagreements import MOST
from tracing import run

SUM = """\
def f(n):
    total = 0
    for i in range(n):
        total += i
    return total
"""
WORDS = """\
def g(words):
    seen = {}
    for word in words:
        size = len(word)
        if size > 2:
            seen[word] = size
    return seen
"""
HELPED = """\
def twice(x):
    y = x * 2
    return y

def h(xs):
    made = []
    for x in xs:
        made.append(twice(x))
    try:
        last = made[9]
    except IndexError:
        last = -1
    return made, last
"""
RAISED = """\
def k(d):
    value = d['a']
    return d['b'] + value
"""
RUNS = {
    "f": run(SUM, "f(3)"),
    "g": run(WORDS, "g(['ab', 'abc'])"),
    "h": run(HELPED, "h([1, 2])"),
    "k": run(RAISED, "k({'a': 1})"),
}

FALSE = [
    ("f", "After line 4, `total = 99`."),
    ("f", "**total** = 99"),
    ("f", "**total = 99**"),
    ("f", "total = **99**"),
    ("f", "`total` = `99`"),
    ("f", "- `total`: 99"),
    ("f", "total: 99"),
    ("f", "total=99"),
    ("f", "total equals 99"),
    ("f", "total was 99"),
    ("f", "total has the value 99"),
    ("f", "total now holds 99."),
    ("f", "total is updated to 99"),
    ("f", "total is then set to 99"),
    ("f", "`total` gets updated to **99**."),
    ("f", "total increases to 99"),
    ("f", "total increases by 2 to 99"),
    ("f", "total increases from 1 to 99"),
    ("f", "total goes from 99 to 3"),
    ("f", "the value of total is 99"),
    ("f", "The value of `total` becomes 99."),
    ("f", "total's value is 99"),
    ("f", "total's new value is 99"),
    ("f", "total (now 99)"),
    ("f", "total, which is now 99, grows"),
    ("f", "total ends up as 99"),
    ("f", "total will be 99"),
    ("f", "We set total to 99."),
    ("f", "This leaves `total` at 99."),
    ("f", "Initialize total with 7."),
    ("f", "Store 99 in total."),
    ("f", "99 is assigned to total"),
    ("f", "We add 2 to total, giving 99."),
    ("f", "total = 1 + 2 = 99"),
    ("f", "total = 1 + 98"),
    ("f", "total = total + i = 1 + 2 = 99"),
    ("f", "total += 2 → 99"),
    ("f", "`total += i` gives `total = 1 + 2 = 99`"),
    ("f", "total = 1 + 2, which is 99"),
    ("f", "total → 99"),
    ("f", "total: 1 → 99"),
    ("f", "total ← 99"),
    ("f", "$total = 99$"),
    ("f", r"\(\text{total} = 99\)"),
    ("f", r"\[ \text{total} = 1 + 2 = \boxed{99} \]"),
    ("f", "<b>total</b> = 99"),
    ("f", "i = 1, total = 99"),
    ("f", "i, total = 2, 99"),
    ("f", "(i = 1, total = 99)"),
    ("f", "Iteration 2: i = 1 → total = 0 + 1 = 99"),
    ("f", "{'i': 1, 'total': 99}"),
    ("f", "total is ninety, no: total is eleven."),
    ("f", "total is 3.0"),
    ("f", "```\ni = 2\ntotal = 99\n```"),
    ("f", "```python\ntotal += i  # total = 99\n```"),
    ("f", "| i | total |\n|---|---|\n| 0 | 0 |\n| 1 | 99 |"),
    ("f", "| step | `total` |\n|:-:|:-:|\n| 3 | 1 + 2 = 99 |"),
    ("f", "Line 2: total = 3"),
    ("f", "Line 5 returns 99."),
    ("f", "Line 5, `return total`: this returns 99."),
    ("f", "f(3) returns 99"),
    ("f", "`f(3)` returns `99`."),
    ("f", "f(3) == 99"),
    ("f", "`f(3) == 99`"),
    ("f", "f(3) = 99"),
    ("f", "f(3) → 99"),
    ("f", "So f( 3 ) evaluates to 99."),
    ("f", "The function returns 99."),
    ("f", "It returns 99."),
    ("f", "and so it returns the value **99**"),
    ("f", "Finally we return total, which is 99."),
    ("f", "The call returned 99."),
    ("f", "The final result is 99."),
    ("f", "The output is `99`."),
    ("f", "**Final answer:** 99"),
    ("f", "Return value: 99"),
    ("f", "The result of the call is 99."),
    ("f", "It raises ValueError"),
    ("f", "This raises a `TypeError`."),
    ("f", "f(3) throws a KeyError"),
    ("f", "A ZeroDivisionError is raised on line 4."),
    ("f", "The call fails with an IndexError."),
    ("f", "Line 4 raises an exception."),
    ("f", "the loop runs 7 times"),
    ("f", "The loop runs seven times."),
    ("f", "The loop iterates 4 times"),
    ("f", "The loop makes 7 passes."),
    ("f", "the loop ends after 4 iterations"),
    ("f", "There are 5 iterations."),
    ("f", "Line 4 runs 9 times in all."),
    ("f", "line 4 is executed 2 times"),
    ("g", "seen['abc'] = 7"),
    ("g", "seen['abc'] is now 2"),
    ("g", "`seen['abc']` = `7`"),
    ("g", "len(word) = 9"),
    ("g", "The length of word is 9."),
    ("g", "word = 'abd'"),
    ("g", 'word becomes "zzz"'),
    ("g", "seen is empty, size is 5"),
    ("g", "seen = {'abc': 3, 'ab': 2}"),
    ("g", "After line 6, seen becomes {'abc': 4}."),
    ("g", "size is None"),
    ("g", "words is an empty list."),
    ("h", "twice(2) runs, y = 5"),
    ("h", "Line 3 returns 7."),
    ("h", "made = [2, 4, 6]"),
    ("h", "h([1, 2]) returns ([2, 4], 0)"),
    ("h", "h([1, 2]) raises IndexError"),
    ("h", "A KeyError is raised."),
    ("k", "k({'a': 1}) returns 3"),
    ("k", "k({'a': 1}) raises ValueError"),
    ("k", "The call raises IndexError."),
    ("k", "It returns 3."),
    ("k", "value = 2"),
]
TRUE = [
    ("f", "After line 4, `total = 3`."),
    ("f", "total starts at 0, becomes 1 and ends as 3."),
    ("f", "**total** = 3 and **i** = 2"),
    ("f", "total = total + i = 1 + 2 = 3"),
    ("f", "total: 0 → 1 → 3"),
    ("f", "`total = 0 + 1 = 1`; then `total = 1 + 2 = 3`"),
    ("f", "i = 2 > 1, so we go on"),
    ("f", "i, total = 2, 3"),
    ("f", "1 + i = 3, and total + i = 5 would come next"),
    ("f", "If total were 99, it would be too large."),
    ("f", "Is total = 99? No."),
    ("f", "total == 99 is false."),
    ("f", "n = 3, so range(3) gives 0, 1, 2."),
    ("f", "`for i in range(n)`: i takes the values 0, 1 and 2."),
    ("f", "i is 2, the last of 3 values."),
    ("f", "total is 3 more than at the start"),
    ("f", "total has 1 digit"),
    ("f", "total increases by 2 to 3."),
    ("f", "Line 4 runs 3 times, line 3 is executed 4 times."),
    ("f", "The loop runs 3 times."),
    ("f", "The loop header is evaluated 4 times."),
    ("f", "After 2 iterations total is 1."),
    ("f", "Nothing raises ValueError here, and no TypeError is raised."),
    ("f", "It would raise TypeError if n were a string."),
    ("f", "The function returns 0 if n is 0, and otherwise the sum."),
    ("f", "f(3) returns 3, so `f(3) == 3`."),
    ("f", "f(2) would return 1."),
    ("f", "range(3) returns [0, 1, 2] as a list"),
    ("f", "The final result is 3."),
    ("f", "| i | total |\n|---|---|\n| 0 | 0 |\n| 1 | 1 |\n| 2 | 1 + 2 = 3 |"),
    ("f", "```python\ndef f(n):\n    total = 0\n    for i in range(n):\n        total += i\n```"),
    ("f", "```\ni = 0: total = 0\ni = 1: total = 1\ni = 2: total = 3\n```"),
    ("f", "* total = 1\n* total = 3\n> total is 3\n- Step 1 - total = 0"),
    ("f", r"\(\text{total} = 1 + 2 = 3\), so \boxed{3}"),
    ("f", "total = 0, 1, 3 over the run"),
    ("f", "with total at 1 and i at 2, line 4 gives total = 3"),
    ("g", "seen['abc'] = 3 and len(word) = 3"),
    ("g", "`'ab'.upper()` returns 'AB'"),
    ("g", "word = 'ab', size = 2; 2 > 2 is False"),
    ("g", "size > 2 is False, then size > 2 is True"),
    ("g", "word is 'abc' with 3 letters; seen has 1 entry"),
    ("g", "seen is empty at first, then seen = {'abc': 3}"),
    ("g", 'words = ["ab", "abc"]'),
    ("g", "words contains 2 words: 'ab' and 'abc'"),
    ("g", "Since word is 'ab', len(word) is 2, it's not more than 2."),
    ("g", "len(word) returns 3."),
    ("g", "Loop over words: 'ab', 'abc'."),
    ("g", "For the words: 'ab' comes first"),
    ("g", "State: {'word': 'abc', 'size': 3}"),
    ("g", "seen[word] = size = 3"),
    ("h", "twice(1) returns 2 and twice(2) returns 4."),
    ("h", "made[9] raises IndexError, caught on line 11; last = -1"),
    ("h", "Line 3 returns 4."),
    ("h", "The helper returns 2, so made.append(2) gives made = [2]."),
    ("h", "h([1, 2]) returns ([2, 4], -1)."),
    ("h", "x = 2: y = x * 2 = 4"),
    ("k", "value = d['a'] = 1, then d['b'] raises KeyError."),
    ("k", "k({'a': 1}) raises KeyError, nothing is returned."),
    ("k", "The call ends with a KeyError, since 'b' is not in d."),
    ("k", "A `KeyError` is raised on line 3."),
]


@pytest.mark.parametrize(("name", "text"), FALSE, ids=[text for _, text in FALSE])
def test_a_false_claim_is_found_however_it_is_worded(name, text):
    assert disagreements(text, RUNS[name]) != []


@pytest.mark.parametrize(("name", "text"), TRUE, ids=[text for _, text in TRUE])
def test_a_true_text_is_taken_however_it_is_worded(name, text):
    assert disagreements(text, RUNS[name]) == []


def test_a_text_with_more_claims_than_are_looked_at_is_not_taken_on_trust():
    text = "total = 3\n" * MOST
    assert disagreements(text, RUNS["f"]) == []
    assert disagreements(text + "total = 3\n", RUNS["f"]) == [f"it has more than {MOST} claims"]


HOSTILE = ["total is ", "`", "total = [", "f(3) = ", "it returns ", "{'total':", "total = '"]


@pytest.mark.parametrize("text", [*HOSTILE, "| total ", "line 4: ", "total, ", "(", "**", "1 + "])
def test_a_hostile_text_is_read_in_little_time(text):
    line = text * (4_000 // len(text))
    start = process_time()
    disagreements("\n".join([line] * 7), RUNS["f"])
    assert process_time() - start < 5


def test_a_text_that_is_too_long_to_be_read_is_not_taken():
    assert disagreements("so " * 2_000, RUNS["f"]) == ["it is too long to be read"]
