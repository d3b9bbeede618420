"""The small model says what it lacks before it downloads anything."""

import importlib.util

import pytest

from curricula.difficulty.small_model import small_model
from tracing.errors import MissingExtraError


@pytest.mark.parametrize("package", ["torch", "transformers", "accelerate", "gguf"])
def test_what_converts_the_model_is_named_before_the_download(package, tmp_path, monkeypatch):
    monkeypatch.setenv("EXECVERIFY_CACHE", str(tmp_path))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == package else name)
    message = rf'{package} is not installed; pip install "execverify\[rl\]"'
    with pytest.raises(MissingExtraError, match=message):
        small_model()
    assert [one.name for one in tmp_path.iterdir()] == [".smollm2-135m-instruct.lock"]
