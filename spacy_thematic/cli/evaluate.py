"""`thematic evaluate`: a trained pipeline beside the bundled ones and baselines, on held-out
articles."""

from __future__ import annotations

from pathlib import Path

import typer

from spacy_thematic.cli.app import app
from spacy_thematic.cli.messages import count, msg

OURS = "thematic_embedder"


@app.command(
    "evaluate",
    short_help="Measure a trained pipeline beside the bundled ones, on held-out articles.",
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
        help="How to cluster: centred (k-means on vectors centred at the article's mean) or themes "
        "(as thematic_clusterer does). Scores of different protocols are not comparable",
    ),
    word_vectors: str = typer.Option(
        "",
        "--vectors",
        help="Pipeline whose word vectors the baseline mean-vectors uses, in place of the model's",
    ),
    bundled: bool = typer.Option(
        True,
        "--bundled/--no-bundled",
        help="Compare with the bundled models of the language, or do not; en_thematic_lg is "
        "compared on at most 20,000 sentences",
    ),
    min_sections: int = typer.Option(
        5, min=1, help="Fewest sections of an article, where DATA is a source of articles"
    ),
    seed: int = typer.Option(0, min=0, help="Random seed"),
):
    """
    Measure the thematic-distance accuracy of a trained pipeline and the agreement of its clusters
    with the sections of articles, beside the bundled models, mean word vectors and random vectors.

    The last line says which model to use, or that there are too few articles to tell. The file has
    all scores.
    """
    from collections import Counter

    from spacy_thematic.cli.comparison import (
        NAMES,
        choose_bundled,
        make_baselines,
        reads_otherwise,
        show_dropped,
        show_table,
        show_verdict,
    )
    from spacy_thematic.cli.outputs import claim_outputs
    from spacy_thematic.cli.shell import clear_errors, reading_bar
    from spacy_thematic.evaluation.comparison import Comparison
    from spacy_thematic.evaluation.encoders import pipeline_encoder
    from spacy_thematic.evaluation.evaluate import evaluate_encoders
    from spacy_thematic.evaluation.heldout import load_heldout
    from spacy_thematic.evaluation.protocols import find_protocol
    from spacy_thematic.files import write_json
    from spacy_thematic.pipeline.loading import load_pipeline
    from spacy_thematic.pretrained import BUNDLED
    from spacy_thematic.triplets.back_matter import is_other_language
    from spacy_thematic.triplets.docbin import SENTENCES, get_lang
    from spacy_thematic.triplets.reasons import describe_dropped
    from spacy_thematic.triplets.rules import CorpusSettings

    with clear_errors() as held:
        held.enter_context(claim_outputs([model, data, word_vectors], files=[output]))
        protocol = find_protocol(protocol_name)
        nlp = load_pipeline(model)
        ours = pipeline_encoder(nlp)
        baselines = make_baselines(nlp.vocab, word_vectors, seed)
        settings = CorpusSettings(seed=seed, min_sections=min_sections)
        counts: Counter[str] = Counter()
        with reading_bar() as (log, on_article):
            triplet_docs, clustering_docs = load_heldout(
                data,
                nlp,
                settings,
                log=log,
                on_article=on_article,
                counts=counts,
            )
        if not triplet_docs and not clustering_docs:
            dropped = "; ".join(describe_dropped(counts, min_sections, log.skipped))
            raise ValueError(
                f"{data} holds no article to measure on ({dropped or 'nor any other'})."
            )
        lang = nlp.vocab.lang
        for said in sorted(set(map(get_lang, [*triplet_docs, *clustering_docs]))):
            if is_other_language(lang, said):
                msg.warn(
                    f'{data} is in "{said}", and {model} is for "{lang}": its scores say little'
                )
        if reads_otherwise([*triplet_docs, *clustering_docs], nlp):
            msg.warn(
                f"{data} does not read like English, which {model} is for: its scores say little"
            )
        n_sentences = sum(len(doc.spans[SENTENCES]) for doc in [*triplet_docs, *clustering_docs])
        others, left_out = (
            choose_bundled(model, nlp.lang or "xx", n_sentences) if bundled else ([], [])
        )
        encoders = {name: pipeline_encoder(load_pipeline(name)) for name in others}
        found = evaluate_encoders(
            {OURS: ours, **encoders, **baselines},
            triplet_docs,
            clustering_docs,
            protocol,
            seed=seed,
        )
        comparison = Comparison(
            found.results, OURS, others, list(baselines), names={OURS: model, **NAMES}
        )
        verdict = comparison.judge()
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
    show_dropped(log, counts, min_sections)
    sizes = found.summary["data"]
    msg.text(
        f"{count(sizes['triplets'], 'triplet')} of {count(sizes['articles'], 'article')}; "
        f"clustering of {count(sizes['clustering_articles'], 'article')}"
    )
    if not clustering_docs:
        msg.warn(
            f"Nothing was clustered: {data} holds triplets alone, or no article of {min_sections} "
            "to 12 sections with three sentences each"
        )
    msg.text(protocol.describe())
    show_table(comparison)
    if model not in BUNDLED:
        msg.text(f"On articles that it was trained on or adapted to, {model} scores too high")
    for name in left_out:
        msg.text(
            f"{name} is not in the table: it would take minutes for {n_sentences:,} sentences. "
            f'Measure it with "python -m spacy thematic evaluate {name} {data}"'
        )
    msg.text(f"All measures are in {output}")
    show_verdict(verdict)
