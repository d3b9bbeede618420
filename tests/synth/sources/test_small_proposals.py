"""A real small model proposes; few of its replies are programs, and each one is accounted for."""

from collections import Counter
from contextlib import closing, suppress

from curricula.difficulty.engines import Sampling, open_engine
from curricula.difficulty.small_model import small_model
from synth.sources import programs_of, proposing
from synth.spec import Spec
from tracing.errors import ExecVerifyError


def test_a_small_model_is_asked_and_every_reply_is_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(proposing, "BATCH", 4)
    monkeypatch.setattr(proposing, "PATIENCE", 8)
    monkeypatch.setattr(proposing, "_SAMPLING", Sampling(1.0, 0.95, 160))
    spec = Spec(tier="easy", size=25, seed=0, source=f"transformers:{small_model()}")
    refused: Counter[str] = Counter()
    made = []
    with closing(open_engine(spec.source)) as engine:
        stream = programs_of(spec, 0, engine, tmp_path, refused)
        # None of its replies may be fit, which ends in an error that says so.
        with suppress(ExecVerifyError):
            while len(made) < 3 and sum(refused.values()) < 8:
                made.append(next(stream))
    lines = (tmp_path / "replies-000000.jsonl").read_text().splitlines()
    assert len(lines) >= len(made) + sum(refused.values()) >= 3
    assert all(program.shape.check(program.source) == [] for program in made)
