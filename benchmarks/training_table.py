"""The paper's comparisons of corpora, nets and losses, made again at a small size, as a table.

    python benchmarks/training_table.py DATA VECTORS OUT [--articles 1000] [--seeds 3]

DATA is a folder with train, dev and test.jsonl.gz, VECTORS one made by `thematic vectors`. Each row
is trained by the library's own loop and measured after its last step, once, on test articles (the
ablation on dev articles). All rows see the same training articles equally often. --only NAME, once
or more often, makes only these rows. A finished row is a file OUT/rows/NAME-SEED.json: after an
interruption the same command makes the others. --print only prints what is there.
"""

from __future__ import annotations

import argparse
import io
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import spacy
import srsly
from spacy.training.initialize import init_nlp
from thinc.api import Config
from wasabi import msg

from spacy_thematic.articles.article import Article, normalize_title
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.evaluation import encoders
from spacy_thematic.evaluation.baselines.random_vectors import random_vectors
from spacy_thematic.evaluation.baselines.word_vectors import mean_vectors
from spacy_thematic.evaluation.evaluate import evaluate_encoders
from spacy_thematic.evaluation.heldout import load_heldout
from spacy_thematic.evaluation.protocols import CENTRED
from spacy_thematic.files import write_json
from spacy_thematic.pipeline.joining import join_encoders
from spacy_thematic.training.runner import LAST, LOG, train
from spacy_thematic.triplets.corpus_builder import build_corpus
from spacy_thematic.triplets.rules import CorpusSettings

CONFIGS = Path(__file__).parents[1] / "configs"
CORPORA = {
    "sen": {},
    "rand-section": {"kind": "sen-rand-section"},
    "rand-article": {"kind": "sen-rand-article"},
    "titles": {"kind": "titles"},
    "all": {"sentences": "all"},
}
MEAN = {
    "@architectures": "spacy-thematic.WeightedMean.v1",
    "embed": {"@architectures": "spacy-thematic.LearnedVectors.v1", "width": 100},
}
CONTRASTIVE = {"@losses": "spacy-thematic.SectionContrastive.v1"}


# No evaluations but before the first step and after the last.
NEVER = 10**9


def bilstm(dropout: float = 0.2, unit_words: bool = False) -> dict[str, Any]:
    return {
        "@architectures": "spacy-thematic.BiLSTMAttention.v1",
        "hidden_width": 64,
        "attention_width": 64,
        "dropout": dropout,
        "embed": {"@architectures": "spacy-thematic.StaticVectors.v1", "normalize": unit_words},
    }


def ratio(distance: str = "L1", **settings: Any) -> dict[str, Any]:
    return {"@losses": "spacy-thematic.SoftmaxRatio.v1", "distance": distance, **settings}


def margin(distance: str, **settings: Any) -> dict[str, Any]:
    return {"@losses": "spacy-thematic.TripletMargin.v1", "distance": distance, **settings}


def siamese(scale: float = 0.2) -> dict[str, Any]:
    """scale: 0.2 is 1 / (the mean L1 distance of a pair before training, 4.7)."""
    return {"@losses": "spacy-thematic.SiamesePairs.v1", "distance": "L1", "scale": scale}


