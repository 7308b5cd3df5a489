"""Clustering of benchmark articles: agreement with the sections, k chosen automatically, speed.

    python -m benchmarks.clustering agreement ARTICLES --cache FOLDER [--articles 100]
        [--glove VECTORS.npz] [--minilm FOLDER] [--only NAME ...] [--variants]
    python -m benchmarks.clustering k ARTICLES --cache FOLDER ...
    python -m benchmarks.clustering speed ARTICLES --cache FOLDER ...

ARTICLES is any source of articles with sections; random ones of 5 to 12 sections are taken, with
all sentences. All is measured on the vectors of the bundled models, of `--glove` (plain means; an
archive with `words` and `vectors`) and of `--minilm` (a folder of sentence-transformers, which has
to be installed for it), or of those named by `--only`. Vectors are kept in the cache. `--variants`
adds the annealed Iclust, other weights of neighbours, and k-means on vectors as they are. Intervals
are 95 per cent, by bootstrap over articles, of means and of differences on the same articles.
Prints Markdown tables.
"""

from __future__ import annotations

import argparse
import statistics
import time

import numpy as np

from benchmarks.encoded_articles import Encoded, add_arguments, encode_all, read
from spacy_thematic.clustering import n_clusters
from spacy_thematic.clustering.agglomerative import create_agglomerative
from spacy_thematic.clustering.diffusion_iclust import create_diffusion_iclust
from spacy_thematic.clustering.iclust import create_iclust
from spacy_thematic.clustering.kmeans import create_kmeans, kmeans_of_raw_rows
from spacy_thematic.clustering.neighbours import create_neighbour_iclust
from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.clustering.vectors import Clusterer, cluster_sums, unit_rows
from spacy_thematic.evaluation.significance import estimate_ratio
from spacy_thematic.measures import clustering_agreement

MEASURES = ("mi", "ami", "ri", "ari")


def equal_runs(rows: np.ndarray, k: int, seed: int) -> np.ndarray:
    """What the order of the sentences alone gives, as sections are runs."""
    return np.arange(len(rows)) * k // len(rows)


def shuffled(cluster: Clusterer) -> Clusterer:
    """The same on sentences whose order says nothing."""

    def cluster_shuffled(rows: np.ndarray, k: int, seed: int) -> np.ndarray:
        order = np.random.default_rng(seed).permutation(len(rows))
        labels = np.empty(len(rows), dtype=int)
        labels[order] = cluster(rows[order], k, seed)
        return labels

    return cluster_shuffled


ALGORITHMS: dict[str, Clusterer] = {
    "Iclust": create_iclust(),
    "Iclust, not centred": create_iclust(centre=False),
    "k-means": create_kmeans(),
    "k-means, not centred": create_kmeans(centre=False),
    "Ward": create_agglomerative("ward"),
    "average linkage": create_agglomerative("average"),
    "average linkage, not centred": create_agglomerative("average", centre=False),
    "diffusion": create_diffusion_iclust(),
    "diffusion, shuffled": shuffled(create_diffusion_iclust()),
    "neighbours, weight 0.2": create_neighbour_iclust(weight=0.2),
    "neighbours, weight 0.2, shuffled": shuffled(create_neighbour_iclust(weight=0.2)),
    "runs of equal length": equal_runs,
}
VARIANTS: dict[str, Clusterer] = {
    "Iclust, annealed": create_iclust(annealed=True),
    "k-means, vectors as they are": kmeans_of_raw_rows,
    "neighbours, weight 0.1": create_neighbour_iclust(weight=0.1),
    "neighbours, weight 0.5": create_neighbour_iclust(weight=0.5),
}
PAIRS = (
    ("Iclust", "k-means"),
    ("Iclust, not centred", "k-means, not centred"),
    ("Iclust", "Iclust, not centred"),
    ("k-means", "k-means, not centred"),
    ("Iclust", "Ward"),
    ("Iclust", "average linkage"),
    ("diffusion", "Iclust"),
    ("diffusion, shuffled", "Iclust"),
    ("neighbours, weight 0.2", "Iclust"),
    ("neighbours, weight 0.2, shuffled", "Iclust"),
    ("Iclust, annealed", "Iclust"),
)
CHOOSERS = {
    "silhouette": n_clusters.create_silhouette(),
    "silhouette with prior, 0.1": n_clusters.create_silhouette_with_prior(0.1),
    "silhouette with prior, 0.3": n_clusters.create_silhouette_with_prior(0.3),
    "silhouette with prior, 1.0": n_clusters.create_silhouette_with_prior(1.0),
    "length": n_clusters.create_length(),
    "affinity propagation": n_clusters.create_affinity_propagation(),
}


