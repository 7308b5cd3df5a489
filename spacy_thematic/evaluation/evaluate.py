"""All measures of all encoders on one set of held-out articles."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from spacy_thematic import measures
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.checks import check_whole
from spacy_thematic.clustering.kmeans import kmeans
from spacy_thematic.evaluation.comparison import Comparison, Measured
from spacy_thematic.evaluation.encoders import (
    NAMES,
    SpanEncoder,
    choose_bundled,
    make_baselines,
    pipeline_encoder,
    reads_otherwise,
)
from spacy_thematic.evaluation.results import AMI, Records, Results
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pretrained.paths import check_model_name
from spacy_thematic.progress import show_bar
from spacy_thematic.triplets import article_docs, docbin
from spacy_thematic.triplets.corpus_builder import CLUSTERING, STATISTICS
from spacy_thematic.triplets.reasons import NOT_CLUSTERED, describe_dropped
from spacy_thematic.triplets.rules import CorpusSettings, apply_rules, is_other_language

OURS = "thematic_embedder"
"""The row of the model that is evaluated."""

ALGORITHM = "kmeans"
CENTRED: dict[str, Any] = {
    "name": "centred",
    "metrics": list(measures.METRICS),
    "algorithms": [ALGORITHM],
    "centred": True,
    "n_clusters": "sections",
    "ami": "ami",
}
"""The protocol by which the encoders of this package are trained and compared, as JSON has it."""

DESCRIPTION = (
    f'Protocol "centred": thematic distance by {" and ".join(measures.METRICS)}; clustering by '
    "k-means, all sentences, vectors centred at the article's mean, into as many clusters as the "
    "article has sections; compared by AMI (over the arithmetic mean of the entropies)."
)


@dataclass(frozen=True, kw_only=True)
class ModelEvaluation(Measured):
    """What a model scored, beside those that could be used in its place.

    Attributes:
        summary: {"protocol": its settings, "data": sizes, "models": {encoder: {"thematic_accuracy",
            "thematic_accuracy_l1", "thematic_spread", "clustering": {algorithm: {measure: mean over
            articles}}, "intervals": of 95 per cent, for the accuracies and AMI}}}. A measure
            without data is None.
    """

    summary: dict[str, Any]


def evaluate(
    model: str,
    articles: str | Path,
    *,
    word_vectors: str = "",
    bundled: bool = True,
    min_sections: int = 5,
    seed: int = 0,
    progress: bool = True,
    log: ReadLog | None = None,
    on_article: Callable[[], None] = lambda: None,
) -> ModelEvaluation:
    """Measure how well a model tells the sections of articles apart, and compare it with the
    bundled models, mean word vectors and chance.

    Args:
        model: A trained pipeline, or a bundled model.
        articles: A corpus folder, whose test split is used, or a source of articles.
        word_vectors: A table of word vectors, or a pipeline that has some, to take the mean of;
            "": the model's own.
        bundled: Whether to measure the bundled models of the language too.
        min_sections: That an article of a source needs.
        seed: Of clustering, of random vectors and of negatives.
        progress: Whether to show a progress bar.
        log: Counts what is read.
        on_article: Called for each article that is read.

    Raises:
        ValueError: If there is no such model, no article to measure on, or `min_sections` or `seed`
            is out of its range.
        TypeError: If the model is no name.
    """
    model = check_model_name(model)
    check_whole("min_sections", min_sections, 1)
    check_whole("seed", seed, 0)
    path, log, counts = Path(articles), log or ReadLog(), Counter[str]()
    nlp = load_pipeline(model)
    encoders = {OURS: pipeline_encoder(nlp)}
    baselines = make_baselines(nlp.vocab, word_vectors, seed)
    settings = CorpusSettings(seed=seed, min_sections=min_sections)
    triplet_docs, clustering_docs = load_heldout(
        path, nlp, settings, log=log, on_article=on_article, counts=counts
    )
    docs = [*triplet_docs, *clustering_docs]
    if not docs:
        dropped = "; ".join(describe_dropped(counts, min_sections, log.skipped))
        raise ValueError(f"{path} holds no article to measure on ({dropped or 'nor any other'}).")
    n_sentences = sum(len(doc.spans[docbin.SENTENCES]) for doc in docs)
    others, left_out = choose_bundled(model, nlp.lang or "xx", n_sentences) if bundled else ([], [])
    encoders |= {name: pipeline_encoder(load_pipeline(name)) for name in others}
    encoders |= baselines
    summary, results = evaluate_encoders(
        encoders, triplet_docs, clustering_docs, seed=seed, progress=progress
    )
    return ModelEvaluation(
        summary=summary,
        comparison=Comparison(results, OURS, others, list(baselines), names={OURS: model, **NAMES}),
        warnings=list(_doubt_language(path, model, nlp, docs)),
        left_out=left_out,
        n_sentences=n_sentences,
        counts=counts,
    )


def load_heldout(
    path: Path,
    nlp: Language,
    settings: CorpusSettings,
    *,
    log: ReadLog,
    on_article: Callable[[], None] = lambda: None,
    counts: Counter[str] | None = None,
) -> tuple[list[Doc], list[Doc]]:
    """Read or make held-out articles: the Docs with triplets, and those of the clustering
    benchmark. The path is a corpus folder (its test split and its benchmark), other shards
    (triplets only), or a source of articles, all of which are used, split by the tokenizer and the
    language of `nlp`. `counts` receives how many of these were dropped for each reason. Raises
    ValueError if a corpus has no test split."""
    counts = Counter() if counts is None else counts
    parts = path / "test", path / CLUSTERING
    if any(map(_has_shards, parts)):
        test, clustered = (
            list(docbin.read_shards(part, nlp.vocab)) if part.is_dir() else [] for part in parts
        )
        return test, clustered
    if (path / STATISTICS).is_file() and _has_shards(path / "train"):
        raise ValueError(
            f"The corpus {path} has no test articles: build it with other --shares, or name its "
            f"{path / 'dev'}."
        )
    if _has_shards(path):
        return list(docbin.read_shards(path, nlp.vocab)), []
    settings = replace(settings, lang=nlp.meta["lang"])
    splitter = article_docs.make_sentence_splitter(settings, nlp.vocab)
    triplets: list[Doc] = []
    clustering: list[Doc] = []
    articles = (apply_rules(article, settings) for article in read_articles(path, log=log))
    while block := list(islice(articles, settings.shard_size)):
        made = article_docs.make_triplet_docs(block, splitter, settings, counts)
        triplets += [doc for doc in made if doc is not None]
        for article in block:
            on_article()
            doc = article_docs.make_clustering_doc(article, splitter, settings.min_sections)
            if doc is None:
                counts[NOT_CLUSTERED] += 1
            else:
                clustering.append(doc)
    return triplets, clustering


def _has_shards(path: Path) -> bool:
    return path.suffix == ".spacy" or any(path.glob("*.spacy"))


def _doubt_language(path: Path, model: str, nlp: Language, docs: Sequence[Doc]) -> Iterator[str]:
    for said in sorted(set(map(docbin.get_lang, docs))):
        if is_other_language(nlp.vocab.lang, said):
            yield (
                f'{path} is in "{said}", and {model} is for "{nlp.vocab.lang}": its scores say '
                "little"
            )
    if reads_otherwise(docs, nlp):
        yield f"{path} does not read like English, which {model} is for: its scores say little"


def evaluate_encoders(
    encoders: Mapping[str, SpanEncoder],
    triplet_docs: Sequence[Doc],
    clustering_docs: Sequence[Doc],
    *,
    seed: int = 0,
    progress: bool = True,
) -> tuple[dict[str, Any], Results]:
    """Measure thematic accuracy on articles with triplets, and the agreement of clusters with the
    sections of articles of the clustering benchmark, of each encoder by its name."""
    models: dict[str, dict[str, Any]] = {}
    ordered: dict[str, list[dict[str, int]]] = {}
    clustered: dict[str, Records] = {}
    with show_bar(total=2 * len(encoders), desc="Evaluating", is_shown=progress) as bar:
        for name, encoder in encoders.items():
            ordered[name] = []
            models[name] = measures.score_triplets(
                (_encode_triplets(doc, encoder) for doc in triplet_docs), ordered[name].append
            )
            bar.update()
            clustered[name] = [
                score_article(
                    encoder(doc, list(doc.spans[docbin.SENTENCES])), docbin.get_sections(doc), seed
                )
                for doc in clustering_docs
            ]
            models[name]["clustering"] = {ALGORITHM: measures.mean_agreement(clustered[name])}
            bar.update()
    results = Results(ordered, clustered)
    for name, values in models.items():
        found = {measure: results.estimate(name, measure) for measure in (*measures.METRICS, AMI)}
        intervals = {measure: e and list(e.interval) for measure, e in found.items()}
        values["intervals"] = {
            **{title: intervals[metric] for metric, title in measures.METRICS.items()},
            "clustering": {ALGORITHM: {AMI: intervals[AMI]}},
        }
    summary = {
        "protocol": CENTRED,
        "data": {
            "articles": len(triplet_docs),
            "triplets": sum(len(docbin.get_triplets(doc)) for doc in triplet_docs),
            "clustering_articles": len(clustering_docs),
        },
        "models": models,
    }
    return summary, results


def _encode_triplets(doc: Doc, encoder: SpanEncoder) -> tuple[np.ndarray, np.ndarray]:
    rows, triplets = docbin.read_article(doc)
    return encoder(doc, rows), triplets


def score_article(vectors: np.ndarray, sections: Sequence[int], seed: int = 0) -> dict[str, float]:
    """Cluster the sentences of one article, by their vectors, (n, width), and compare the clusters
    with its sections, (n,), by `clustering_agreement`."""
    return measures.clustering_agreement(kmeans(vectors, len(set(sections)), seed), sections)