PAPER = "BiLSTM, paper's loss, sen"
TITLES = "BiLSTM, paper's loss, titles"
# Name: corpus, net, loss.
MAIN = {
    PAPER: ("sen", bilstm(), ratio()),
    "BiLSTM, paper's loss, rand-section": ("rand-section", bilstm(), ratio()),
    "BiLSTM, paper's loss, rand-article": ("rand-article", bilstm(), ratio()),
    TITLES: ("titles", bilstm(), ratio()),
    "BiLSTM, Siamese pairs": ("sen", bilstm(), siamese()),
    "BiLSTM, contrastive": ("sen", bilstm(), CONTRASTIVE),
    "WeightedMean, paper's loss, sen": ("sen", MEAN, ratio()),
    "WeightedMean, contrastive": ("sen", MEAN, CONTRASTIVE),
}
ABLATION = {
    "dropout rate 0.8": ("sen", bilstm(0.8), ratio()),
    "word vectors of unit length": ("sen", bilstm(unit_words=True), ratio()),
    "L1, unit vectors": ("sen", bilstm(), ratio(normalize=True)),
    "L2": ("sen", bilstm(), ratio("L2")),
    "L2, unit vectors, scale 10": ("sen", bilstm(), ratio("L2", normalize=True, scale=10.0)),
    "cosine, scale 10": ("sen", bilstm(), ratio("cosine", scale=10.0)),
    "margin 0.2, cosine": ("sen", bilstm(), margin("cosine")),
    "margin 1, L1": ("sen", bilstm(), margin("L1", margin=1.0)),
    **{
        f"Siamese pairs, scale {scale}": ("sen", bilstm(), siamese(scale))
        for scale in (0.05, 0.2, 1.0)
    },
}
UNTRAINED = "BiLSTM, untrained"
SKIP_THOUGHTS = "skip-thoughts"
JOINED = "BiLSTM, paper's loss, sen-titles"
BASE = "as above (dropout rate 0.2, L1)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--articles", type=int, default=1000, help="read for training")
    parser.add_argument("--heldout", type=int, default=200, help="read of dev and of test")
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument(
        "--leave-out", type=Path, help="articles whose titles no training article may have"
    )
    parser.add_argument("--only", action="append", help="name of a row")
    parser.add_argument("--print", action="store_true", dest="only_print")
    args = parser.parse_args()
    if not args.only_print:
        build_corpora(args)
        Table(args).make()
    print_tables(args.out / "rows")


def build_corpora(args: argparse.Namespace) -> None:
    for name, split, settings, limit in [
        *((name, "train", settings, args.articles) for name, settings in CORPORA.items()),
        ("dev", "dev", {}, args.heldout),
        ("dev-all", "dev", CORPORA["all"], args.heldout),
        ("test", "test", {}, args.heldout),
    ]:
        folder = args.out / "corpora" / name
        if folder.exists():
            continue
        # Held-out articles are all in "test", which makes the clustering benchmark too.
        shares = (1, 0, 0) if split == "train" else (0, 0, 1)
        records = read_kept(args.data / f"{split}.jsonl.gz", args.leave_out)
        build_corpus(islice(records, limit), folder, CorpusSettings(shares=shares, **settings))


def read_kept(path: Path, leave_out: Path | None) -> Iterator[Article]:
    """The articles of a source, without those with a title of an article of another."""
    titles = (
        {normalize_title(article.title) for article in read_articles(leave_out)}
        if leave_out
        else set()
    )
    return (a for a in read_articles(path) if normalize_title(a.title) not in titles)


