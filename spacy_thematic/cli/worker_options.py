"""Options of the commands whose work is divided among workers."""

import typer

PROCESSES = typer.Option(0, "--processes", help="Number of processes; 0 uses all cores", min=0)
ENGINE = typer.Option(
    "local", "--engine", help="Work in processes on this machine (local), or on Ray"
)
ADDRESS = typer.Option(
    "local",
    "--address",
    help="Address of the Ray cluster; auto finds the one that this machine belongs to, local starts one here",
)
GPU = typer.Option(
    -1,
    "--gpu-id",
    "-g",
    help="GPU ID, or -1 for the CPU; with --engine ray, any ID of 0 or more gives each task a GPU of its own",
    min=-1,
)
