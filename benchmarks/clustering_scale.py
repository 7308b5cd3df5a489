"""Many sentences clustered on one machine, beside scikit-learn's MiniBatchKMeans and KMeans.

    python -m benchmarks.clustering_scale ARTICLES --cache FOLDER [--sentences 100000] [--k 12]

ARTICLES is any source of articles; the first sentences are taken, encoded by `en_thematic_sm`. Each
method runs in a process of its own, on one thread, on the same rows, for three seeds: CPU seconds,
and memory at the peak over that with the rows loaded; how well clusters are found is measured by
`clustering_documents`. Last, `cluster_docs` on the same sentences as Docs, from text to themes with
labels. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from spacy.tokens import Doc

from spacy_thematic import cluster_docs
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.clustering.sampled import cluster_rows
from spacy_thematic.clustering.vectors import unit_rows
from spacy_thematic.pipeline.loading import load_pipeline


def run_minibatch(rows: np.ndarray, k: int, seed: int) -> np.ndarray:
    from sklearn.cluster import MiniBatchKMeans

    return MiniBatchKMeans(k, n_init=3, random_state=seed).fit_predict(rows)


def run_kmeans(rows: np.ndarray, k: int, seed: int) -> np.ndarray:
    from sklearn.cluster import KMeans

    return KMeans(k, n_init=1, random_state=seed).fit_predict(rows)


METHODS = {
    "MiniBatchKMeans, 3 starts": run_minibatch,
    "KMeans, 1 start": run_kmeans,
    "ours": cluster_rows,
}
WHOLE = "whole"


def iter_docs(source: Path, n: int) -> Iterator[Doc]:
    """Docs of paragraphs with n sentences, or a few more, in all."""
    nlp = load_pipeline("en_thematic_sm")
    articles = read_articles(source, log=ReadLog())
    texts = (text for one in articles for section in one.sections for text in section.paragraphs)
    for doc in nlp.pipe(texts):
        yield doc
        n -= len(doc._.thematic_vectors)
        if n <= 0:
            return


def memory(key: str) -> float:
    """MiB of memory that this process uses, "VmRSS", or has used at most, "VmHWM"."""
    found = re.search(rf"{key}:\s+(\d+)", Path("/proc/self/status").read_text())
    return int(found[1]) / 1024 if found else float("nan")


def measure(method: str, args: argparse.Namespace) -> dict[str, float]:
    rows = unit_rows(np.load(args.cache / "rows.npy"))
    METHODS[method](rows[:100], args.k, 0)
    before = memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # Resets the peak.
    seconds = []
    for seed in range(3):
        started = time.process_time()
        METHODS[method](rows, args.k, seed)
        seconds.append(time.process_time() - started)
    return {
        "seconds": float(np.median(seconds)),
        "memory": memory("VmHWM") - before,
    }


def measure_whole(args: argparse.Namespace) -> dict[str, float]:
    started = time.process_time()
    docs = list(iter_docs(args.source, args.sentences))
    encoded = time.process_time()
    themes = cluster_docs(docs, "auto")
    return {
        "sentences": sum(theme.size for theme in themes.themes),
        "k": len(themes.themes),
        "encode": encoded - started,
        "cluster": time.process_time() - encoded,
        "memory": memory("VmHWM"),
    }


def run(method: str) -> dict[str, float]:
    command = [sys.executable, *sys.argv, "--method", method]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--sentences", type=int, default=100_000)
    parser.add_argument("--k", type=int, default=12)
    parser.add_argument("--method", choices=[*METHODS, WHOLE], help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.method:
        result = measure_whole(args) if args.method == WHOLE else measure(args.method, args)
        print(json.dumps(result))
        return
    if not (args.cache / "rows.npy").exists():
        args.cache.mkdir(parents=True, exist_ok=True)
        vectors = [doc._.thematic_vectors for doc in iter_docs(args.source, args.sentences)]
        np.save(args.cache / "rows.npy", np.concatenate(vectors)[: args.sentences])
    rows = np.load(args.cache / "rows.npy")
    results = {method: run(method) for method in METHODS}
    base = results["MiniBatchKMeans, 3 starts"]
    print(f"{len(rows)} sentences, width {rows.shape[1]}, k = {args.k}\n")
    print("| method | CPU s | times MiniBatchKMeans | peak memory, MiB |")
    print("| --- |" + " --- |" * 3)
    for method, found in results.items():
        print(
            f"| {method} | {found['seconds']:.1f} | {found['seconds'] / base['seconds']:.1f} | "
            f"{found['memory']:.0f} |"
        )
    whole = run(WHOLE)
    print(
        f'\nFrom text to themes, k = "auto" ({whole["k"]:.0f}): {whole["sentences"]:.0f} '
        f"sentences read and encoded in {whole['encode']:.0f} s, clustered and labelled in "
        f"{whole['cluster']:.0f} s, {whole['memory']:.0f} MiB at the peak."
    )


if __name__ == "__main__":
    main()
