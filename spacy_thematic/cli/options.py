"""Options that several commands have."""

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
    help="Address of the Ray cluster; auto finds the one that this machine belongs to, local starts one on this machine",
)
GPU = typer.Option(
    -1,
    "--gpu-id",
    "-g",
    help="GPU ID, or -1 for the CPU",
    min=-1,
)
