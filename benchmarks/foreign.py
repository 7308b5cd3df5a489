"""How many sentences `cluster --themes --min-similarity` leaves out: of texts like those that the
themes are of, and of foreign ones.

    python -m benchmarks.foreign FILE ... [--models en_thematic_sm en_thematic_md] [--articles 40]
        [-k 20] [--seed 0]

Of each file, articles in JSONL, some articles are drawn at random; themes are found in every other
paragraph of half of them. Their other paragraphs are known, and those of the other half foreign.
Prints the area under the ROC curve by which similarity tells them apart, for sentences and for
whole texts (by the mean), and the shares of sentences that each threshold leaves out.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score
from spacy.language import Language

import spacy_thematic
from spacy_thematic import cluster_docs
from spacy_thematic.articles.article import Article
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.clustering import CorpusThemes
from spacy_thematic.clustering.context import put_in_context
from spacy_thematic.clustering.themes import get_sentences
from spacy_thematic.clustering.vectors import unit_rows
from spacy_thematic.evaluation.markdown import render

THRESHOLDS = (0.2, 0.3, 0.4, 0.5)
CHARACTERS = 4000


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--models", nargs="+", default=["en_thematic_sm", "en_thematic_md"])
    parser.add_argument("--articles", type=int, default=40, help="known, and as many foreign")
    parser.add_argument("-k", type=int, default=20, help="themes")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    rows = []
    for model in args.models:
        nlp = spacy_thematic.load(model)
        for path in args.files:
            articles = random.Random(args.seed).sample([*read_articles(path)], 2 * args.articles)
            known, foreign = articles[: args.articles], articles[args.articles :]
            docs = [nlp(take_half(article, 0)) for article in known]
            themes = cluster_docs(docs, k=args.k, seed=args.seed)
            similar = [
                [measure(themes, nlp, take_half(article, 1)) for article in half]
                for half in (known, foreign)
            ]
            similar = [[own for own in half if len(own)] for half in similar]
            near, far = map(np.concatenate, similar)
            row = {"model": model, "articles": "/".join(path.parts[-2:])}
            row["sentences"] = f"{tell_apart(near, far):.2f}"
            row["texts"] = f"{tell_apart(*([own.mean() for own in half] for half in similar)):.2f}"
            for threshold in THRESHOLDS:
                shares = [(own < threshold).mean() for own in (near, far)]
                row[f"below {threshold}"] = " / ".join(f"{share:.0%}" for share in shares)
            rows.append(row)
    print(render(rows))


def take_half(article: Article, first: int) -> str:
    """Every other paragraph of an article."""
    return "\n\n".join(article.text().split("\n")[first::2])[:CHARACTERS]


def measure(themes: CorpusThemes, nlp: Language, text: str) -> np.ndarray:
    """The cosine of each sentence of a text, in its context, with the nearest theme, (n,)."""
    _, vectors = get_sentences(nlp(text))
    if not len(vectors):
        return np.zeros(0)
    return (unit_rows(put_in_context(vectors), themes.origin) @ themes.centres.T).max(axis=1)


def tell_apart(near: Sequence[float], far: Sequence[float]) -> float:
    """The area under the ROC curve."""
    return roc_auc_score([1] * len(near) + [0] * len(far), [*near, *far])


if __name__ == "__main__":
    main()
