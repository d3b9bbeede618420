"""An environment package for ``verifiers``: install it, and name ``execverify-curriculum``.

It holds the prompts as Parquet files, and gets tasks and rewards from
``rl.adapters.verifiers``.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from cards.exports.base import copy_splits, export_format

__all__ = ["write"]

_PROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "execverify-curriculum"
version = "0.1.0"
description = "Problems about what programs do, made by execverify"
requires-python = ">=3.11"
dependencies = ["execverify>={version}", "verifiers"]

[tool.setuptools]
packages = ["execverify_curriculum"]

[tool.setuptools.package-data]
execverify_curriculum = ["data/*.parquet"]
"""
_MODULE = '''"""Problems about what programs do, as a taskset of verifiers."""

from pathlib import Path

from rl.adapters.verifiers import Curriculum, task_of

__all__ = ["ExecverifyCurriculum"]


class ExecverifyCurriculum(Curriculum):
    """The problems of this package, or of another place where the configuration names one."""

    def load(self):
        """Yield a task for each prompt."""
        if self.config.path:
            return super().load()
        from datasets import load_dataset

        file = Path(__file__).parent / "data" / f"{self.config.split}.parquet"
        rows = load_dataset("parquet", data_files=str(file), split="train")
        return (task_of(row, self.config.task) for row in rows)
'''


@export_format("verifiers", needs=("stage1",))
def write(place: Path, out: Path) -> Iterator[Path]:
    """Write ``pyproject.toml`` and the package ``execverify_curriculum`` with its data."""
    project = out / "pyproject.toml"
    project.write_text(_PROJECT.format(version=version("execverify")), encoding="utf-8")
    package = out / "execverify_curriculum"
    data = package / "data"
    data.mkdir(parents=True)
    (package / "__init__.py").write_text(_MODULE, encoding="utf-8")
    yield from (project, package / "__init__.py")
    yield from copy_splits(place, "stage1", data)
