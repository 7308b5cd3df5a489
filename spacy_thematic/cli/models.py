"""`thematic export` and `thematic verify`: the encoder of a trained pipeline as one small file, and
whether the bundled ones are what was released."""

from __future__ import annotations

from pathlib import Path

import typer

from spacy_thematic.cli.app import MODELS, command
from spacy_thematic.cli.shell import claim_outputs, clear_errors, msg


@command(MODELS, "export adapted adapted.safetensors")
def export_cli(
    model: str = typer.Argument(..., help="Trained pipeline"),
    output: Path = typer.Argument(
        ..., help="File to write; if its name does not end in .safetensors, that is added"
    ),
    int8: bool = typer.Option(
        False, "--int8", help="Store the other weights with 8 bits per number as well"
    ),
):
    """
    Write the encoder of a trained pipeline to one small file.

    Word vectors are stored with 8 bits per number, other weights with 16. The file loads anywhere:
    nlp.add_pipe("thematic_embedder", config={"pretrained": FILE}).
    """
    from spacy_thematic.pipeline.loading import export_encoder, load_pipeline
    from spacy_thematic.pretrained.paths import SUFFIX

    with clear_errors() as held:
        if output.name in ("", ".."):
            raise ValueError(f"{output} is a folder: give the name of a file.")
        path = output if output.suffix == SUFFIX else output.with_name(output.name + SUFFIX)
        held.enter_context(claim_outputs([model], files=[path]))
        change = export_encoder(load_pipeline(model), path, int8=int8)
        size = path.stat().st_size / 1e6
    msg.good(
        f"Saved {path}: {size:.1f} MB; rounding changes the cosine of two sentences by at most "
        f"{change:.4f}"
    )


@command(MODELS, "verify", short_help="Check the bundled models, and show what they learned from.")
def verify_cli():
    """
    Check the SHA-256 of the bundled models, and show what they learned from.

    If a file is missing or changed, the exit status is 1.
    """
    from spacy_thematic.pretrained.manifest import digest, read_manifest

    is_bad = False
    for name, entry in read_manifest().items():
        found = digest(name)
        if found == entry["sha256"]:
            msg.good(f"{name}: {found}")
        else:
            is_bad = True
            msg.fail(f"{name}: {found or 'missing'}, expected {entry['sha256']}")
        for source in entry["sources"]:
            msg.text(f"  {source}")
    if is_bad:
        msg.fail("The package is not the one that was released: install it again.", exits=1)
