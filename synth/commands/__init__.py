"""The verbs of the command line, one file each with a function ``command``."""

__all__ = ["VERBS"]

VERBS: dict[str, str] = {
    "build": "build",
    "show": "show",
    "check": "check",
    "stream": "stream",
    "grade": "grade",
    "evaluate": "evaluate",
    "train": "train",
    "exploits": "exploits",
    "publish": "publish",
    "verify": "verify",
    "export": "export",
}
"""The verbs in the order of ``synth --help``, and the modules of this package they are in."""
