"""Triplet BiGAN on text: few articles with labels, the sentences of many without.

    python scripts/bigan_text.py CORPUS OUT [--vectors FOLDER]
        [--shares 0.5 1 2 5 10] [--seeds 3] [--clustered 50] [--print]

CORPUS is a folder made by `thematic corpus`. x is the standardised vector of a sentence by a
base encoder, which stays as it is: the weighted mean of the word vectors of FOLDER, made by
`word_vectors.py`, which have seen no section; without FOLDER the bundled en_thematic_sm, which was
trained on the sections of English Wikipedia and may know those of CORPUS. Rows: the base alone,
standardised, and whitened; an encoder trained on the triplets of some share (per cent) of the
articles; as the encoder of a BiGAN, without labels; as that of a Triplet BiGAN; and the BiGAN's,
trained on triplets alone afterwards. Each row keeps the weights of its best step by the accuracy on
dev, and is measured on test once: thematic-distance accuracy (cosine), and AMI of k-means on the
articles of the clustering benchmark.
Each finished row is a file in OUT, so an interrupted run continues with the others.
"""

from __future__ import annotations

import argparse
import copy
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import spacy
import srsly
import torch
from safetensors.torch import load_file, save
from spacy.language import Language
from torch import nn
from wasabi import msg

from bigan_encoder import Standardize, VectorEncoder
from bigan_experiments.fit import Schedule, encode, fit, given_triplets, mean_measures
from spacy_thematic.clustering.kmeans import create_kmeans
from spacy_thematic.files import write_bytes, write_json
from spacy_thematic.measures import clustering_agreement, thematic_accuracy
from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.triplets.corpus import make_example
from spacy_thematic.triplets.corpus_builder import CLUSTERING
from spacy_thematic.triplets.docbin import SENTENCES, get_triplets, read_shards
from triplet_bigan import Game, VectorDiscriminator, VectorGenerator

BASE = "base alone"
STANDARDIZED = "base, standardised"
WHITENED = "base, whitened"
BASELINES = (BASE, STANDARDIZED, WHITENED)
TRIPLET = "triplets alone"
BIGAN = "BiGAN"
TRIPLET_BIGAN = "Triplet BiGAN"
FINE_TUNED = "BiGAN, then triplets alone"
LABELLED_ROWS = (TRIPLET, TRIPLET_BIGAN, FINE_TUNED)

# E is linear and as wide as x: on few labels, hidden layers over-fitted within a hundred steps.
DEPTH = 0
HIDDEN_WIDTH = 256
EVERY = 50
SPLITS = ("train", "dev", "test", CLUSTERING)
JOINT = Schedule(300, triplet_weight=3, batch_size=128, learn_rate=3e-4)
PRETRAINING = replace(JOINT, triplet_weight=0)
ALONE = replace(JOINT, game_weight=0)


class Articles(NamedTuple):
    """features: (n, width) of the rows of all articles, one article after the other. triplets:
    (m, 3) row numbers. starts: (articles + 1,) where the rows of each begin, and the triplets of
    each, (articles + 1,)."""

    features: np.ndarray
    triplets: np.ndarray
    starts: np.ndarray
    triplet_starts: np.ndarray
    sections: np.ndarray


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--shares", type=float, nargs="+", default=[0.5, 1, 2, 5, 10])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--clustered", type=int, default=50, help="articles")
    parser.add_argument("--print", action="store_true", dest="only_print")
    args = parser.parse_args()
    name = args.vectors.name if args.vectors else "en_thematic_sm"
    if not args.only_print:
        torch.set_num_threads(1)
        table = Table(load_features(args, name), args.out / name, args.clustered)
        table.measure_baselines()
        for seed in range(args.seeds):
            table.make(BIGAN, 0, seed)
            for share in args.shares:
                for row in LABELLED_ROWS:
                    table.make(row, share, seed)
    print_table(args.out / name)


def load_features(args: argparse.Namespace, name: str) -> dict[str, Articles]:
    path = args.out / f"{name}.npz"
    if not path.exists():
        nlp = make_base(args.vectors, args.corpus / "train")
        path.parent.mkdir(parents=True, exist_ok=True)
        arrays = {
            f"{split}.{field}": values
            for split in SPLITS
            for field, values in encode_articles(nlp, args.corpus / split)._asdict().items()
        }
        np.savez(path, **arrays)
    with np.load(path) as arrays:
        return {
            split: Articles(**{field: arrays[f"{split}.{field}"] for field in Articles._fields})
            for split in SPLITS
        }


