"""Train the nets that the paper compares, and those that explain what it finds.

    python scripts/paper_nets.py CORPORA VECTORS OUT [--dev FOLDER] [--only NAME] [--processes 2]
        [--max-steps N]

CORPORA is a folder of corpora, one for each kind of triplet: sen, rand-section, rand-article,
titles, and released (the paper's own triplets). Nets of corpora that are not there are left out.
VECTORS is a folder made by `word_vectors.py`. The best step is chosen on the shards of --dev, by
default those of CORPORA/sen/dev. Each net is trained by `thematic train` in OUT/NAME-SEED, with
../../configs/paper.cfg and the changes named in this file, which OUT/NAME-SEED/config.cfg keeps;
those with 64 in their names are of 64 in place of 300 per direction. All have as many passes,
except those with -long in their names, which are trained until dev stops rising. Each process has
one thread. Run again, the command resumes; a folder with a net of another corpus, or of other
settings, is refused.
"""

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import srsly
from thinc.api import Config
from wasabi import msg

from spacy_thematic.cli.shell import clear_errors
from spacy_thematic.files import MADE_FROM, write_bytes

CONFIG = Path(__file__).parents[3] / "configs" / "paper.cfg"
STATISTICS = "statistics.json"
DONE = "done.json"
INTERRUPTED = 130
"""The status of a command after Ctrl-C."""

# Of a step: about 20,000 words.
SENTENCES_A_STEP = 850


@dataclass(frozen=True)
class Net:
    """A net of the comparison: the folder of its triplets, changes of the loss (all of it if it
    names another) and of the net, how many seeds, most passes over the articles, and passes without
    a better score, after which training ends; 0 for none."""

    corpus: str = "sen"
    loss: dict[str, Any] = field(default_factory=dict)
    model: dict[str, Any] = field(default_factory=dict)
    seeds: int = 3
    passes: int = 2
    patience: float = 0


SMALL = {"hidden_width": 64, "attention_width": 64}
LITERAL = {"dropout": 0.8}


def margin(distance: str, size: float) -> dict[str, Any]:
    return {
        "@losses": "spacy-thematic.TripletMargin.v1",
        "distance": distance,
        "margin": size,
        "scale": 1.0,
        "normalize": False,
    }


def siamese(scale: float) -> dict[str, Any]:
    """scale: about 1 / (the mean L1 distance of a pair before training)."""
    name = "spacy-thematic.SiamesePairs.v1"
    return {"@losses": name, "distance": "L1", "scale": scale, "normalize": False}


def list_nets() -> dict[str, Net]:
    """In the order in which they are trained, seed by seed."""
    kinds = {
        "sen": Net(),
        "titles": Net("titles"),
        "rand-article": Net("rand-article"),
        "rand-section": Net("rand-section"),
        # Schroff's .2 on squared L2 of unit rows, which is twice this distance.
        "margin-cosine": Net(loss=margin("cosine", 0.1)),
        "cosine": Net(loss={"distance": "cosine", "scale": 10.0}),
        "L2": Net(loss={"distance": "L2"}),
        "siamese": Net(loss=siamese(0.1)),
    }
    small = {f"{name}-64": replace(net, model=SMALL) for name, net in kinds.items()}
    small["siamese-64"] = replace(small["siamese-64"], loss=siamese(0.2))
    long = {
        f"{corpus}{kind}-long": Net(corpus, model=model, seeds=1, passes=8, patience=1)
        for kind, model in (("", {}), ("-drop-0.8", LITERAL))
        for corpus in ("sen", "titles")
    }
    return {**kinds, **long, "released": Net("released", seeds=1), **small}


NETS = list_nets()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=f"{__doc__}\nNets: {', '.join(NETS)}.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("corpora", type=Path, metavar="CORPORA")
    parser.add_argument("vectors", type=Path, metavar="VECTORS")
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--dev", type=Path, help="shards to choose the best step on")
    parser.add_argument("--only", action="append", help="name of a net; may be repeated")
    parser.add_argument("--seed", type=int, action="append", help="may be repeated")
    parser.add_argument(
        "--processes", type=int, default=1, help="how many nets to train at once [default: 1]"
    )
    parser.add_argument(
        "--max-steps", type=int, default=0, help="to try it, in a folder of its own"
    )
    args = parser.parse_args()
    if unknown := set(args.only or ()) - set(NETS):
        parser.error(f"no net is called {', '.join(unknown)}; there are {', '.join(NETS)}")
    if args.processes < 1:
        parser.error(f"expected at least 1 process, found --processes {args.processes}")
    with clear_errors():
        due = list_due(args)
        with ThreadPoolExecutor(args.processes) as pool:
            done = list(pool.map(lambda job: train_net(args, *job), due))
    sys.exit(not all(done))


