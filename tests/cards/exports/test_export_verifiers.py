"""verifiers: a package that installs by itself and holds its own data."""

import ast
import tomllib
from importlib.metadata import version


def test_the_project_names_its_package_and_what_it_needs(exported):
    project = tomllib.loads((exported["verifiers"] / "pyproject.toml").read_text())
    assert project["project"]["name"] == "execverify-curriculum"
    assert f"execverify>={version('execverify')}" in project["project"]["dependencies"]
    (package,) = project["tool"]["setuptools"]["packages"]
    assert list((exported["verifiers"] / package / "data").glob("*.parquet"))


def test_the_package_exports_one_taskset(exported):
    tree = ast.parse((exported["verifiers"] / "execverify_curriculum/__init__.py").read_text())
    (names,) = [ast.literal_eval(node.value) for node in tree.body if isinstance(node, ast.Assign)]
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    assert names == classes == ["ExecverifyCurriculum"]
