"""`thematic evaluate`: a trained pipeline beside the bundled ones and baselines, on held-out
articles."""

from __future__ import annotations

from pathlib import Path

import typer

from spacy_thematic.cli.app import MODELS, command
from spacy_thematic.cli.outputs import claim_outputs
from spacy_thematic.cli.shell import SEED, clear_errors, count, msg, reading_bar


@command(
    MODELS,
    "evaluate adapted wiki.jsonl",
    short_help="Measure a trained pipeline on held-out articles.",
)
def evaluate_cli(
    model: str = typer.Argument(..., help="Trained pipeline, or a bundled model"),
    data: Path = typer.Argument(
        ..., help="Articles: a folder that the corpus command made, or any source that it can read"
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
        help="File (such as GloVe) or pipeline with the word vectors to average; default: those of the model",
    ),
    bundled: bool = typer.Option(
        True,
        "--bundled/--no-bundled",
        help="Compare with the bundled models of the language. en_thematic_lg is slow, so it is left "
        "out if there are more than 20,000 sentences",
    ),
    min_sections: int = typer.Option(
        5, min=1, help="Minimum number of sections of an article. Has no effect on a corpus folder"
    ),
    seed: int = SEED,
):
    """
    Measure a trained pipeline on articles, and compare it with the bundled models.

    Accuracy is how often a sentence is closer to one of its own section than to one of the next
    section. AMI says how well clusters of sentences agree with the sections: 1 is perfect, 0 is
    chance. The table also has mean word vectors and random vectors. The last line says which model
    to use, or that there are too few articles to tell. The output file has all scores.
    """
    from spacy_thematic.cli.comparison import show_dropped, show_table, show_verdict
    from spacy_thematic.evaluation.evaluate import DESCRIPTION, evaluate
    from spacy_thematic.files import write_json
    from spacy_thematic.pretrained import BUNDLED

    with clear_errors() as held:
        held.enter_context(claim_outputs([model, data, word_vectors], files=[output]))
        with reading_bar() as (log, on_article):
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
        write_json(
            output,
            {
                "model": model,
                "articles": str(data),
                "seed": seed,
                **found.summary,
                "verdict": " ".join([*verdict.faults, verdict.advice]),
            },
        )
    for warning in found.warnings:
        msg.warn(warning)
    show_dropped(log, found.counts, min_sections)
    sizes = found.summary["data"]
    msg.text(
        f"{count(sizes['triplets'], 'triplet')} of {count(sizes['articles'], 'article')}; "
        f"clustering of {count(sizes['clustering_articles'], 'article')}"
    )
    if not sizes["clustering_articles"]:
        msg.warn(
            f"Nothing was clustered: {data} holds triplets alone, or no article of {min_sections} "
            "to 12 sections with three sentences each"
        )
    msg.text(DESCRIPTION)
    show_table(found.comparison)
    if model not in BUNDLED:
        msg.text(f"On articles that it was trained on or adapted to, {model} scores too high")
    for name in found.left_out:
        msg.text(
            f"{name} is not in the table: it would take minutes for {found.n_sentences:,} "
            f'sentences. Measure it with "python -m spacy thematic evaluate {name} {data}"'
        )
    msg.text(f"All measures are in {output}")
    show_verdict(verdict)