def make_base(vectors: Path | None, train: Path) -> Language:
    if vectors is None:
        nlp = spacy.blank("en")
        nlp.add_pipe("thematic_embedder")
        return nlp
    nlp = spacy.load(vectors)
    mean = {
        "@architectures": "spacy-thematic.WeightedMean.v1",
        "embed": {"@architectures": "spacy-thematic.StaticVectors.v1", "normalize": True},
    }
    embedder: Any = nlp.add_pipe("thematic_embedder", config={"model": mean})
    embedder.initialize(lambda: map(make_example, read_shards(train, nlp.vocab)), nlp=nlp)
    return nlp


def encode_articles(nlp: Language, folder: Path) -> Articles:
    embedder = find_embedder(nlp)
    features, triplets, sections = [], [], []
    starts, triplet_starts = [0], [0]
    for doc in read_shards(folder, nlp.vocab):
        rows = list(doc.spans[SENTENCES])  # which are all that triplets of this kind name
        features.append(embedder.encode([doc], [rows])[0].astype("float16"))
        triplets.append(np.reshape(get_triplets(doc), (-1, 3)).astype("int64") + starts[-1])
        sections.append([row.id for row in rows])
        starts.append(starts[-1] + len(rows))
        triplet_starts.append(triplet_starts[-1] + len(triplets[-1]))
    return Articles(
        np.concatenate(features),
        np.concatenate(triplets),
        np.array(starts),
        np.array(triplet_starts),
        np.concatenate(sections),
    )


class Table:
    def __init__(self, splits: dict[str, Articles], out: Path, clustered: int):
        self.out = out
        self.clustered = clustered
        self.splits = splits
        train = torch.from_numpy(splits["train"].features.astype("f"))
        standardize = Standardize(train.shape[1])
        standardize.fit(train)
        self.x = {
            name: standardize(torch.from_numpy(split.features.astype("f")))
            for name, split in splits.items()
        }

    def measure_baselines(self) -> None:
        """What needs no training: x as it is, standardised, and with unit covariance, which is all
        that a linear E can do to match the prior of a BiGAN."""
        standardized = {name: x.numpy() for name, x in self.x.items()}
        values, axes = np.linalg.eigh(np.cov(standardized["train"].T))
        whiten = (axes / np.sqrt(values)).astype("f")
        codes = {
            BASE: {name: split.features.astype("f") for name, split in self.splits.items()},
            STANDARDIZED: standardized,
            WHITENED: {name: x @ whiten for name, x in standardized.items()},
        }
        for name in BASELINES:
            if not self.path(name, 0, 0).exists():
                self.write(self.path(name, 0, 0), {"row": name, "share": 0, "seed": 0}, codes[name])

    def make(self, name: str, share: float, seed: int) -> None:
        path = self.path(name, share, seed)
        if path.exists():
            return
        start = time.process_time()
        game = self.make_game(seed)
        if name in (TRIPLET_BIGAN, FINE_TUNED):
            weights = load_file(self.path(BIGAN, 0, seed).with_suffix(".safetensors"))
            nets_of(game).load_state_dict(weights)
        schedule = {BIGAN: PRETRAINING, TRIPLET_BIGAN: JOINT}.get(name, ALONE)
        best = Best(game, self)
        triplets = self.draw_labelled(share, seed)
        sampler = given_triplets(self.x["train"], triplets) if len(triplets) else None
        log = fit(game, self.x["train"], schedule, sampler, seed=seed, after_step=best.look)
        if name == BIGAN:
            write_bytes(path.with_suffix(".safetensors"), save(best.weights))
        nets_of(game).load_state_dict(best.weights)
        codes = {
            split: encode(game.encoder, self.x[split]) for split in ("dev", "test", CLUSTERING)
        }
        row = {"row": name, "share": share, "seed": seed, "triplets": len(triplets)}
        row |= {"best_step": best.step, "dev_by_step": best.scores}
        row |= mean_measures(log.measures[-200:])
        row |= {"cpu_seconds": time.process_time() - start, "schedule": asdict(schedule)}
        self.write(path, row, codes)

    def write(self, path: Path, row: dict[str, Any], codes: dict[str, np.ndarray]) -> None:
        for split in ("dev", "test"):
            row[f"{split}_accuracy"] = accuracy(codes[split], self.splits[split])
        row["test_ami"] = mean_ami(codes[CLUSTERING], self.splits[CLUSTERING], self.clustered)
        write_json(path, row)
        msg.good(f"{path.stem}: {row['test_accuracy']:.4f}, AMI {row['test_ami']:.4f}")

    def draw_labelled(self, share: float, seed: int) -> np.ndarray:
        """The triplets of a share of the articles, the smaller shares within the larger ones."""
        starts = self.splits["train"].triplet_starts
        n_articles = len(starts) - 1
        n_drawn = round(n_articles * share / 100)
        drawn = np.random.default_rng(seed).permutation(n_articles)[:n_drawn]
        triplets = self.splits["train"].triplets
        parts = [triplets[starts[article] : starts[article + 1]] for article in drawn]
        return np.concatenate([np.zeros((0, 3), "int64"), *parts])

    def make_game(self, seed: int) -> Game:
        torch.manual_seed(seed)
        width = self.x["train"].shape[1]
        return Game(
            VectorEncoder(width, width, depth=DEPTH),
            VectorGenerator(width, width, HIDDEN_WIDTH),
            VectorDiscriminator(width, width, HIDDEN_WIDTH),
            width,
        )

    def path(self, name: str, share: float, seed: int) -> Path:
        return self.out / f"{name}-{share:g}-{seed}.json"


