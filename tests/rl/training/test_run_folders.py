"""The folder of a run is a run's own, or it is left as it is."""

import json

import pytest

from rl.training import WarmupConfig
from rl.training.run import open_run
from tracing.errors import UsageError

DATA = {"dataset": "d"}
FOREIGN = {
    "no run.json": "",
    "another program's": json.dumps({"script": "run"}),
    "damaged": '{"stage": "war',
    "nested too deep": "[" * 100_000,
}


@pytest.mark.parametrize("text", FOREIGN.values(), ids=FOREIGN)
def test_beginning_anew_removes_nothing_of_what_no_run_wrote(tmp_path, text):
    out = tmp_path / "out"
    (out / "final").mkdir(parents=True)
    (out / "final" / "notes.txt").write_text("years of work")
    if text:
        (out / "run.json").write_text(text)
    config = WarmupConfig(model="m", dataset="d", out=str(out), resume=False)
    with pytest.raises(UsageError, match="holds something else than a training run"):
        open_run(config, "warmup", DATA)
    assert (out / "final" / "notes.txt").read_text() == "years of work"


def test_beginning_anew_replaces_a_run(tmp_path):
    config = WarmupConfig(model="m", dataset="d", out=str(tmp_path / "out"), resume=False)
    (open_run(config, "warmup", DATA).folder / "final").mkdir()
    assert not open_run(config, "warmup", DATA).final.exists()


def test_another_model_under_the_same_name_is_another_run(tmp_path):
    model = tmp_path / "model"
    model.mkdir()
    (model / "model.safetensors").write_bytes(b"first")
    config = WarmupConfig(model=str(model), dataset="d", out=str(tmp_path / "out"))
    run = open_run(config, "warmup", DATA)
    (run.final).mkdir()
    (run.final / "results.json").write_text("{}")
    assert open_run(config, "warmup", DATA).is_finished
    (model / "model.safetensors").write_bytes(b"other")
    with pytest.raises(UsageError, match="a run with another model_content"):
        open_run(config, "warmup", DATA)
