"""`thematic train`, `thematic export` and `thematic verify`: the training loop, the encoder of a
trained pipeline as one small file, and whether the bundled ones are what was released."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from spacy_thematic.cli.app import MODELS, command
from spacy_thematic.cli.shell import claim_outputs, clear_errors, msg


@command(
    MODELS,
    "train config.cfg --output trained",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)
def train_cli(
    ctx: typer.Context,
    config: Path = typer.Argument(..., help="Config of the pipeline and its training"),
    output: Path = typer.Option(
        ..., "--output", "-o", help="Folder for model-best, model-last and the log"
    ),
    resume: bool = typer.Option(
        False, "--resume", help="Resume from the checkpoint in the output folder"
    ),
    code: str = typer.Option(
        "", "--code", "-c", help="Python file with objectives or layers that the config names"
    ),
    use_gpu: int = typer.Option(-1, "--gpu-id", "-g", help="GPU ID, or -1 for the CPU"),
):
    """
    Train a pipeline that has a thematic_embedder.

    The [objectives] block of the config sets the training objectives and their weights. Override
    settings on the command line: --training.max_steps 500, --paths.vectors glove.txt.
    """
    import spacy
    from spacy.cli._util import import_code, parse_config_overrides, show_validation_error

    from spacy_thematic.training.checkpoints import CHECKPOINT
    from spacy_thematic.training.runner import BEST, LAST
    from spacy_thematic.training.train import read_config, train

    with clear_errors() as held, show_validation_error(config, hint_fill=False):
        if code:
            sys.path.insert(0, str(Path(code).resolve().parent))
            import_code(code)
        settings = read_config(config, parse_config_overrides(ctx.args))
        named = [value for _, value in spacy.util.walk_dict(settings) if isinstance(value, str)]
        held.enter_context(
            claim_outputs(
                [config, *named], folders=[output / BEST, output / LAST], updates=[output]
            )
        )
        has_checkpoint = (output / CHECKPOINT).exists()
        if resume and not has_checkpoint:
            msg.info(f"No checkpoint in {output}, so training starts from the beginning")
        elif has_checkpoint and not resume:
            msg.warn(
                f"Training starts from the beginning, and replaces what is in {output}. To go on "
                "from the checkpoint there, stop it and add --resume"
            )
        outcome = train(settings, output, resume=resume, use_gpu=use_gpu)
    progress = outcome.progress
    if progress.step and progress.step == outcome.first_step:
        msg.info(
            f"The run had ended after step {progress.step}, and no step was left: to train on, "
            "raise max_steps, max_epochs or patience"
        )
    elif not progress.best_step:
        msg.warn("No step scored better than the start: train longer, or change the settings")
    if outcome.interrupted:
        msg.warn(f"Interrupted after step {progress.step}; run it again with --resume to continue")
    msg.good(
        f"Saved {output / BEST} (step {progress.best_step}, score {progress.best_score:.4f}) and "
        f"{output / LAST} (step {progress.step})"
    )
    if outcome.interrupted:
        raise typer.Exit(130)


@command(MODELS, "export adapted adapted.safetensors")
def export_cli(
    model: str = typer.Argument(..., help="Trained pipeline"),
    output: Path = typer.Argument(
        ..., help="File to write; if its name does not end in .safetensors, this ending is added"
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


@command(MODELS, "verify", short_help="Check that the bundled models are unchanged.")
def verify_cli():
    """
    Check by SHA-256 that the bundled models are unchanged, and list what they were trained with.

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
