"""An option of the commands that read what users name."""

import typer

SKIP_BAD = typer.Option(
    False,
    "--skip-bad",
    help="Skip folders, files, lines and records that cannot be read, and say which, instead of "
    "stopping",
)