class Best:
    """Keeps the weights of the step with the highest accuracy on dev."""

    def __init__(self, game: Game, table: Table):
        self.game = game
        self.table = table
        self.step = 0
        self.weights: dict[str, torch.Tensor] = {}
        self.scores: dict[int, float] = {}
        self.look(0)

    def look(self, step: int) -> None:
        if step % EVERY:
            return
        codes = encode(self.game.encoder, self.table.x["dev"])
        self.scores[step] = accuracy(codes, self.table.splits["dev"])
        if self.scores[step] == max(self.scores.values()):
            self.step, self.weights = step, copy.deepcopy(nets_of(self.game).state_dict())


def nets_of(game: Game) -> nn.ModuleDict:
    return nn.ModuleDict({"e": game.encoder, "g": game.generator, "d": game.discriminator})


def accuracy(codes: np.ndarray, articles: Articles) -> float:
    return thematic_accuracy(codes, articles.triplets)


def mean_ami(codes: np.ndarray, articles: Articles, limit: int) -> float:
    cluster = create_kmeans()
    values = []
    for start, end in list(zip(articles.starts, articles.starts[1:]))[:limit]:
        sections = articles.sections[start:end]
        labels = cluster(codes[start:end], len(set(sections.tolist())), 0)
        values.append(clustering_agreement(labels, sections)["ami"])
    return float(np.mean(values))


def print_table(folder: Path) -> None:
    rows = [srsly.read_json(path) for path in sorted(folder.glob("*.json"))]
    shares = sorted({row["share"] for row in rows if row["row"] in LABELLED_ROWS})
    print("| labels, % of articles | row | seeds | dev accuracy | test accuracy | test AMI |")
    print("| --- | --- | --- | --- | --- | --- |")
    for share, names in [(0, (*BASELINES, BIGAN)), *((share, LABELLED_ROWS) for share in shares)]:
        for name in names:
            here = [row for row in rows if row["row"] == name and row["share"] == share]
            if here:
                keys = ("dev_accuracy", "test_accuracy", "test_ami")
                scores = " | ".join(summarize([row[key] for row in here]) for key in keys)
                print(f"| {share:g} | {name} | {len(here)} | {scores} |")


def summarize(values: list[float]) -> str:
    """The mean over seeds and its standard error."""
    error = f" ± {np.std(values, ddof=1) / len(values) ** 0.5:.3f}" if len(values) > 1 else ""
    return f"{np.mean(values):.3f}{error}"


if __name__ == "__main__":
    main()