def compare_agreement(articles: list[Encoded], variants: bool) -> None:
    print("| algorithm, true k | MI | AMI | RI | ARI |\n| --- |" + " --- |" * 4)
    amis = {}
    for name, cluster in {**ALGORITHMS, **(VARIANTS if variants else {})}.items():
        labels = [cluster(rows, len(set(sections)), 0) for rows, sections in articles]
        scores = [clustering_agreement(found, one.sections) for one, found in zip(articles, labels)]
        amis[name] = [score["ami"] for score in scores]
        means = (statistics.mean(score[measure] for score in scores) for measure in MEASURES)
        print(f"| {name} | {' | '.join(f'{mean:.3f}' for mean in means)} |", flush=True)
    print("\n| difference of AMI | |\n| --- | --- |")
    for first, second in PAIRS:
        if first not in amis:
            continue
        difference = np.subtract(amis[first], amis[second])
        print(f"| {first}, over {second} | {estimate_ratio([difference]).as_difference()} |")


def compare_chosen_k(articles: list[Encoded]) -> None:
    cluster = remember(create_diffusion_iclust())
    true = [len(set(sections)) for _, sections in articles]
    oracle = np.array([ami(one, k, cluster) for one, k in zip(articles, true)])
    print("| k by | mean absolute error | mean of k | AMI | AMI over the true k's |")
    print("| --- |" + " --- |" * 4)
    print(f"| the sections | 0 | {statistics.mean(true):.1f} | {oracle.mean():.3f} | |")
    for name, choose in CHOOSERS.items():
        chosen = [choose(rows, cluster, 12, 0).k for rows, _ in articles]
        error = str(estimate_ratio([np.abs(np.subtract(chosen, true))]))
        found = np.array([ami(one, k, cluster) for one, k in zip(articles, chosen)])
        lost = estimate_ratio([found - oracle]).as_difference()
        print(f"| {name} | {error} | {statistics.mean(chosen):.1f} | {found.mean():.3f} | {lost} |")


def remember(cluster: Clusterer) -> Clusterer:
    """The same, once for each array of vectors: the methods ask for the same clusterings."""
    found: dict[tuple[bytes, int, int], np.ndarray] = {}

    def remembering(vectors: np.ndarray, k: int, seed: int) -> np.ndarray:
        key = vectors.tobytes(), k, seed
        if key not in found:
            found[key] = cluster(vectors, k, seed)
        return found[key]

    return remembering


def ami(article: Encoded, k: int, cluster: Clusterer) -> float:
    return clustering_agreement(cluster(article.vectors, k, 0), article.sections)["ami"]


def measure_speed(articles: list[Encoded]) -> None:
    """On sentences of several articles in a row, as a text of n sentences; CPU time, medians."""
    from sklearn.cluster import KMeans

    every = np.concatenate([rows for rows, _ in articles])
    methods: dict[str, Clusterer] = {
        "KMeans": lambda vectors, k, seed: KMeans(k, n_init=10, random_state=seed).fit_predict(
            unit_rows(vectors)
        ),
        "Iclust": create_iclust(),
        "diffusion": create_diffusion_iclust(),
    }
    print("| n | KMeans, ms | Iclust, times | gain in J | J at least equal | diffusion, times |")
    print("| --- |" + " --- |" * 5)
    for n in (67, 400, 1600):
        times: dict[str, list[float]] = {name: [] for name in methods}
        gains = []
        for seed in range(7):
            vectors = np.roll(every, -seed * n, axis=0)[:n]
            scores = {}
            for name, cluster in methods.items():
                started = time.process_time()
                with single_thread():
                    labels = cluster(vectors, 8, seed)
                times[name].append(time.process_time() - started)
                scores[name] = objective(unit_rows(vectors), labels)
            gains.append(scores["Iclust"] / scores["KMeans"] - 1)
        kmeans, iclust, diffusion = map(statistics.median, times.values())
        print(
            f"| {n} | {1000 * kmeans:.0f} | {iclust / kmeans:.2f} | "
            f"{statistics.mean(gains):+.2%} | {sum(gain > -1e-6 for gain in gains)} of 7 | "
            f"{diffusion / kmeans:.2f} |",
            flush=True,
        )


def objective(rows: np.ndarray, labels: np.ndarray) -> float:
    """J, the larger the better (Slonim et al. 2005)."""
    sums, sizes = cluster_sums(rows, labels)
    return float((np.einsum("ij,ij->i", sums, sums) / sizes).sum())


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    agreement, k, speed = map(commands.add_parser, ("agreement", "k", "speed"))
    for command in (agreement, k, speed):
        add_arguments(command, articles=100)
    agreement.add_argument("--variants", action="store_true")
    agreement.set_defaults(measure=lambda rows: compare_agreement(rows, args.variants))
    k.set_defaults(measure=compare_chosen_k)
    speed.set_defaults(measure=measure_speed)
    args = parser.parse_args()
    docs = read(args)
    encoded = encode_all(args, docs)
    sizes = [len(one.sections) for one in next(iter(encoded.values()))]
    print(f"{len(docs)} articles, {statistics.mean(sizes):.0f} sentences on average", flush=True)
    for name, articles in encoded.items():
        print(f"\n### {name}\n", flush=True)
        args.measure(articles)


if __name__ == "__main__":
    main()