class Table:
    def __init__(self, args: argparse.Namespace):
        self.args = args
        nlp = spacy.load(args.vectors)
        self.heldout = {
            split: load_heldout(args.out / "corpora" / split, nlp, CorpusSettings(), log=ReadLog())
            for split in ("dev", "test")
        }
        self.vocab = nlp.vocab

    def make(self) -> None:
        """All rows, one seed after the other, so that a table is there early."""
        self.measure_once("mean-vectors", 0, "test", partial(mean_vectors, self.vocab))
        self.measure_once("random", 0, "test", partial(random_vectors, 0))
        for seed in range(self.args.seeds):
            self.measure_once(UNTRAINED, seed, "test", partial(self.untrained, seed))
            for name, settings in MAIN.items():
                self.train_once(name, seed, "test", self.config(*settings, seed))
            self.train_once(SKIP_THOUGHTS, seed, "test", self.skip_thoughts_config(seed))
            self.measure_once(JOINED, seed, "test", partial(self.join, seed))
        for seed in range(self.args.seeds):
            self.measure_once(BASE, seed, "dev", partial(self.trained, PAPER, seed))
            for name, settings in ABLATION.items():
                self.train_once(name, seed, "dev", self.config(*settings, seed))

    def is_due(self, name: str, seed: int) -> bool:
        return name in (self.args.only or [name]) and not self.path(name, seed).exists()

    def train_once(self, name: str, seed: int, split: str, config: Config) -> None:
        if not self.is_due(name, seed):
            return
        start = time.process_time()
        output = self.model(name, seed)
        outcome = train(init_nlp(config), output, stdout=io.StringIO(), stderr=io.StringIO())
        extra = {
            "cpu_seconds": time.process_time() - start,
            "steps": outcome.progress.step,
            "dev_accuracy": [line["score"] for line in srsly.read_jsonl(output / LOG)],
        }
        self.measure(name, seed, self.trained(name, seed), split, extra)

    def measure_once(
        self, name: str, seed: int, split: str, make: Callable[[], encoders.Encoder]
    ) -> None:
        if self.is_due(name, seed):
            self.measure(name, seed, make(), split, {})

    def untrained(self, seed: int) -> encoders.Encoder:
        return encoders.pipeline_encoder(init_nlp(self.config(*MAIN[PAPER], seed)))

    def trained(self, name: str, seed: int) -> encoders.Encoder:
        return encoders.pipeline_encoder(spacy.load(self.model(name, seed) / LAST))

    def join(self, seed: int) -> encoders.Encoder:
        names = (PAPER, TITLES)
        pipelines = {str(i): spacy.load(self.model(n, seed) / LAST) for i, n in enumerate(names)}
        return encoders.pipeline_encoder(join_encoders(pipelines))

    def measure(self, name: str, seed: int, encoder, split: str, extra: dict[str, Any]) -> None:
        found = evaluate_encoders({name: encoder}, *self.heldout[split], CENTRED, progress=False)
        scores = found.summary
        row = {"name": name, "seed": seed, "split": split, **extra, "data": scores["data"]}
        write_json(self.path(name, seed), {**row, "scores": scores["models"][name]})
        msg.good(f"{name}, seed {seed}: {scores['models'][name]}")

    def config(self, corpus: str, model: dict, loss: dict, seed: int) -> Config:
        """Batches of 8 articles, equally many for each corpus: a batch of equally many words would
        give those with foreign sentences or titles fewer articles."""
        config = self.read_config("fast", corpus, "dev", seed)
        config["components"]["thematic_embedder"].update(model=model, loss=loss)
        config["training"].update(max_epochs=self.args.passes, patience=0)
        config["training"]["batcher"] = {
            "@batchers": "spacy.batch_by_sequence.v1", "size": 8, "get_length": None,
        }  # fmt: skip
        by_l1 = loss.get("distance") == "L1"
        config["training"]["score_weights"].update(
            thematic_accuracy=float(not by_l1), thematic_accuracy_l1=float(by_l1)
        )
        return config

    def skip_thoughts_config(self, seed: int) -> Config:
        """One pass over all sentences of the same articles."""
        return self.read_config("skip_thoughts", "all", "dev-all", seed)

    def read_config(self, recipe: str, corpus: str, dev: str, seed: int) -> Config:
        config = Config().from_disk(CONFIGS / f"{recipe}.cfg", interpolate=False)
        corpora = self.args.out / "corpora"
        config["paths"].update(
            train=str(corpora / corpus), dev=str(corpora / dev), vectors=str(self.args.vectors)
        )
        config["system"]["seed"] = seed
        config["nlp"]["pipeline"] = ["sentencizer", "thematic_embedder"]
        del config["components"]["thematic_clusterer"]
        config["training"].update(frozen_components=[], eval_frequency=NEVER)
        config["corpora"]["dev"]["limit"] = 60
        return config

    def path(self, name: str, seed: int) -> Path:
        return self.args.out / "rows" / f"{name}-{seed}.json"

    def model(self, name: str, seed: int) -> Path:
        return self.args.out / "models" / f"{name}-{seed}"


def print_tables(folder: Path) -> None:
    rows = [srsly.read_json(path) for path in sorted(folder.glob("*.json"))]
    for title, names in (
        ("on test", ["random", "mean-vectors", SKIP_THOUGHTS, UNTRAINED, *MAIN, JOINED]),
        ("ablation, on dev", [BASE, *ABLATION]),
    ):
        print(f"\n| {title} | seeds | accuracy (cosine) | accuracy (L1) | AMI | ARI |")
        print("| --- | --- | --- | --- | --- | --- |")
        for name in names:
            scores = [row["scores"] for row in rows if row["name"] == name]
            if scores:
                print(f"| {name} | {len(scores)} | {' | '.join(summarize(scores))} |")


def summarize(scores: list[dict[str, Any]]) -> list[str]:
    """Mean over seeds and its standard error."""
    columns = [
        [score["thematic_accuracy"] for score in scores],
        [score["thematic_accuracy_l1"] for score in scores],
        *([score["clustering"]["kmeans"][key] for score in scores] for key in ("ami", "ari")),
    ]
    return [
        f"{np.mean(values):.3f}"
        + (f" ± {np.std(values, ddof=1) / len(values) ** 0.5:.3f}" if len(values) > 1 else "")
        for values in columns
    ]


if __name__ == "__main__":
    main()
