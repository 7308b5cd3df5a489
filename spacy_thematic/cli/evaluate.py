"""`thematic evaluate`: a trained pipeline beside baselines, on held-out articles."""

from __future__ import annotations

from pathlib import Path

import typer
from wasabi import msg

from spacy_thematic.cli.app import app


@app.command("evaluate")
def evaluate_cli(
    model: str = typer.Argument(..., help="Trained pipeline, or a bundled model"),
    data: Path = typer.Argument(
        ..., help="Corpus folder, or a source of articles, all of which are used"
    ),
    output: Path = typer.Option(Path("metrics.json"), "--output", "-o", help="File for the scores"),
    vectors: str = typer.Option(
        "",
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
    Thematic-distance accuracy, and clustering against the sections (k-means, with the true number
    of clusters), of a trained pipeline, of mean word vectors and of random vectors.
    """
    from spacy_thematic.cli.shell import (
        check_output_file,
        clear_errors,
        reading_bar,
    )
    from spacy_thematic.clustering.kmeans import create_kmeans
    from spacy_thematic.evaluation.baselines.random_vectors import random_vectors
    from spacy_thematic.evaluation.baselines.word_vectors import mean_vectors
    from spacy_thematic.evaluation.encoders import thematic_embedder
    from spacy_thematic.evaluation.evaluate import evaluate_encoders
    from spacy_thematic.evaluation.heldout import load_heldout
    from spacy_thematic.files import write_json
    from spacy_thematic.pipeline.loading import load_pipeline
    from spacy_thematic.triplets.rules import CorpusSettings

    with clear_errors():
        check_output_file(output)
        nlp = load_pipeline(model)
        compared = {"thematic_embedder": thematic_embedder(nlp)}
        vocab = load_pipeline(vectors).vocab if vectors else nlp.vocab
        if vocab.vectors.shape[0]:
            compared["mean_vectors"] = mean_vectors(vocab)
        elif vectors:
            raise ValueError(f'The pipeline "{vectors}" has no word vectors.')
        else:
            msg.warn(
                "No mean-vectors baseline: the pipeline has no word vectors. Name one that has "
                "with --vectors."
            )
        compared["random"] = random_vectors(seed)
        settings = CorpusSettings(seed=seed, min_sections=min_sections)
        with reading_bar() as (log, on_article):
            triplet_docs, clustering_docs = load_heldout(
                data, nlp, settings, log=log, on_article=on_article
            )
        if not triplet_docs and not clustering_docs:
            raise ValueError(f"{data} holds no article that qualifies; try a lower --min-sections.")
        scores = evaluate_encoders(
            compared, triplet_docs, clustering_docs, {"kmeans": create_kmeans()}, seed=seed
        )
        write_json(output, {"model": model, "articles": str(data), "seed": seed, **scores})
    _print_scores(scores)
    msg.good(f"Saved {output}")


def _print_scores(scores: dict) -> None:
    sizes = scores["data"]
    msg.text(
        f"{sizes['triplets']:,} triplets of {sizes['articles']:,} articles; "
        f"clustering of {sizes['clustering_articles']:,} articles"
    )
    rows = [
        (
            name,
            _format(values["thematic_accuracy"]),
            _format(values["thematic_accuracy_l1"]),
            *(_format(values["clustering"]["kmeans"][key]) for key in ("mi", "ami", "ri", "ari")),
        )
        for name, values in scores["models"].items()
    ]
    header = ("", "accuracy (cosine)", "accuracy (L1)", "MI", "AMI", "RI", "ARI")
    msg.table(rows, header=header, aligns=("l", *"rrrrrr"))


def _format(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
