"""Commands of `thematic`: in this process, and as a process of their own."""

import subprocess
import sys

from typer.testing import CliRunner

from spacy_thematic.cli.app import app


def invoke(*args, status: int = 0) -> str:
    """What a command prints, if it ends in order with this status."""
    result = CliRunner().invoke(app, list(map(str, args)))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == status, result.output
    return result.output


def flat(text: str) -> str:
    """A text without its line breaks, of which a narrow terminal has more."""
    return " ".join(text.split())


def run(*args, status: int = 0) -> str:
    return flat(invoke(*args, status=status))


def run_process(*args) -> str:
    """What a command prints as a user starts it, if it succeeds without a warning."""
    command = [sys.executable, "-m", "spacy", "thematic", *map(str, args)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    return flat(done.stdout)
