"""BERTopic beside `cluster_docs`: the themes of the sentences of ten articles at a time.

    python -m benchmarks.clustering_bertopic ARTICLES --cache FOLDER --minilm FOLDER
        [--articles 100] [--only NAME ...]

The arguments are those of `clustering.py`; `pip install bertopic`. Both get the same sentences and
vectors, `cluster_docs` in the order of the articles, and with those of each article shuffled. Both
give topics with keywords; each chooses the number of topics, or is told that there are ten.
BERTopic leaves sentences without a topic: once these count as one topic more, once it gives each to
the topic of the nearest vectors (`reduce_outliers`, "embeddings"). AMI with the articles and with
the sections that the sentences are from, with 95 per cent intervals by bootstrap over groups of
ten; processor seconds for 1,000 sentences, from vectors on.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from functools import partial

import numpy as np
from spacy.tokens import Doc

from benchmarks.clustering_documents import GROUP, attach, find_truths
from benchmarks.encoded_articles import Encoded, add_arguments, encode_all, read
from spacy_thematic import cluster_docs
from spacy_thematic.evaluation.markdown import render
from spacy_thematic.evaluation.significance import estimate_ratio
from spacy_thematic.measures import clustering_agreement
from spacy_thematic.span_keys import CLUSTERS_KEY
from spacy_thematic.triplets.docbin import SENTENCES

Finder = Callable[[list[Doc], np.ndarray], np.ndarray]
"""Docs with vectors, and the vectors, to the topic of each sentence, -1 for none."""


def find_themes(docs: list[Doc], vectors: np.ndarray, told: bool) -> np.ndarray:
    cluster_docs(docs, GROUP if told else "auto")
    return read_themes(docs)


def find_themes_in_no_order(docs: list[Doc], vectors: np.ndarray, told: bool) -> np.ndarray:
    """The sentences of each Doc have the vectors of others of it while they are clustered."""
    rng = np.random.default_rng(0)
    sizes = [len(doc._.thematic_vectors) for doc in docs]
    parts = np.split(vectors, np.cumsum(sizes)[:-1])
    order = [rng.permutation(size) for size in sizes]
    for doc, rows, own in zip(docs, parts, order):
        doc._.thematic_vectors = rows[own]
    cluster_docs(docs, GROUP if told else "auto", set_aside=False)
    for doc, rows in zip(docs, parts):
        doc._.thematic_vectors = rows
    found = np.split(read_themes(docs), np.cumsum(sizes)[:-1])
    return np.concatenate([labels[np.argsort(own)] for labels, own in zip(found, order)])


def read_themes(docs: list[Doc]) -> np.ndarray:
    # Themes have numbers from 1; 0 are the sentences that are set aside.
    return np.array([span.id - 1 for doc in docs for span in doc.spans[CLUSTERS_KEY]])


def find_topics(docs: list[Doc], vectors: np.ndarray, told: bool, reduce: bool) -> np.ndarray:
    from bertopic import BERTopic
    from umap import UMAP

    texts = [sentence.text for doc in docs for sentence in doc.spans[SENTENCES]]
    # BERTopic's own UMAP, with a seed.
    umap = UMAP(n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=0)
    # The sentences without a topic count as one of `nr_topics`.
    model = BERTopic(umap_model=umap, nr_topics=GROUP + 1 if told else None)
    topics, _ = model.fit_transform(texts, vectors)
    if reduce and -1 in topics and len(set(topics)) > 1:
        topics = model.reduce_outliers(texts, topics, strategy="embeddings", embeddings=vectors)
    return np.array(topics)


FINDERS: dict[str, Finder] = {
    "cluster_docs": partial(find_themes, told=False),
    "cluster_docs, in no order": partial(find_themes_in_no_order, told=False),
    "BERTopic": partial(find_topics, told=False, reduce=False),
    "BERTopic, all given a topic": partial(find_topics, told=False, reduce=True),
    "cluster_docs, ten told": partial(find_themes, told=True),
    "cluster_docs, in no order, ten told": partial(find_themes_in_no_order, told=True),
    "BERTopic, ten told": partial(find_topics, told=True, reduce=False),
    "BERTopic, ten told, all given a topic": partial(find_topics, told=True, reduce=True),
}


def measure(find: Finder, docs: list[Doc], articles: list[Encoded]) -> dict[str, float]:
    vectors = np.concatenate([one.vectors for one in articles])
    start = time.process_time()
    topics = find(docs, vectors)
    seconds = time.process_time() - start
    return {
        "topics": len(set(topics.tolist()) - {-1}),
        "without one": float((topics < 0).mean()),
        **{
            name: clustering_agreement(topics, truth)["ami"]
            for name, truth in find_truths(articles).items()
        },
        "seconds": 1000 * seconds / len(topics),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arguments(parser, articles=100)
    args = parser.parse_args()
    warnings.simplefilter("ignore")  # UMAP's, of its seed and of numba.
    docs = read(args)
    rows = []
    for encoder, articles in encode_all(args, docs).items():
        attached = [attach(doc, article) for doc, article in zip(docs, articles)]
        starts = range(0, len(docs) - GROUP + 1, GROUP)
        groups = [
            (attached[start : start + GROUP], articles[start : start + GROUP]) for start in starts
        ]
        for name, find in FINDERS.items():
            find(groups[0][0], np.concatenate([one.vectors for one in groups[0][1]]))  # Compiles.
            found = [measure(find, *group) for group in groups]
            column = {key: [one[key] for one in found] for key in found[0]}
            rows.append(
                {
                    "vectors": encoder,
                    "topics by": name,
                    "topics": f"{np.mean(column['topics']):.1f}",
                    "without one": f"{np.mean(column['without one']):.0%}",
                    "AMI, articles": str(estimate_ratio([column["article"]])),
                    "AMI, sections": str(estimate_ratio([column["section"]])),
                    "s for 1,000": f"{np.median(column['seconds']):.1f}",
                }
            )
    print(render(rows))


if __name__ == "__main__":
    main()
