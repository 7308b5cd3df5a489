"""`thematic evaluate` and `thematic adapt`: a model beside others and baselines, on held-out
articles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from spacy_thematic.cli import shell
from spacy_thematic.cli.app import MODELS, command
from spacy_thematic.cli.shell import msg

if TYPE_CHECKING:
    from spacy_thematic.evaluation.comparison import Comparison, Verdict


@command(
    MODELS,
    "evaluate adapted wiki.jsonl",
    short_help="Measure how well a trained pipeline tells sections apart.",
)
def evaluate_cli(
    model: str = typer.Argument(..., help="Trained pipeline, or a bundled model"),
    data: Path = typer.Argument(
        ...,
        help="Articles: a folder that the corpus command made (the test articles in it are used), or any source that the corpus command can read",
    ),
    output: Path = typer.Option(
        Path("metrics.json"),
        "--output",
        "-o",
        help="File for the scores",
    ),
    word_vectors: str = typer.Option(
        "",
        "--vectors",
        help="File (such as GloVe) or pipeline with word vectors. The table also scores a simple baseline, in which the vector of a sentence is the mean of its word vectors. Default: the word vectors of the model, if it has any",
    ),
    bundled: bool = typer.Option(
        True,
        "--bundled/--no-bundled",
        help="Compare with the bundled models for the language of the pipeline. en_thematic_lg is "
        "slow, so it is left out if there are more than 20,000 sentences",
    ),
    min_sections: int = typer.Option(
        5,
        min=1,
        help="Leave out articles with fewer sections than this. Has no effect on a corpus folder",
    ),
    seed: int = shell.SEED,
):
    """
    Measure how well a trained pipeline tells the sections of articles apart, and compare it with
    the bundled models.

    Accuracy is how often a sentence is closer to another sentence from its own section than to a
    sentence from an adjacent section. AMI (adjusted mutual information) says how well clusters of
    sentences agree with the sections: 1 is perfect, 0 is chance. The command prints a
    table, which also has the scores of mean word vectors and of random vectors. The last line of
    the output says which model to use, or that there are too few articles to tell. The output file
    has all scores.
    """
    from spacy_thematic.evaluation.evaluate import DESCRIPTION, evaluate
    from spacy_thematic.files import write_json
    from spacy_thematic.pretrained import BUNDLED

    with shell.clear_errors() as held:
        held.enter_context(shell.claim_outputs([model, data, word_vectors], files=[output]))
        with shell.reading_bar() as (log, on_article):
            found = evaluate(
                model,
                data,
                word_vectors=word_vectors,
                bundled=bundled,
                min_sections=min_sections,
                seed=seed,
                log=log,
                on_article=on_article,
            )
        verdict = found.comparison.judge()
        of_what = {"model": model, "articles": str(data), "seed": seed}
        said = " ".join([*verdict.faults, verdict.advice])
        write_json(output, {**of_what, **found.summary, "verdict": said})
    for warning in found.warnings:
        msg.warn(warning)
    shell.show_dropped(log, found.counts, min_sections)
    sizes = found.summary["data"]
    msg.text(
        f"{shell.count(sizes['triplets'], 'triplet')} of {shell.count(sizes['articles'], 'article')}; "
        f"clustering of {shell.count(sizes['clustering_articles'], 'article')}"
    )
    if not sizes["clustering_articles"]:
        msg.warn(
            f"Nothing was clustered: {data} holds triplets alone, or no article of {min_sections} "
            "to 12 sections with three sentences each"
        )
    msg.text(DESCRIPTION)
    _show_table(found.comparison)
    if model not in BUNDLED:
        msg.text(f"On articles that it was trained on or adapted to, {model} scores too high")
    for name in found.left_out:
        msg.text(
            f"{name} is not in the table: it would take minutes for {found.n_sentences:,} "
            f'sentences. Measure it with "python -m spacy thematic evaluate {name} {data}"'
        )
    msg.text(f"All measures are in {output}")
    _show_verdict(verdict)


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
    skip_bad: bool = shell.SKIP_BAD,
    word_vectors: str = typer.Option(
        "",
        "--vectors",
        help="File (such as GloVe) or pipeline with word vectors. With this option, the table also scores a simple baseline, in which the vector of a sentence is the mean of its word vectors",
    ),
    bundled: bool = typer.Option(
        True,
        "--bundled/--no-bundled",
        help="Also compare the result with the other bundled models. en_thematic_lg is slow, so it is "
        "left out if there are more than 20,000 sentences",
    ),
    seed: int = shell.SEED,
):
    """
    Adapt a model to your own documents, in minutes.

    From the sections of the documents, the command learns a linear map of the model's vectors, and
    tests by cross-validation whether the map helps. If it does not, the model is saved unchanged. The
    command prints a table that compares the adapted model with others.
    """
    from spacy_thematic.evaluation.adapt import adapt
    from spacy_thematic.files import check_is_replaceable, write_folder
    from spacy_thematic.packages import resolve_path
    from spacy_thematic.triplets.reasons import MIN_SECTIONS

    with shell.clear_errors() as held:
        check_is_replaceable(output, "meta.json", "a pipeline")
        source = resolve_path(articles)
        held.enter_context(shell.claim_outputs([source, start, word_vectors], folders=[output]))
        with shell.reading_bar("Reading documents") as (log, on_article):
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
    shell.show_dropped(log, found.counts, MIN_SECTIONS)
    for warning in found.warnings:
        msg.warn(warning)
    msg.text("On held-out documents:")
    _show_table(found.comparison)
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
    _show_verdict(found.comparison.judge())


def _show_table(comparison: Comparison) -> None:
    """Print the scores of all rows, with intervals."""
    from spacy_thematic.evaluation.encoders import MEAN_VECTORS
    from spacy_thematic.pretrained.paths import SLOW

    lines = comparison.make_table()
    msg.table([tuple(line.values()) for line in lines], header=tuple(lines[0]))
    msg.text(
        "In brackets: 95 per cent intervals. Two models are compared by their difference on each "
        "document, so one can be better even if their intervals overlap"
    )
    if comparison.others:
        msg.text(
            "The bundled models learned from Wikipedia and other public text: their scores on "
            "articles that they have read are too high"
        )
    for name in SLOW.intersection(comparison.others):
        msg.text(f"{name} takes about seven times as long as en_thematic_md")
    if MEAN_VECTORS not in comparison.baselines:
        msg.text("For a row of mean vectors, name a pipeline with word vectors: --vectors")


def _show_verdict(verdict: Verdict) -> None:
    """Print what to use, with a tick only if the model is shown to be better."""
    for fault in verdict.faults:
        msg.warn(fault)
    getattr(msg, verdict.level)(verdict.advice)
