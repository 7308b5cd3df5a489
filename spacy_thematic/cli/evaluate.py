"""`thematic evaluate`: a trained pipeline beside baselines, on held-out articles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from wasabi import msg

from spacy_thematic.cli.app import app

if TYPE_CHECKING:
    from spacy_thematic.evaluation.protocols import EvaluationProtocol


@app.command(
    "evaluate", short_help="Measure a trained pipeline beside baselines, on held-out articles."
)
def evaluate_cli(
    model: str = typer.Argument(..., help="Trained pipeline, or a bundled model"),
    data: Path = typer.Argument(
        ..., help="Corpus folder, or a source of articles, all of which are used"
    ),
    output: Path = typer.Option(Path("metrics.json"), "--output", "-o", help="File for the scores"),
    protocol_name: str = typer.Option(
        "centred",
        "--protocol",
        help="How to cluster: centred (k-means on vectors centred at the article's mean), paper (as "
        "in the paper's tables), or themes (as thematic_clusterer does). Scores of different "
        "protocols are not comparable",
    ),
    word_vectors: str = typer.Option(
        "",
        "--vectors",
        help="Pipeline whose word vectors the mean-vectors baseline takes, if not the model's own",
    ),
    min_sections: int = typer.Option(
        5, min=1, help="Sections that an article needs, where DATA is a source of articles"
    ),
    seed: int = typer.Option(
        0, help="Seed of clustering, of the random baseline, and of negatives"
    ),
):
    """
    Measure the thematic-distance accuracy of a trained pipeline and the agreement of its clusters
    with the sections of articles, beside mean word vectors and random vectors.
    """
    from spacy_thematic.cli.shell import (
        check_output_file,
        clear_errors,
        reading_bar,
    )
    from spacy_thematic.evaluation.baselines.random_vectors import random_vectors
    from spacy_thematic.evaluation.baselines.word_vectors import mean_vectors
    from spacy_thematic.evaluation.encoders import pipeline_encoder
    from spacy_thematic.evaluation.evaluate import evaluate_encoders
    from spacy_thematic.evaluation.heldout import load_heldout
    from spacy_thematic.evaluation.protocols import find_protocol
    from spacy_thematic.files import write_json
    from spacy_thematic.pipeline.loading import load_pipeline
    from spacy_thematic.triplets.rules import CorpusSettings

    with clear_errors():
        check_output_file(output)
        protocol = find_protocol(protocol_name)
        nlp = load_pipeline(model)
        compared = {"thematic_embedder": pipeline_encoder(nlp)}
        vocab = load_pipeline(word_vectors).vocab if word_vectors else nlp.vocab
        if vocab.vectors.shape[0]:
            compared["mean_vectors"] = mean_vectors(vocab)
        elif word_vectors:
            raise ValueError(f'The pipeline "{word_vectors}" has no word vectors.')
        else:
            msg.warn(
                "No mean-vectors baseline: the pipeline has no word vectors. Name one that has "
                "with --vectors."
            )
        compared["random"] = random_vectors(seed)
        settings = CorpusSettings(seed=seed, min_sections=min_sections)
        with reading_bar() as (log, on_article):
            triplet_docs, clustering_docs = load_heldout(
                data,
                nlp,
                settings,
                log=log,
                on_article=on_article,
                short_sentences=protocol.short_sentences,
            )
        if not triplet_docs and not clustering_docs:
            raise ValueError(f"{data} holds no article that qualifies; try a lower --min-sections.")
        scores = evaluate_encoders(compared, triplet_docs, clustering_docs, protocol, seed=seed)
        write_json(output, {"model": model, "articles": str(data), "seed": seed, **scores})
    _print_scores(scores, protocol)
    msg.good(f"Saved {output}")


def _print_scores(scores: dict[str, Any], protocol: EvaluationProtocol) -> None:
    from spacy_thematic.evaluation.protocols import ALGORITHMS
    from spacy_thematic.measures import AGREEMENTS, METRICS

    sizes = scores["data"]
    msg.text(
        f"{sizes['triplets']:,} triplets of {sizes['articles']:,} articles; "
        f"clustering of {sizes['clustering_articles']:,} articles"
    )
    msg.text(protocol.describe())
    shown = {AGREEMENTS[key]: key for key in ("mi", protocol.ami, "ri", "ari")}
    rows = [
        (
            name,
            *(_format(values[METRICS[metric]]) for metric in protocol.metrics),
            ALGORITHMS[algorithm],
            *(_format(found[key]) for key in shown.values()),
        )
        for name, values in scores["models"].items()
        for algorithm, found in values["clustering"].items()
    ]
    header = ("", *(f"accuracy ({metric})" for metric in protocol.metrics), "clustering", *shown)
    msg.table(rows, header=header, aligns=("l", *"rr", "l", *"rrrr"))


def _format(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
