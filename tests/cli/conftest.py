"""Commands of `thematic`, run in this process."""

from typer.testing import CliRunner

from spacy_thematic.cli.app import app


def invoke(*args, status: int = 0) -> str:
    """What a command prints, if it ends with this status."""
    result = CliRunner().invoke(app, list(map(str, args)))
    assert result.exit_code == status, (result.output, result.exception)
    return result.output


def flat(text: str) -> str:
    """A text without its line breaks, of which a narrow terminal has more."""
    return " ".join(text.split())
