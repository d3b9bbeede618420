"""The command line: ``synth VERB``, thin over the packages.

Results go to standard output, talk to standard error. Exit codes: 0 done, 1 the
work failed, 2 the call was wrong, 130 interrupted.
"""

from __future__ import annotations

import errno
import os
import sys
from importlib import import_module
from typing import Any

import typer
import typer.core
import typer.main

from synth.commands import VERBS
from tracing.errors import ExecVerifyError, UsageError

__all__ = ["app", "main"]

_INTERRUPTED = 130
_ADVICE = {
    errno.ENOSPC: "the disk is full; free some space and run the same command again",
    errno.EDQUOT: "the disk quota is used up; free some space and run the same command again",
    errno.EROFS: "the file system is read-only; choose another folder",
    errno.EACCES: "permission denied; choose a folder that you may write",
}


class _Verbs(typer.core.TyperGroup):
    """Loads a verb's module when it is called, so that ``synth --help`` stays quick."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in VERBS:
            return None
        verb = typer.Typer(add_completion=False, rich_markup_mode=None)
        verb.command(cmd_name)(import_module(f"synth.commands.{VERBS[cmd_name]}").command)
        return typer.main.get_command(verb)


app = typer.Typer(
    cls=_Verbs,
    help="Datasets that teach code models what a program does.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def _root() -> None:
    """Make, look at, grade, publish and learn from curricula of traced programs."""


def main() -> None:
    """Run the command line and leave the process."""
    try:
        code = app(standalone_mode=False) or 0
        if code == _INTERRUPTED:  # typer has taken the Ctrl-C
            raise KeyboardInterrupt
        _leave(code)
    except typer.TyperException as error:
        show = getattr(error, "show", None)  # the call's own mistakes show how to call
        _leave(2 if show is None else show() or 2)
    except (KeyboardInterrupt, typer.Abort):
        print("synth: interrupted; the same command goes on", file=sys.stderr)  # noqa: T201
        _leave(_INTERRUPTED)
    except ExecVerifyError as error:
        print(f"synth: {error}", file=sys.stderr)  # noqa: T201
        _leave(2 if isinstance(error, UsageError) else 1)
    except BrokenPipeError:
        # The reader of our output is gone (``synth show | head``): nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _leave(0)
    except OSError as error:
        what = _ADVICE.get(error.errno or 0, error.strerror or str(error))
        place = f"{error.filename}: " if error.filename else ""
        print(f"synth: {place}{what}", file=sys.stderr)  # noqa: T201
        _leave(1)


def _leave(code: int) -> None:
    sys.exit(code)


if __name__ == "__main__":
    main()
