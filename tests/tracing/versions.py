"""Checks the case tables with both tracers on every Python that is found.

Run as ``python tests/tracing/versions.py`` it looks for Python 3.11, 3.12 and 3.13, on the
PATH and where pyenv keeps them, runs itself with ``--here`` on each, and says which it found;
the exit code is 1 where a case fails or no version at all was found. It needs the standard
library alone, because those Pythons may have nothing else.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = ("3.11", "3.12", "3.13")


def pythons() -> dict[str, str]:
    """Find an interpreter for each version: this one, one on the PATH, or pyenv's."""
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    found = {here: sys.executable} if here in VERSIONS else {}
    for version in VERSIONS:
        kept = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}*/bin/python"))
        for candidate in (shutil.which(f"python{version}"), *map(str, kept)):
            if version not in found and candidate and _is(candidate, version):
                found[version] = candidate
    return dict(sorted(found.items()))


def _is(python: str, version: str) -> bool:
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.strip() == version


def check_on(python: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Check all cases under another interpreter."""
    return subprocess.run(
        [python, "-B", __file__, "--here", *words], capture_output=True, text=True, check=False
    )


def check_here(names: list[str]) -> int:
    """Check the cases under this interpreter; print what fails, give how many."""
    sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]
    from case_tables import problems, read_cases

    import tracing
    from tracing.job import trace_here
    from tracing.trace import Trace

    cases = [case for case in read_cases() if not names or case.name in names]
    traces = tracing.run_many((case.program, case.call) for case in cases)
    failed = 0
    for case, confirmed in zip(cases, traces, strict=True):
        seen = {"run": problems(case, confirmed)}
        if not case.is_refused:
            for tracer in ("instrument", "events"):
                record = trace_here(case.program, case.call, tracer, steps=5000, values=True)
                seen[tracer] = problems(case, Trace(case.program, case.call, record))
            if sys.version_info < (3, 12) and case.name.startswith("phantom_"):
                del seen["events"]  # see docs/semantics.md, section 8
        for where, found in seen.items():
            failed += bool(found)
            for problem in found:
                print(f"{case.name} [{where}]: {problem}")
    print(f"{len(cases)} cases, {failed} failures on {sys.version.split()[0]}")
    return failed


def main() -> int:
    """Check every version that is found."""
    found = pythons()
    worst = 0 if found else 1
    for version in VERSIONS:
        if version not in found:
            print(f"Python {version}: not found")
            continue
        done = check_on(found[version])
        print(f"Python {version} ({found[version]}): {done.stdout}{done.stderr}".rstrip())
        worst = max(worst, done.returncode)
    return worst


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        sys.exit(min(check_here(sys.argv[2:]), 1))
    sys.exit(main())
