"""The registry of engines: what is missing is named, what is new is found."""

from __future__ import annotations

import subprocess
import sys

import pytest

from curricula.difficulty.engines import (
    ENGINES,
    Completion,
    Sampling,
    engine,
    open_engine,
    options_of,
)
from curricula.difficulty.engines.base import folder_revision, require
from tracing.errors import ExecVerifyError, MissingExtraError, UsageError


@pytest.mark.parametrize("spec", ["", "vllm", "vllm:", "nothing:x", "Qwen/Qwen2.5"])
def test_what_names_no_engine_is_refused_with_what_there_is(spec):
    with pytest.raises(ExecVerifyError, match="write vllm:MODEL, openai:MODEL@URL"):
        open_engine(spec)


@pytest.mark.parametrize("options", [{"nothing": 1}, {"concurrency": "many"}])
def test_options_that_an_engine_does_not_take_are_refused_by_name(options):
    with pytest.raises(
        UsageError, match=f"openai does not take the options {next(iter(options))}="
    ):
        open_engine("openai:m@http://127.0.0.1:9/v1", **options)


def test_options_are_read_as_json_or_as_text():
    texts = ["tensor_parallel_size=2", "enforce_eager=true", "dtype=float32", "rope=a=b"]
    assert options_of(texts) == {
        "tensor_parallel_size": 2,
        "enforce_eager": True,
        "dtype": "float32",
        "rope": "a=b",
    }
    for wrong in (["batch"], ["=1"], ["a b=1"], ["x=1", "x=2"]):
        with pytest.raises(UsageError, match="write NAME=VALUE, each name once"):
            options_of(wrong)


def test_a_missing_extra_is_named_with_another_way():
    with pytest.raises(MissingExtraError) as caught:
        require("no_such_package_at_all", "vllm", "use openai:MODEL@URL")
    assert str(caught.value) == (
        'no_such_package_at_all is not installed; pip install "execverify[vllm]", '
        "or use openai:MODEL@URL"
    )


def test_vllm_without_vllm_names_the_extra():
    code = (
        "import sys; sys.modules['vllm'] = None\n"
        "import importlib.util as u; u.find_spec = lambda name: None\n"
        "from curricula.difficulty.engines import open_engine\n"
        "open_engine('vllm:m')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert 'vllm is not installed; pip install "execverify[vllm]", or use openai:' in done.stderr


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("RuntimeError('Engine core initialization failed')", ExecVerifyError),
        ("OSError('no such model')", ExecVerifyError),
        ("ValueError('max_model_len is\\n  too large')", UsageError),
    ],
)
def test_a_model_that_vllm_cannot_load_is_a_sentence(tmp_path, monkeypatch, error, kind):
    # A stand-in: vLLM wants an environment of its own, and a machine on which it fails so.
    fails = f"class LLM:\n    def __init__(self, **options):\n        raise {error}\n"
    (tmp_path / "vllm.py").write_text(fails)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "vllm", raising=False)
    try:
        with pytest.raises(ExecVerifyError, match="vLLM cannot load the model m: ") as caught:
            open_engine("vllm:m", max_model_len=9)
    finally:
        sys.modules.pop("vllm", None)
    assert type(caught.value) is kind
    assert str(caught.value).isprintable()


def test_a_new_engine_is_registered_from_outside():
    @engine("parrot")
    class Parrot:
        revision = "1"

        def __init__(self, model: str, *, loud: bool = False) -> None:
            self.model, self.loud = model, loud

        def complete(self, prompts, *, n=1, sampling=None):
            for place, messages in enumerate(prompts):
                text = messages[-1]["content"]
                yield Completion(place, (text.upper() if self.loud else text,) * n)

        def close(self) -> None:
            pass

    try:
        opened = open_engine("parrot:grey", loud=True)
        assert next(opened.complete([[{"role": "user", "content": "a"}]], n=2)).texts == ("A", "A")
    finally:
        del ENGINES["parrot"]


@pytest.mark.parametrize(
    "values", [{"temperature": -1}, {"top_p": 0}, {"top_p": 1.1}, {"max_tokens": 0}]
)
def test_sampling_that_makes_no_sense_is_refused(values):
    with pytest.raises(ExecVerifyError):
        Sampling(**values)


def test_importing_the_engines_loads_none_of_what_they_need():
    code = (
        "import sys, curricula.difficulty.engines, curricula.difficulty.grading\n"
        "print([m for m in ('torch', 'transformers', 'vllm', 'httpx', 'tenacity', 'datasets') "
        "if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_revision_of_a_folder_is_that_of_its_content(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"a" * 100)
    first = folder_revision(str(tmp_path))
    assert len(first) == 12
    (tmp_path / "README.md").write_text("more")
    assert folder_revision(str(tmp_path)) == first
    (tmp_path / "model.safetensors").write_bytes(b"b" * 100)
    assert folder_revision(str(tmp_path)) != first
    assert folder_revision("someone/model") == ""
