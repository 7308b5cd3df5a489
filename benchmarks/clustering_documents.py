"""Themes across documents: the sentences of ten articles at a time, as if nobody knew where they
come from, clustered by article and by section.

    python -m benchmarks.clustering_documents ARTICLES --cache FOLDER [--articles 200]
        [--glove VECTORS.npz] [--minilm FOLDER] [--only NAME ...] [--labels NAME]

The arguments are those of `clustering.py`. By article: 10 clusters against the articles; by
section: as many clusters as the ten articles have sections, against these; "auto": the number that
`cluster_docs` chooses, at most 12, against the articles. Means over the groups of ten, with 95 per
cent intervals by bootstrap over groups. `--labels` prints, for the vectors of that encoder, what
`cluster_docs` with k = 10 calls the themes, and the article that most of their sentences are from.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter

import numpy as np
from spacy.tokens import Doc, SpanGroup

from benchmarks.encoded_articles import Encoded, add_arguments, encode_all, read
from spacy_thematic import cluster_docs
from spacy_thematic.clustering.kmeans import create_kmeans
from spacy_thematic.clustering.sampled import cluster_rows
from spacy_thematic.clustering.vectors import unit_rows
from spacy_thematic.evaluation.significance import estimate_ratio
from spacy_thematic.measures import clustering_agreement
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.span_keys import CLUSTERS_KEY, SENTENCES_KEY
from spacy_thematic.triplets.docbin import SENTENCES

GROUP = 10


def find_truths(articles: list[Encoded]) -> dict[str, np.ndarray]:
    """The article and the section of each sentence of some articles."""
    origin = np.repeat(np.arange(len(articles)), [len(one.sections) for one in articles])
    sections = np.concatenate([100 * i + one.sections for i, one in enumerate(articles)])
    return {"article": origin, "section": sections}


def score_group(articles: list[Encoded]) -> dict[str, float]:
    vectors = np.concatenate([one.vectors for one in articles])
    scores = {}
    for name, truth in find_truths(articles).items():
        k = len(set(truth.tolist()))
        for algorithm, labels in (
            ("ours", cluster_rows(unit_rows(vectors), k, 0)),
            ("k-means", create_kmeans()(vectors, k, 0)),
        ):
            found = clustering_agreement(labels, truth)
            scores[f"{name}, {algorithm}: AMI"] = found["ami"]
            scores[f"{name}, {algorithm}: ARI"] = found["ari"]
    return scores


def attach(doc: Doc, article: Encoded) -> Doc:
    """Give a Doc its vectors as if `thematic_embedder` had."""
    doc._.thematic_vectors = article.vectors
    spans = list(doc.spans[SENTENCES])
    doc.spans[SENTENCES_KEY] = SpanGroup(doc, name=SENTENCES_KEY, spans=spans)
    return doc


def score_auto(groups: list[list[Doc]]) -> None:
    numbers, amis = [], []
    for docs in groups:
        numbers.append(len(cluster_docs(docs).themes))
        found = [span.id for doc in docs for span in doc.spans[CLUSTERS_KEY]]
        origin = np.repeat(np.arange(len(docs)), [len(doc.spans[CLUSTERS_KEY]) for doc in docs])
        amis.append(clustering_agreement(found, origin)["ami"])
    print(
        f"\nauto: k is {statistics.mean(numbers):.1f} on average ({min(numbers)} to "
        f"{max(numbers)}), AMI with the articles {estimate_ratio([amis])}"
    )


def print_labels(groups: list[list[Doc]], encoder: str) -> None:
    nlp = load_pipeline(encoder)
    for number, docs in enumerate(groups, 1):
        titles = [doc.spans[SENTENCES].attrs["title"] for doc in docs]
        themes = cluster_docs(docs, len(docs), nlp=nlp)
        print(f"\ngroup {number}: {'; '.join(titles)}")
        for theme in themes.themes:
            sources: Counter[str] = Counter()
            for title, doc in zip(titles, docs):
                sources[title] += sum(span.id == theme.number for span in doc.spans[CLUSTERS_KEY])
            title, count = sources.most_common(1)[0]
            mixed = " MIXED" if theme.mixed else ""
            print(
                f"  {sources.total():4d} {', '.join(theme.keywords[:6])} | {theme.name}{mixed} "
                f"<- {title} {count / sources.total():.0%}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arguments(parser, articles=200)
    parser.add_argument("--labels", help="name of an encoder")
    args = parser.parse_args()
    docs = read(args)
    starts = range(0, len(docs) - GROUP + 1, GROUP)
    for name, articles in encode_all(args, docs).items():
        print(f"\n### {name}\n", flush=True)
        scores = [score_group(articles[start : start + GROUP]) for start in starts]
        print("| clusters | |\n| --- | --- |")
        for column in scores[0]:
            values = [score[column] for score in scores]
            print(f"| {column} | {estimate_ratio([values])} |", flush=True)
        if name == args.labels:
            attached = [attach(doc, article) for doc, article in zip(docs, articles)]
            groups = [attached[start : start + GROUP] for start in starts]
            score_auto(groups)
            print_labels(groups, name)


if __name__ == "__main__":
    main()
