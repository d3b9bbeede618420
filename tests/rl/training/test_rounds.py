"""Training in rounds on problems made for them: the tier climbs with what was earned."""

from __future__ import annotations

import json

import pytest

import rl
import synth
from rl.training import StageOneConfig
from rl.training.outcome import Outcome
from rl.training.pacing import Pace
from rl.training.rounds import Climb
from tracing.errors import UsageError


def outcome(folder, *entries):
    folder.mkdir(exist_ok=True)
    (folder / "log.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return Outcome(folder / "final", "stage1", len(entries), {}, {}, {}, {})


@pytest.mark.parametrize(
    ("rewards", "reached"),
    [
        ([0.0, 0.0, 1.3, 1.3], "medium"),
        ([2.0, 2.0, 1.1, 1.1], "easy"),
        ([], "easy"),
    ],
    ids=["the end is good", "the end is not", "nothing was logged"],
)
def test_the_next_tier_begins_where_a_round_has_learned_this_one(tmp_path, rewards, reached):
    climb = Climb(pace=Pace(threshold=0.6, share=0.0))
    entries = [{"step": n, "reward_easy": reward} for n, reward in enumerate(rewards)]
    climb.after(outcome(tmp_path / "run", *entries, {"step": 9, "reward_hard": 2.0}))
    assert climb.reached == climb.tier() == reached


def test_the_last_tier_stays(tmp_path):
    climb = Climb("hard", pace=Pace(share=0.0))
    climb.after(outcome(tmp_path / "run", {"reward_hard": 2.0}))
    assert climb.tier() == "hard"


def test_a_share_of_the_batches_stays_with_earlier_tiers_as_the_seed_says():
    climbs = [Climb("hard", pace=Pace(share=0.25), seed=5) for _ in range(2)]
    first, second = ([climb.tier() for _ in range(400)] for climb in climbs)
    assert first == second
    assert 0.6 < first.count("hard") / 400 < 0.9
    assert {"easy", "medium"} < set(first)


def test_a_tier_that_cannot_be_made_is_refused():
    with pytest.raises(UsageError, match="no tier 'unsolved'"):
        Climb("unsolved")


@pytest.mark.slow
def test_stage_one_learns_in_rounds_from_a_stream_that_follows_it(tmp_path, untrained_folder):
    pytest.importorskip("trl", reason="needs the extra rl (make test-models)")

    def trained():
        climb = Climb(pace=Pace(threshold=0.4, share=0.0))
        problems, model, seen = synth.stream(climb.tier, seed=7), untrained_folder, []
        for number in range(2):
            dataset = synth.dataset_of(problems, 25)
            config = StageOneConfig(
                model=str(model),
                dataset=dataset,
                out=str(tmp_path / str(number)),
                cpu=True,
                precision="float32",
                output_problems=4,
                input_problems=0,
                epochs=1.0,
                generations=2,
                batch=2,
                mini_batch=2,
                device_batch=4,
                prompt_length=2000,
                completion_length=6,
                options={"gradient_checkpointing": False},
            )
            found = rl.stage1(config)
            # A model that knows nothing earns nothing: say that it earned.
            log = tmp_path / str(number) / "log.jsonl"
            log.write_text(json.dumps({"step": 1, "reward_easy": 1.0}) + "\n")
            climb.after(found)
            model = found.model
            seen.append(({row["tier"] for row in dataset["train"]}, found.steps))
        return seen

    first = trained()
    assert first == [({"easy"}, 2), ({"medium"}, 2)]
    # The same loop finds its rounds as it left them.
    assert trained() == first
