"""Options that several commands have, and places that they read and write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

MODEL = typer.Option(
    "en_thematic_sm", "--model", "-m", help="Pipeline with thematic_embedder, or a bundled model"
)
SEED = typer.Option(0, "--seed", help="Random seed", min=0)
SKIP_BAD = typer.Option(
    False,
    "--skip-bad",
    help="Skip unreadable folders, files, lines and records, and list them, instead of stopping",
)
TEXT_COLUMN = typer.Option(
    "text",
    "--text-column",
    help="Column or field of CSV, Parquet and JSON that holds the texts",
    rich_help_panel="Input",
)
PROCESSES = typer.Option(0, "--processes", help="Number of processes; 0 uses all cores", min=0)
ENGINE = typer.Option(
    "local", "--engine", help="Run in processes on this machine (local), or on Ray"
)
ADDRESS = typer.Option(
    "local",
    "--address",
    help="Address of the Ray cluster; auto finds the one that this machine belongs to, local starts one on it",
)
GPU = typer.Option(
    -1,
    "--gpu-id",
    "-g",
    help="GPU ID, or -1 for the CPU; with --engine ray, any ID of 0 or more gives each task a GPU of its own",
    min=-1,
)


def as_place(text: str) -> Any:
    """A path, or for s3://, gs:// and az:// what behaves like one.

    Raises:
        typer.BadParameter: If the storage cannot be used.
    """
    if "://" not in text:
        return Path(text)
    from cloudpathlib import CloudPath
    from cloudpathlib.exceptions import CloudPathException

    try:
        return CloudPath(text)  # type: ignore[abstract]
    except (CloudPathException, ImportError) as error:
        raise typer.BadParameter(
            f"{text} cannot be used ({error}). Expected a path, or a place that begins with s3://, "
            'gs:// or az://, for which there is pip install "spacy-thematic[cloud]".'
        ) from error
