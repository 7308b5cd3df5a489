"""`thematic join`: trained encoders side by side in one pipeline."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import typer

from spacy_thematic.cli.app import app
from spacy_thematic.cli.messages import msg


@app.command("join")
def join_cli(
    models: list[str] = typer.Argument(
        ...,
        help="Trained pipelines, bundled models or model files of one language, two or more",
    ),
    output: Path = typer.Option(..., "--output", "-o", help="Folder for the joined pipeline"),
    scale: Literal["unit", "none"] = typer.Option(
        "unit",
        help="unit scales the vectors of each encoder to length one, so that all count alike in a "
        "cosine; none joins them as they are",
    ),
):
    """
    Join the encoders of trained pipelines into one pipeline.

    The vector of a sentence is theirs side by side. The paper's sen-titles joins an encoder trained
    on sentences and one trained on titles.
    """
    from spacy_thematic.cli.outputs import claim_outputs
    from spacy_thematic.cli.shell import clear_errors
    from spacy_thematic.files import write_folder
    from spacy_thematic.pipeline.embedder import find_embedder
    from spacy_thematic.pipeline.joining import join_encoders
    from spacy_thematic.pipeline.loading import load_pipeline

    with clear_errors() as held:
        if len(models) < 2:
            raise ValueError(f"Expected two or more pipelines to join, found {len(models)}.")
        held.enter_context(claim_outputs(models, folders=[output]))
        names = [f"encoder{number}" for number in range(1, len(models) + 1)]
        pipelines = dict(zip(names, map(load_pipeline, models)))
        joined = join_encoders(pipelines, normalize=scale == "unit")
        write_folder(output, joined.to_disk)
    width = find_embedder(joined).model.get_dim("nO")
    msg.good(f"Saved {output}: the vectors of {len(models)} encoders, width {width}")
