"""What `adapt` gains on collections of documents that the models do not know.

    python -m benchmarks.adapting --data DATA [--sources textbooks/dev prose/dev] [--seeds 0 1 2]

A collection is all articles of a file whose field "source" names the same repository, OWNER/NAME.
Prints accuracy and AMI over its documents, with the model as bundled, and the gain on held-out
documents with its standard error over them, and whether `adapt` keeps the change.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from tqdm import tqdm

from benchmarks import harness
from spacy_thematic.articles.article import Article
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.evaluation.adapt import N_FOLDS
from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.training.adapting import (
    draw_articles,
    encode_docs,
    learn_map,
    make_adapted,
    make_docs,
)


def main() -> None:
    parser = harness.make_parser(
        __doc__, sources=("textbooks/dev", "prose/dev"), documents=150, models=(harness.MEDIUM,)
    )
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--least", type=int, default=60, help="documents of a collection")
    args = harness.parse(parser)
    if args.quick:
        args.seeds, args.documents = args.seeds[:1], 10
    collections = read_collections(harness.find_sources(args), args.least)
    if args.quick:
        collections = dict([*collections.items()][:1])
    tables = {}
    for model in args.models:
        nlp = make_adapted(model, "en")
        rows: list[harness.Row] = []
        gains: dict[int, list[np.ndarray]] = defaultdict(list)
        for name, articles in tqdm(collections.items(), disable=None):
            drawn, _ = draw_articles(articles, args.documents, 0)
            docs = make_docs(drawn, nlp, Counter())
            documents = encode_docs(docs, find_embedder(nlp).encode)
            row: harness.Row = {"collection": name, "documents": len(documents)}
            for seed in args.seeds:
                found = learn_map(documents, n_folds=N_FOLDS, seed=seed)
                gain = found.after - found.before
                row["as bundled"] = show(np.nanmean(found.before, axis=0))
                row[f"gain, seed {seed}"] = describe(gain, found.W is not None)
                gains[seed].append(np.nanmean(gain, axis=0))
            rows.append(row)
        means = {
            f"gain, seed {seed}": show(np.mean(own, axis=0), "+") for seed, own in gains.items()
        }
        rows.append({"collection": "mean", **means})
        tables[f"{model}: accuracy / AMI"] = rows
    harness.print_report(args, tables)


def read_collections(sources: Sequence[harness.Source], least: int) -> dict[str, list[Article]]:
    """The articles of each collection that has enough of them."""
    found: dict[str, list[Article]] = defaultdict(list)
    for source in sources:
        for article in read_articles(source.path):
            if name := re.search(r"[\w.-]+/[\w.-]+", article.source):
                found[name[0]].append(article)
    return {name: articles for name, articles in found.items() if len(articles) >= least}


def describe(differences: np.ndarray, is_kept: bool) -> str:
    """The gain in accuracy and AMI with standard errors; differences: (documents, 2)."""
    gains = np.nanmean(differences, axis=0)
    errors = np.nanstd(differences, axis=0) / np.isfinite(differences).sum(axis=0) ** 0.5
    cells = [f"{gain:+.3f} ({error:.3f})" for gain, error in zip(gains, errors)]
    return " / ".join(cells) + (", kept" if is_kept else ", no")


def show(scores: np.ndarray, sign: str = "") -> str:
    """An accuracy and an AMI."""
    return " / ".join(f"{score:{sign}.3f}" for score in scores)


if __name__ == "__main__":
    main()
