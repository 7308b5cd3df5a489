"""`thematic adapt`: a bundled model for one's own documents."""

from __future__ import annotations

from pathlib import Path

import typer

from spacy_thematic.cli.app import MODELS, command
from spacy_thematic.cli.outputs import claim_outputs
from spacy_thematic.cli.shell import SEED, SKIP_BAD, clear_errors, msg, reading_bar


@command(MODELS, "adapt wiki/ --output adapted")
def adapt_cli(
    articles: str = typer.Argument(
        ...,
        help="Documents with headings: a folder of Markdown or HTML files, a JSONL file, a MediaWiki dump, or another source that the corpus command can read",
    ),
    output: Path = typer.Option(..., "--output", "-o", help="Folder for the adapted pipeline"),
    start: str = typer.Option(
        "en_thematic_md",
        "--from",
        help="Model to start from: the name of a bundled model, a model file or a pipeline",
    ),
    lang: str = typer.Option(
        "",
        help="spaCy's code for the language of the documents, such as de; default: the language that a dump states or, for other sources, the language of the model",
    ),
    limit: int = typer.Option(0, min=0, help="Read only this many documents; 0 reads all"),
    skip_bad: bool = SKIP_BAD,
    word_vectors: str = typer.Option(
        "",
        "--vectors",
        help="File (such as GloVe) or pipeline with word vectors; adds a row for the mean word vectors to the table",
    ),
    bundled: bool = typer.Option(
        True,
        "--bundled/--no-bundled",
        help="Also compare the result with the other bundled models. en_thematic_lg is slow, so it is "
        "left out if there are more than 20,000 sentences",
    ),
    seed: int = SEED,
):
    """
    Adapt a model to your own documents, in minutes.

    The command learns a linear map of the model's vectors from the sections of the documents, and
    tests by cross-validation whether the map helps. If it does not, the model is saved unchanged.
    """
    from spacy_thematic.cli.comparison import show_dropped, show_table, show_verdict
    from spacy_thematic.evaluation.adapt import adapt
    from spacy_thematic.files import check_is_replaceable, write_folder
    from spacy_thematic.packages import resolve_path
    from spacy_thematic.triplets.reasons import MIN_SECTIONS

    with clear_errors() as held:
        check_is_replaceable(output, "meta.json", "a pipeline")
        source = resolve_path(articles)
        held.enter_context(claim_outputs([source, start, word_vectors], folders=[output]))
        with reading_bar("Reading documents") as (log, on_article):
            found = adapt(
                articles,
                start=start,
                lang=lang,
                limit=limit,
                skip_bad=skip_bad,
                word_vectors=word_vectors,
                bundled=bundled,
                seed=seed,
                log=log,
                on_article=on_article,
            )
        write_folder(output, found.nlp.to_disk)
    if found.n_read > found.n_drawn:
        msg.info(
            f"Used {found.n_drawn:,} of the {found.n_read:,} documents, drawn at random. With so many "
            'documents, you can also train your own model: "python -m spacy thematic train"'
        )
    msg.text(f"{found.n_documents:,} of {found.n_drawn:,} documents have sections to compare")
    show_dropped(log, found.counts, MIN_SECTIONS)
    for warning in found.warnings:
        msg.warn(warning)
    msg.text("On held-out documents:")
    show_table(found.comparison)
    for name in found.left_out:
        msg.text(
            f"{name} is not in the table: it would take minutes for {found.n_sentences:,} "
            f"sentences. --from {name} compares it, and so does --limit with fewer documents"
        )
    if found.is_changed:
        msg.text(
            f"Saved {output}: it scores higher than {start} on held-out documents, by more than a "
            "standard error"
        )
    else:
        learned = found.tried.make_table()[0].items()
        scored = ", ".join(f"{name} {value}" for name, value in learned if name)
        msg.text(f"What was learned scored: {scored}")
        msg.info(f"That is not clearly better than {start}, so nothing changed")
        msg.text(f"Saved {start} as it is to {output}")
    show_verdict(found.comparison.judge())
