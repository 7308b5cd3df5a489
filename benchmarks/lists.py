"""How many themes a list has, and which of its lines belong together.

    python -m benchmarks.lists NAME=FILE ... [--lists 60] [--articles 150] [--seed 0] [--models ...]

A list has 24 to 60 lines in random order: sentences of 6 to 16 words, one to eight of an article,
which is their topic. Each list goes through the pipeline, clustered in several ways: a cell is
the AMI of themes and topics and the mean number of themes.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import NamedTuple, cast

from sklearn.metrics import adjusted_mutual_info_score
from spacy.tokens import Doc
from tqdm import tqdm

from benchmarks.sentences import draw_sections
from spacy_thematic.clustering.diffusion_iclust import create_diffusion_iclust
from spacy_thematic.clustering.iclust import create_iclust
from spacy_thematic.clustering.kmeans import create_kmeans
from spacy_thematic.clustering.n_clusters import (
    KChooser,
    create_silhouette,
    create_silhouette_with_prior,
)
from spacy_thematic.clustering.vectors import Clusterer
from spacy_thematic.evaluation.markdown import render
from spacy_thematic.evaluation.significance import estimate_ratio
from spacy_thematic.pipeline.clusterer import ThematicClusterer
from spacy_thematic.pipeline.loading import load

WORDS, LINES = (6, 16), (24, 60)
SIZES = (1, 1, 2, 3, 3, 4, 5, 6, 8)
FEWEST, MOST = 8, 12
"""The fewest short sentences of an article, and the most that are drawn."""

# The methods of these alone know nothing of lists.
TEXT = (create_diffusion_iclust().__call__, create_silhouette_with_prior().__call__)
"""How a text is clustered that is no list."""

WAYS: dict[str, tuple[Clusterer, KChooser]] = {
    "as it comes": (create_diffusion_iclust(), create_silhouette_with_prior()),
    "as a text": TEXT,
    "as a text, k as of a list": (TEXT[0], create_silhouette_with_prior()),
    "as a list, k as of a text": (create_diffusion_iclust(), TEXT[1]),
    "Iclust, k as of a list": (create_iclust(), create_silhouette_with_prior()),
    "k-means, k by the silhouette": (create_kmeans(), create_silhouette()),
}


class List(NamedTuple):
    """Lines, and the topic of each."""

    lines: list[str]
    topics: list[int]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sources", nargs="+", help="NAME=FILE")
    parser.add_argument("--lists", type=int, default=60, help="of each file")
    parser.add_argument("--articles", type=int, default=150, help="to draw them from")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--models", nargs="+", default=["en_thematic_sm", "en_thematic_md"])
    args = parser.parse_args()
    rows = []
    files = dict(source.split("=", 1) for source in args.sources)
    lists = {name: draw_lists(Path(path), args) for name, path in files.items()}
    for model in args.models:
        nlp = load(model)
        nlp.get_pipe("thematic_lines").lines = "yes"
        clusterer = cast(ThematicClusterer, nlp.get_pipe("thematic_clusterer"))
        for way, (algorithm, choose_k) in tqdm(WAYS.items(), disable=None):
            clusterer.algorithm, clusterer.choose_k = algorithm, choose_k
            cells = {}
            for name, some in lists.items():
                found = [read_themes(doc) for doc in nlp.pipe("\n".join(one.lines) for one in some)]
                amis = [
                    adjusted_mutual_info_score(one.topics, labels)
                    for one, labels in zip(some, found)
                ]
                n_themes = sum(len({*labels} - {0}) for labels in found) / len(found)
                cells[name] = f"{estimate_ratio([amis])} / {n_themes:.1f}"
            rows.append({"model": model, "clustered": way, **cells})
    for name, some in lists.items():
        n_lines = sum(len(one.lines) for one in some) / len(some)
        n_topics = sum(len({*one.topics}) for one in some) / len(some)
        print(f"{name}: {len(some)} lists, {n_lines:.1f} lines, {n_topics:.1f} topics.")
    print(f"\n{render(rows)}")


def read_themes(doc: Doc) -> list[int]:
    """The theme of each line, 0 for none."""
    return [span.id for span in doc.spans["thematic_clusters"]]


def draw_lists(path: Path, args: argparse.Namespace) -> list[List]:
    rng = random.Random(args.seed)
    topics = read_topics(path, args.articles, rng)
    lists = []
    while len(lists) < args.lists:
        n, lines, numbers = rng.randint(*LINES), [], []
        for number, sentences in enumerate(rng.sample(topics, len(topics))):
            drawn = rng.sample(sentences, min(rng.choice(SIZES), len(sentences), n - len(lines)))
            lines += drawn
            numbers += [number] * len(drawn)
        order = rng.sample(range(len(lines)), len(lines))
        lists.append(List([lines[place] for place in order], [numbers[place] for place in order]))
    return lists


def read_topics(path: Path, n_articles: int, rng: random.Random) -> list[list[str]]:
    """Short sentences of each article."""
    topics = []
    for sections in draw_sections(path, n_articles, WORDS, rng):
        sentences = [one for section in sections for one in section if one[0].isupper()]
        if len(sentences) >= FEWEST:
            topics.append(rng.sample(sentences, min(MOST, len(sentences))))
    return topics


if __name__ == "__main__":
    main()
