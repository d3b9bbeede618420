"""What stands where a build is to go: nothing, this very build, whole or damaged, or another's.

A damaged build is made again in its place without being asked, but only where nothing is lost
by that: neither rates that were measured since, nor files that the build did not write, nor
programs that a model would not propose again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from synth import folder, replacing, report, work
from synth.check import check_files
from synth.report import BuildReport
from synth.spec import Spec
from tracing.errors import UsageError, shorten

__all__ = ["check_nothing_is_lost", "damage_of", "is_there", "is_whole", "report_of"]


def is_there(spec: Spec, out: Path, force: bool = False) -> bool:
    """Tell whether this very build stands in a place.

    Args:
        spec: What is built.
        out: The folder of the result.
        force: Whether any build there is to be replaced.

    Returns:
        True where it does; False where a build may be made there.

    Raises:
        UsageError: It holds another build, or what no build made.
    """
    if not out.exists() and not out.is_symlink():
        return False
    if not force and (out / "manifest.json").exists():
        if folder.manifest_of(out).get("build") == work.identity(spec):
            return True
        raise UsageError(
            f"{shorten(str(out), 120)} holds another build; choose another folder or --force"
        )
    replacing.check_replaceable(out)
    return False


def damage_of(out: Path) -> str:
    """Say what is wrong with a build that stands in a place.

    Args:
        out: The folder of a finished build.

    Returns:
        The first file that is not as its manifest says, and why; empty where all are. What
        the manifest does not know is no damage.

    Raises:
        FolderError: It is damaged, and more than the build would be lost by making it again.
    """
    manifest = folder.manifest_of(out)
    damage = _first_damage(out, manifest["files"])
    if damage:
        names = (str(path.relative_to(out)) for path in out.rglob("*") if not path.is_dir())
        check_nothing_is_lost(shorten(str(out), 120), damage, manifest, report_of(out), names)
    return damage


def is_whole(spec: Spec, out: Path) -> bool:
    """Tell whether this very build stands whole in a place that is nobody's but ours.

    Args:
        spec: What is built.
        out: The folder of a build that is to be sent elsewhere.

    Returns:
        False where it may be made again, whatever else there is.
    """
    try:
        manifest = folder.manifest_of(out)
        report.read(out)
        is_this = manifest["build"] == work.identity(spec)
        return is_this and not _first_damage(out, manifest["files"])
    except UsageError:
        return False


def _first_damage(out: Path, files: Mapping[str, Any]) -> str:
    found = next((found for found in check_files(out, files) if found.place in files), None)
    return f"{found.place}: {found.what}" if found else ""


def report_of(out: Path) -> BuildReport:
    """Read the report of a build that stands in a place.

    Args:
        out: The folder of a finished build.

    Returns:
        The report.

    Raises:
        FolderError: ``report.json`` is missing or damaged.
    """
    try:
        return report.read(out)
    except folder.FolderError as error:
        raise folder.FolderError(f"{error}; --force builds it again") from None


def check_nothing_is_lost(
    where: str,
    damage: str,
    manifest: Mapping[str, Any],
    made: BuildReport,
    names: Iterable[str],
) -> None:
    """Refuse to make a damaged build again where more than the build would be lost.

    Args:
        where: Its folder or address.
        damage: What is wrong with it.
        manifest: Its manifest.
        made: Its report, which a grading leaves as it is.
        names: The files that stand there.

    Raises:
        FolderError: It was graded, or a model proposed its programs, or it holds files that the
            build did not write.
    """
    force = "--force builds it again without"
    files = manifest["files"]
    if (made.files, made.bytes) != (len(files), sum(facts["bytes"] for facts in files.values())):
        raise folder.FolderError(
            f"{where} is damaged ({damage}), and was graded after it was built; {force} the rates"
        )
    if source := manifest["build"]["spec"]["source"]:
        raise folder.FolderError(
            f"{where} is damaged ({damage}), and {shorten(source)} would not propose the same "
            "programs again; --force builds it of others"
        )
    others = sorted({*names} - {*files, "manifest.json", "report.json"})
    if others:
        raise folder.FolderError(
            f"{where} is damaged ({damage}), and holds {shorten(others[0], 120)}, which the build "
            f"did not write; move that elsewhere and run the same command again, or {force} it"
        )
