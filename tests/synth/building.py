"""A small build, and how to start ``synth`` as a plain process."""

import os
import subprocess
import sys
from pathlib import Path

import synth
from synth import folder
from synth.spec import Spec

SPEC = Spec("easy", 50, 3)
COMMAND = ["build", "--tier", "easy", "--size", "50", "--seed", "3"]


def digests(place):
    """Hash every file of a folder, the hidden ones included."""
    return {
        str(p.relative_to(place)): folder.sha256_of(p)
        for p in sorted(place.rglob("*"))
        if p.is_file()
    }


def start(arguments, cwd, *paths, **options):
    """Start ``synth`` in a folder, with further places to import from."""
    root = str(Path(synth.__file__).parents[1])
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([*map(str, paths), root])}
    return subprocess.Popen(
        [sys.executable, "-m", "synth", *map(str, arguments)],
        cwd=cwd,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def finish(process):
    """Wait for a process; give its exit code and what it said."""
    out, said = process.communicate(timeout=170)
    return process.returncode, out, said
