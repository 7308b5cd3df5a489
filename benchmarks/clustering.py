"""Clustering on benchmark articles: agreement with the sections, k chosen automatically, speed.

    python benchmarks/clustering.py ARTICLES.jsonl.gz VECTORS.npz [--model MODEL] [--articles 150]

ARTICLES is any source of articles, VECTORS an archive with `words` and `vectors`. A sentence's
vector is the mean of its words' vectors, weighted by a / (a + p) (Arora et al. 2017), a = 0.001;
with --model, all is measured on the vectors of that pipeline's `thematic_embedder` too. Prints
Markdown tables.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from itertools import islice
from pathlib import Path

import numpy as np
import spacy
from spacy.language import Language
from spacy.tokens import Doc

from spacy_thematic.articles.reading import ReadLog
from spacy_thematic.clustering import choosing_k
from spacy_thematic.clustering.agglomerative import create_agglomerative
from spacy_thematic.clustering.iclust import create_iclust
from spacy_thematic.clustering.kmeans import create_kmeans
from spacy_thematic.clustering.neighbours import create_neighbour_iclust
from spacy_thematic.clustering.seeds import find_embedder
from spacy_thematic.clustering.vectors import Clusterer, cluster_sums, unit_rows
from spacy_thematic.evaluation.clustering_benchmark import MEASURES, score_clusters
from spacy_thematic.evaluation.heldout import iter_clustering_docs
from spacy_thematic.triplets.docbin import SENTENCES


def equal_runs(rows: np.ndarray, k: int, seed: int) -> np.ndarray:
    """What the order of the sentences alone gives, as sections are runs."""
    return np.arange(len(rows)) * k // len(rows)


ALGORITHMS = {
    "Iclust": create_iclust(),
    "Iclust, annealed": create_iclust(annealed=True),
    "Iclust, not centred": create_iclust(centre=False),
    "k-means": create_kmeans(),
    "k-means, not centred": create_kmeans(centre=False),
    "Ward": create_agglomerative("ward"),
    "average linkage": create_agglomerative("average"),
    "average linkage, not centred": create_agglomerative("average", centre=False),
    "neighbours, weight 0.2": create_neighbour_iclust(weight=0.2),
    "runs of equal length": equal_runs,
}
CHOOSERS = {
    "silhouette": choosing_k.create_silhouette(),
    "silhouette with prior, 0.1": choosing_k.create_silhouette_with_prior(0.1),
    "silhouette with prior, 0.3": choosing_k.create_silhouette_with_prior(0.3),
    "silhouette with prior, 1.0": choosing_k.create_silhouette_with_prior(1.0),
    "length": choosing_k.create_length(),
    "square root": choosing_k.create_square_root(),
    "affinity propagation": choosing_k.create_affinity_propagation(),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("articles", type=Path)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--articles", dest="n_articles", type=int, default=150)
    parser.add_argument("--model", help="trained pipeline with thematic_embedder")
    arguments = parser.parse_args()
    nlp = spacy.load(arguments.model) if arguments.model else spacy.blank("en")
    docs = read(arguments.articles, arguments.n_articles, nlp)
    sources = {"mean word vectors": encode(docs, arguments.vectors)}
    if arguments.model:
        sources["thematic_embedder"] = encode_by_pipeline(docs, nlp)
    sizes = [len(doc.spans[SENTENCES]) for doc in docs]
    print(f"{len(docs)} articles, {statistics.mean(sizes):.0f} sentences on average\n")
    print_speed(sources["mean word vectors"])
    for name, encoded in sources.items():
        print(f"### {name}\n")
        print_agreement(encoded)
        print_chosen_k(encoded)


def read(path: Path, n_articles: int, nlp: Language) -> list[Doc]:
    return list(islice(iter_clustering_docs(path, nlp, log=ReadLog()), n_articles))


def sections_of(doc: Doc) -> np.ndarray:
    return np.array([sentence.id for sentence in doc.spans[SENTENCES]])


def encode_by_pipeline(docs: list[Doc], nlp: Language) -> list[tuple[np.ndarray, np.ndarray]]:
    embedder = find_embedder(nlp)
    return [
        (embedder.encode([doc], [list(doc.spans[SENTENCES])])[0], sections_of(doc)) for doc in docs
    ]


def encode(docs: list[Doc], path: Path) -> list[tuple[np.ndarray, np.ndarray]]:
    with np.load(path) as archive:
        table = dict(zip(archive["words"].tolist(), archive["vectors"].astype(np.float32)))
    texts = [
        [[token.lower_ for token in sentence] for sentence in doc.spans[SENTENCES]] for doc in docs
    ]
    counts = Counter(word for sentences in texts for words in sentences for word in words)
    total = sum(counts.values())
    weights = {word: 1e-3 / (1e-3 + count / total) for word, count in counts.items()}
    width = len(next(iter(table.values())))

    def encode_sentence(words: list[str]) -> np.ndarray:
        rows = [weights[word] * table[word] for word in words if word in table]
        return np.mean(rows, axis=0) if rows else np.zeros(width, dtype=np.float32)

    return [
        (np.stack([encode_sentence(words) for words in sentences]), sections_of(doc))
        for sentences, doc in zip(texts, docs)
    ]


def print_agreement(encoded) -> None:
    print("| algorithm, true k | " + " | ".join(MEASURES) + " | seconds |")
    print("|---|" + "---|" * (len(MEASURES) + 1))
    for name, cluster in ALGORITHMS.items():
        started = time.perf_counter()
        scores = [
            score_clusters(sections, cluster(rows, len(set(sections)), 0))
            for rows, sections in encoded
        ]
        seconds = time.perf_counter() - started
        means = [statistics.mean(score[measure] for score in scores) for measure in MEASURES]
        print(f"| {name} | {' | '.join(f'{mean:.3f}' for mean in means)} | {seconds:.1f} |")
    print()


def print_chosen_k(encoded) -> None:
    cluster = remember(create_iclust())
    print("| k by | mean absolute error | mean of k | AMI | AMI with the true k |")
    print("|---|---|---|---|---|")
    true = [len(set(sections)) for _, sections in encoded]
    oracle = mean_ami(encoded, true, cluster)
    for name, choose in CHOOSERS.items():
        chosen = [choose(rows, cluster, 12, 0) for rows, _ in encoded]
        error = statistics.mean(abs(a - b) for a, b in zip(chosen, true))
        ami = mean_ami(encoded, chosen, cluster)
        print(
            f"| {name} | {error:.2f} | {statistics.mean(chosen):.1f} | {ami:.3f} | {oracle:.3f} |"
        )
    print()


def remember(cluster: Clusterer) -> Clusterer:
    """The same, once for each array of vectors: the methods ask for the same clusterings."""
    found: dict[tuple[int, int, int], np.ndarray] = {}

    def remembering(vectors: np.ndarray, k: int, seed: int) -> np.ndarray:
        key = id(vectors), k, seed
        if key not in found:
            found[key] = cluster(vectors, k, seed)
        return found[key]

    return remembering


def mean_ami(encoded, numbers: list[int], cluster) -> float:
    return statistics.mean(
        score_clusters(sections, cluster(rows, k, 0))["ami"]
        for (rows, sections), k in zip(encoded, numbers)
    )


def print_speed(encoded) -> None:
    """Sentences of several articles in a row, as a text of n sentences."""
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    every = np.concatenate([rows for rows, _ in encoded])
    print("| n | KMeans, ms | Iclust, ms | ratio | gain in J, mean | J at least equal |")
    print("|---|---|---|---|---|---|")
    for n in (67, 400, 1600):
        times, gains = [], []
        for seed in range(7):
            vectors = np.roll(every, -seed * n, axis=0)[:n]
            rows = unit_rows(vectors)
            started = time.perf_counter()
            with threadpool_limits(1):
                theirs = KMeans(8, n_init=10, random_state=seed).fit_predict(rows)
            middle = time.perf_counter()
            ours = create_iclust()(vectors, 8, seed)
            times.append((middle - started, time.perf_counter() - middle))
            gains.append(objective(rows, ours) / objective(rows, theirs) - 1)
        kmeans, iclust = (1000 * statistics.median(column) for column in zip(*times))
        print(
            f"| {n} | {kmeans:.0f} | {iclust:.0f} | {iclust / kmeans:.2f} | "
            f"{statistics.mean(gains):+.2%} | {sum(gain > -1e-6 for gain in gains)} of 7 |"
        )
    print()


def objective(rows: np.ndarray, labels: np.ndarray) -> float:
    sums, sizes = cluster_sums(rows, labels)
    return float((np.einsum("ij,ij->i", sums, sums) / sizes).sum())


if __name__ == "__main__":
    main()
