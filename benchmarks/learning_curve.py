"""Scores of the fast recipe by the number of articles it is trained on.

    python benchmarks/learning_curve.py DATA VECTORS OUT [--articles 100 300 1000 3000]

DATA is a folder with train and dev.jsonl.gz, VECTORS one made by `thematic vectors`. The recipe is
configs/fast.cfg with a table as wide as the vectors. Its best step is chosen on the first 60 dev
articles, the scores are those of 200. OUT/learning_curve.json is a list of {"articles", "accuracy",
"ami"}, learning_curve.svg its plot; after an interruption the same command measures the sizes that
are missing.
"""

from __future__ import annotations

import argparse
import io
from itertools import islice
from pathlib import Path

import spacy
import srsly
from spacy.training.initialize import init_nlp
from thinc.api import Config
from training_table import CONFIGS, CONTRASTIVE, MEAN, read_kept
from wasabi import msg

from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.evaluation.encoders import pipeline_encoder
from spacy_thematic.evaluation.evaluate import evaluate_encoders
from spacy_thematic.evaluation.heldout import load_heldout
from spacy_thematic.evaluation.plots import Axis, plot_lines
from spacy_thematic.evaluation.protocols import CENTRED
from spacy_thematic.files import write_bytes, write_json
from spacy_thematic.training.runner import BEST, train
from spacy_thematic.triplets.corpus_builder import build_corpus
from spacy_thematic.triplets.rules import CorpusSettings

# Articles read for one that has triplets.
READ_PER_KEPT = 1.25


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--articles", type=int, nargs="+", default=[100, 300, 1000, 3000])
    parser.add_argument(
        "--leave-out", type=Path, help="articles whose titles no training article may have"
    )
    args = parser.parse_args()
    limits = {"train": int(max(args.articles) * READ_PER_KEPT), "dev": 200}
    for split, limit in limits.items():
        folder = args.out / split
        if not folder.exists():
            shares = (1, 0, 0) if split == "train" else (0, 0, 1)
            articles = read_kept(args.data / f"{split}.jsonl.gz", args.leave_out)
            build_corpus(islice(articles, limit), folder, CorpusSettings(shares=shares))
    path = args.out / "learning_curve.json"
    rows = srsly.read_json(path) if path.exists() else []
    for n_articles in args.articles:
        if n_articles not in [row["articles"] for row in rows]:
            rows.append(measure(args, n_articles))
            write_json(path, rows)
            msg.good(rows[-1])
    curves = {key: [(row["articles"], row[key]) for row in rows] for key in ("accuracy", "ami")}
    named = {"accuracy (cosine)": curves["accuracy"], "AMI (k-means)": curves["ami"]}
    axes = Axis("articles to train on", log=True), Axis("score on dev articles")
    svg = plot_lines(named, "Scores by the number of training articles", *axes)
    write_bytes(args.out / "learning_curve.svg", svg.encode())


def measure(args: argparse.Namespace, n_articles: int) -> dict[str, float]:
    """Train on the first so many articles, and score."""
    config = Config().from_disk(CONFIGS / "fast.cfg", interpolate=False)
    config["paths"].update(
        train=str(args.out / "train"), dev=str(args.out / "dev"), vectors=str(args.vectors)
    )
    config["nlp"]["pipeline"] = ["sentencizer", "thematic_embedder"]
    del config["components"]["thematic_clusterer"]
    config["components"]["thematic_embedder"].update(model=MEAN, loss=CONTRASTIVE)
    config["training"]["frozen_components"] = []
    config["corpora"]["train"]["limit"] = n_articles
    config["corpora"]["dev"]["limit"] = 60
    output = args.out / f"trained-{n_articles}"
    train(init_nlp(config), output, stdout=io.StringIO(), stderr=io.StringIO())
    nlp = spacy.load(output / BEST)
    docs = load_heldout(args.out / "dev", nlp, CorpusSettings(), log=ReadLog())
    encoders = {"ours": pipeline_encoder(nlp)}
    scores = evaluate_encoders(encoders, *docs, CENTRED, progress=False).summary
    return {
        "articles": n_articles,
        "accuracy": scores["models"]["ours"]["thematic_accuracy"],
        "ami": scores["models"]["ours"]["clustering"]["kmeans"]["ami"],
    }


if __name__ == "__main__":
    main()