def list_due(args: argparse.Namespace) -> list[tuple[str, int]]:
    """The nets that are wanted and whose corpora are there, with their seeds. Raises ValueError if
    there are none."""
    due, absent = [], set()
    for seed in range(max(net.seeds for net in NETS.values())):
        for name, net in NETS.items():
            is_wanted = name in (args.only or NETS) and seed in (args.seed or [seed])
            if is_wanted and seed < net.seeds:
                if (args.corpora / net.corpus / STATISTICS).is_file():
                    due.append((name, seed))
                else:
                    absent.add(net.corpus)
    if absent:
        msg.info(f"No corpus in {args.corpora} for nets of {', '.join(sorted(absent))}")
    if not due:
        seeds = ", ".join(f"{name}: {net.seeds}" for name, net in NETS.items())
        raise ValueError(f"There is no net to train. Each has so many seeds, from 0: {seeds}.")
    return due


def train_net(args: argparse.Namespace, name: str, seed: int) -> bool:
    """Train a net in a process of its own, unless it is there. Whether that went well."""
    net = NETS[name]
    folder = args.out / f"{name}-{seed}"
    corpus = srsly.read_json(args.corpora / net.corpus / STATISTICS)
    config = make_config(net, seed, args, corpus["train"])
    settings = {key: value for key, value in config.items() if key != "paths"}
    made_from = srsly.json_dumps({"config": settings, "corpus": corpus})
    key = folder / MADE_FROM
    if folder.exists() and not (key.is_file() and key.read_text() == made_from):
        msg.fail(
            f"{folder} holds something else than {name}, seed {seed}, of this corpus: a net of "
            "another corpus, or of other settings. Name another OUT, or remove that folder."
        )
        return False
    if (folder / DONE).exists():
        msg.info(f"{name}, seed {seed}: trained before")
        return True
    write_bytes(key, made_from.encode())
    config.to_disk(folder / "config.cfg")
    command = [sys.executable, "-m", "spacy", "thematic", "train", str(folder / "config.cfg")]
    with (folder / "log.txt").open("a") as log:
        done = subprocess.run(
            [*command, "--output", str(folder), "--resume"],
            stdout=log,
            stderr=log,
            # oneDNN keeps what it prepares for each shape of a batch, and hardly one comes twice.
            env={**os.environ, "OMP_NUM_THREADS": "1", "ONEDNN_PRIMITIVE_CACHE_CAPACITY": "64"},
        )
    if done.returncode == INTERRUPTED:
        return False
    if done.returncode:
        msg.fail(
            f"{name}, seed {seed}: see {folder / 'log.txt'}. The same command goes on; without "
            f"{folder} it starts anew."
        )
        return False
    best = max(srsly.read_jsonl(folder / "log.jsonl"), key=lambda line: line["score"])
    srsly.write_json(folder / DONE, {"step": best["step"], "score": best["score"]})
    msg.good(f"{name}, seed {seed}: dev accuracy {best['score']:.3f} at step {best['step']}")
    return True


def make_config(net: Net, seed: int, args: argparse.Namespace, train: dict[str, int]) -> Config:
    """train: what the corpus for training holds."""
    config = Config().from_disk(CONFIG, interpolate=False)
    config["paths"].update(
        train=str(args.corpora / net.corpus / "train"),
        dev=str(args.dev or args.corpora / "sen" / "dev"),
        vectors=str(args.vectors),
    )
    config["system"]["seed"] = seed
    config["nlp"]["pipeline"] = ["sentencizer", "thematic_embedder"]
    del config["components"]["thematic_clusterer"]
    embedder = config["components"]["thematic_embedder"]
    embedder["model"].update({"mixed_precision": True, **net.model})
    embedder["loss"] = net.loss if "@losses" in net.loss else {**embedder["loss"], **net.loss}
    by_l1 = embedder["loss"]["distance"] == "L1"
    config["training"].update(frozen_components=[], max_epochs=net.passes, max_steps=args.max_steps)
    config["passes"]["patience"] = net.patience
    # Equally many articles for each corpus: batches of equally many words would give those with
    # foreign sentences or titles fewer, and more updates.
    config["training"]["batcher"] = {
        "@batchers": "spacy.batch_by_sequence.v1",
        "size": max(1, round(SENTENCES_A_STEP * train["articles"] / train["sentences"])),
        "get_length": None,
    }
    config["training"]["score_weights"].update(
        thematic_accuracy=float(not by_l1), thematic_accuracy_l1=float(by_l1)
    )
    return config


if __name__ == "__main__":
    main()
