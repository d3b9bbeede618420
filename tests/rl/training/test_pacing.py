"""The order of problems: tier by tier, a permutation, and the same after a stop."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rl.training.pacing import ORDER, BlockSampler, Pace, Pacing
from tracing.errors import ExecVerifyError, UsageError

TIERS = ["hard", "easy", "medium"] * 20
SLOW = Pace(threshold=0.9, share=0.25, window=4)


def run(pacing, epoch, earned, ahead=1, blocks=None):
    """Draw an epoch as a trainer does: some blocks ahead of the rewards."""
    drawn = []
    for block in islice(pacing.blocks(epoch), blocks):
        drawn.append(block)
        if len(drawn) > ahead:
            tiers = [pacing._tiers[row] for row in drawn[-1 - ahead]]
            pacing.observe(tiers, [earned(tier) for tier in tiers])
    return drawn


def tiers_of(pacing, block):
    return [pacing._tiers[row] for row in block]


def test_the_tiers_come_in_order_in_every_epoch():
    pacing = Pacing(TIERS, 4, 0, SLOW)
    orders = []
    for epoch in range(3):
        drawn = run(pacing, epoch, lambda tier: 0.0)
        firsts = list(dict.fromkeys(tier for block in drawn for tier in tiers_of(pacing, block)))
        assert firsts == ["easy", "medium", "hard"]
        assert set(tiers_of(pacing, drawn[0])) == {"easy"}
        orders.append([row for block in drawn for row in block])
    assert orders[0] != orders[1] != orders[2]


@pytest.mark.parametrize(
    "tiers",
    [TIERS, ["easy", "hard"] * 30, ["easy"] * 6 + ["medium"] * 48 + ["hard"] * 6],
    ids=["alike", "two", "a large one in the middle"],
)
@pytest.mark.parametrize("pace", [SLOW, Pace(), None], ids=["quarter", "default", "uniform"])
def test_an_epoch_of_which_no_tier_is_learned_has_each_row_once(tiers, pace):
    pacing = Pacing(tiers, 4, 0, pace)
    drawn = [row for block in run(pacing, 0, lambda tier: 0.0) for row in block]
    assert sorted(drawn) == list(range(60))


def test_problems_that_are_mastered_do_not_come_last():
    # Half an epoch was easy and medium problems alone, after the last hard one.
    pacing = Pacing(["easy", "medium", "hard"] * 400, 32, 0, Pace(0.6, 0.2, 64))
    drawn = run(pacing, 0, lambda tier: 0.9)
    assert len(drawn) == 1200 // 32
    begun = next(n for n, block in enumerate(drawn) if "hard" in tiers_of(pacing, block))
    assert begun < 10
    for block in drawn[begun + 1 :]:
        assert tiers_of(pacing, block).count("hard") == 26
    hard = Counter(row for block in drawn for row in block if pacing._tiers[row] == "hard")
    assert len(hard) == 400
    assert max(hard.values()) - min(hard.values()) <= 1


@given(
    tiers=st.lists(st.sampled_from(["easy", "hard", "medium", "trivial"]), min_size=6),
    block=st.integers(1, 6),
    share=st.floats(0, 0.9),
    window=st.integers(1, 8),
    seed=st.integers(0, 99),
    stop=st.integers(0, 30),
)
def test_the_tiers_come_in_order_whatever_is_earned(tiers, block, share, window, seed, stop):
    pace, rewards = Pace(0.5, share, window), random.Random(seed)
    pacing = Pacing(tiers, block, seed, pace)
    for epoch in range(2):
        drawn = run(pacing, epoch, lambda tier: rewards.random(), blocks=stop)
        resumed = Pacing(tiers, block, seed, pace)
        resumed.restore(json.loads(json.dumps(pacing.state())))
        rest = islice(resumed.blocks(epoch), len(drawn), None)
        drawn += list(rest)
        assert [len(rows) for rows in drawn] == [block] * (len(tiers) // block)
        reached = 0
        for rows in drawn:
            places = [ORDER.index(tier) for tier in tiers_of(pacing, rows)]
            assert sum(place < reached for place in places) <= share * block + 0.5
            reached = max(reached, *places)
        firsts = dict.fromkeys(tier for rows in drawn for tier in tiers_of(pacing, rows))
        assert list(firsts) == sorted(firsts, key=ORDER.index)
        pacing = resumed


def test_a_tier_that_is_learned_gives_way_early():
    pacing = Pacing(TIERS, 4, 0, SLOW)
    drawn = run(pacing, 0, lambda tier: 1.0 if tier == "easy" else 0.0)
    begun = next(n for n, block in enumerate(drawn) if "medium" in tiers_of(pacing, block))
    assert begun == 2  # a window is full after one block, and the trainer is one block ahead


def test_a_share_of_each_block_stays_with_earlier_tiers():
    pacing = Pacing(TIERS, 4, 0, SLOW)
    drawn = run(pacing, 0, lambda tier: 0.0)
    begun = next(n for n, block in enumerate(drawn) if "medium" in tiers_of(pacing, block))
    for block in drawn[begun + 1 :]:
        assert len(set(tiers_of(pacing, block))) > 1
    later = [tiers_of(pacing, block) for block in drawn[begun + 1 : begun + 3]]
    assert [tiers.count("easy") for tiers in later] == [1, 1]


def test_completions_without_a_reward_do_not_count():
    pacing = Pacing(TIERS, 4, 0, SLOW)
    pacing.observe(["easy"] * 5, [1.0, 1.0, None, None, None])
    next(iter(pacing.blocks(0)))
    assert pacing.tier == "easy"


def test_uniform_mixes_all_tiers():
    pacing = Pacing(TIERS, 4, 0, None)
    firsts = [
        tier for block in run(pacing, 0, lambda tier: 0.0)[:5] for tier in tiers_of(pacing, block)
    ]
    assert set(firsts) == {"easy", "medium", "hard"}


@given(
    tiers=st.lists(st.sampled_from(["easy", "hard", "medium", "trivial", "", "odd"]), min_size=3),
    block=st.integers(1, 3),
    share=st.floats(0, 0.9),
    threshold=st.floats(0, 1),
    paced=st.booleans(),
    seed=st.integers(0, 9),
    stop=st.integers(0, 30),
)
def test_a_run_that_was_stopped_sees_the_order_that_it_would_have_seen(
    tiers, block, share, threshold, paced, seed, stop
):
    pace = Pace(threshold, share, 2) if paced else None

    def earned(tier):
        return 0.8 if tier == "easy" else 0.3

    whole = Pacing(tiers, block, seed, pace)
    expected = [run(whole, epoch, earned, ahead=0) for epoch in range(2)]
    flat = [row for drawn in expected[0] for row in drawn]
    assert len(flat) == len(tiers) // block * block

    first = Pacing(tiers, block, seed, pace)
    before = run(first, 0, earned, ahead=0, blocks=stop)
    second = Pacing(tiers, block, seed, pace)
    second.restore(json.loads(json.dumps(first.state())))
    replayed = islice(second.blocks(0), len(before), None)
    after = []
    for drawn in replayed:
        after.append(drawn)
        names = tiers_of(second, drawn)
        second.observe(names, [earned(tier) for tier in names])
    assert before + after == expected[0]
    assert run(second, 1, earned, ahead=0) == expected[1]


def test_the_sampler_repeats_rows_and_blocks():
    pacing = Pacing(TIERS, 4, 0, SLOW)
    sampler = BlockSampler(pacing, generations=3, passes=2)
    drawn = list(sampler)
    assert len(drawn) == len(sampler) == 60 * 3 * 2
    assert drawn[:12] == drawn[12:24]
    assert len(set(drawn[:3])) == 1
    assert len(set(drawn[:12])) == 4


def test_too_few_rows_and_a_foreign_state_are_refused():
    with pytest.raises(UsageError, match="too few for a batch of 4"):
        Pacing(["easy"] * 3, 4, 0, None)
    state = Pacing(["easy"] * 9, 3, 0, None)
    list(state.blocks(0))
    with pytest.raises(ExecVerifyError, match="another dataset"):
        Pacing(["easy"] * 4, 2, 0, None).restore(state.state())
