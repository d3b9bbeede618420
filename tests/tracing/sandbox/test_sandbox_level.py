"""The level is what was seen to hold, and weaker ones are refused."""

import sys

import pytest

from tracing import sandbox
from tracing.sandbox import confine, landlock, levels, probe, records


def reached(monkeypatch, name, allowed=("read",)):
    found = sandbox.Level(name, (), tuple(allowed))
    monkeypatch.setattr(levels, "_level", found)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Landlock and seccomp are Linux")
def test_linux_with_landlock_reaches_the_full_level():
    found = sandbox.level()
    assert ("full" if landlock.abi() else "reduced") == found.name
    assert "seccomp" in found.layers
    assert found.name != "full" or found.allowed == ()


@pytest.mark.parametrize(
    ("allowed", "name"),
    [
        ((), "full"),
        (("read",), "reduced"),
        (("read", "write"), "reduced"),
        (("fork",), "rlimits"),
        (("read", "connect"), "rlimits"),
        (("chmod",), "rlimits"),
        (tuple(probe.ACTS), "rlimits"),
    ],
)
def test_the_level_follows_from_the_acts(allowed, name):
    assert levels._name(allowed) == name


def test_a_system_below_the_required_level_is_refused(monkeypatch):
    reached(monkeypatch, "rlimits", ("read", "fork"))
    with pytest.raises(sandbox.SandboxLevelError, match="could read, fork"):
        sandbox.run_calls("def f(): return 1", "f", [""])


def test_a_weak_level_can_be_told_to_do(monkeypatch):
    reached(monkeypatch, "rlimits")
    run = sandbox.run_calls("def f(): return 1", "f", [""], required="rlimits")
    assert (run.outcome, run.level) == ("finished", "rlimits")


def test_a_weak_level_can_be_told_to_do_by_the_environment(monkeypatch):
    reached(monkeypatch, "rlimits")
    monkeypatch.setenv("EXECVERIFY_SANDBOX", "rlimits")
    assert sandbox.run_calls("def f(): return 1", "f", [""]).outcome == "finished"


def test_a_level_that_does_not_exist_is_an_error(monkeypatch):
    monkeypatch.setenv("EXECVERIFY_SANDBOX", "none")
    with pytest.raises(sandbox.SandboxLevelError, match="'none'; there are rlimits, reduced, full"):
        sandbox.require()


def test_the_full_level_is_required_unless_told(monkeypatch):
    reached(monkeypatch, "reduced")
    with pytest.raises(sandbox.SandboxLevelError, match="not 'full'"):
        sandbox.require()


def test_the_full_level_can_be_required(monkeypatch):
    reached(monkeypatch, "reduced")
    with pytest.raises(sandbox.SandboxLevelError, match="not 'full'"):
        sandbox.require("full")
    assert sandbox.require("reduced").name == "reduced"


def test_levels_are_in_order():
    assert records.LEVELS == ("rlimits", "reduced", "full")


def test_what_can_be_read_is_the_library_and_nothing_of_ours():
    paths = confine.readable_paths()
    assert any(sys.version_info[0] and path in sys.base_prefix + "/lib" for path in paths)
    assert not any(__file__.startswith(path + "/") for path in paths)
    assert not {"/", "/etc", "/proc", "/home", "/root", "/tmp", "/dev"} & set(paths)
