"""Triplets per second of a training step: ours, the naive way, and a bare PyTorch loop.

    python benchmarks/training_speed.py CORPUS VECTORS [--hidden 300] [--steps 5]

CORPUS is a folder made by `thematic corpus`, VECTORS one made by `thematic vectors`. All three take
the same net (the paper's: BiLSTM, attention), loss, batches of articles, and Adam, one after the
other in this process. The naive way encodes anchor, positive and negative of each triplet; the bare
loop encodes each distinct sentence once, as ours does, without Thinc. Counted are CPU seconds, so
that what else the machine does hardly matters.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import spacy
import torch
from spacy.util import minibatch
from thinc.api import Adam, NumpyOps, fix_random_seed
from wasabi import msg

from spacy_thematic.models.torch.bilstm_attention import BiLSTMAttention
from spacy_thematic.models.word_vectors import build_static_vectors
from spacy_thematic.training.batching import make_batch
from spacy_thematic.triplets.corpus import create_triplet_corpus

# The naive way is slow, and no less steady on fewer triplets.
NAIVE_TRIPLETS = 600


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--hidden", type=int, default=300)
    parser.add_argument("--articles", type=int, default=8, help="articles of a batch")
    parser.add_argument("--steps", type=int, default=5)
    args = parser.parse_args()
    torch.set_num_threads(1)
    nlp = spacy.load(args.vectors)
    reader = create_triplet_corpus(args.corpus / "train", limit=args.articles * args.steps)
    batches = list(minibatch(reader(nlp), size=args.articles))
    ways = {"ours": train_ours, "bare PyTorch": train_bare, "naive": train_naive}
    rates = {}
    for name, way in ways.items():
        fix_random_seed(0)
        start = time.process_time()
        n_triplets = way(nlp, batches, args.hidden)
        rates[name] = n_triplets / (time.process_time() - start)
    rows = [(name, f"{rate:,.0f}", f"{rates['ours'] / rate:.2f}") for name, rate in rates.items()]
    header = ("way", "triplets per CPU second", "ours is so many times as fast")
    msg.table(rows, header=header, aligns=("l", "r", "r"))


def train_ours(nlp, batches, hidden: int) -> int:
    pipeline = spacy.blank("en", vocab=nlp.vocab)
    model = {
        "@architectures": "spacy-thematic.BiLSTMAttention.v1",
        "hidden_width": hidden,
        "embed": {"@architectures": "spacy-thematic.StaticVectors.v1"},
    }
    config = {"model": model, "loss": {"@losses": "spacy-thematic.SoftmaxRatio.v1"}}
    embedder = pipeline.add_pipe("thematic_embedder", config=config)
    embedder.initialize(lambda: batches[0])
    optimizer = Adam(0.001, use_averages=False)
    for batch in batches:
        embedder.update(batch, sgd=optimizer)
    return count_triplets(batches)


def train_bare(nlp, batches, hidden: int) -> int:
    net = BiLSTMAttention(nlp.vocab.vectors.shape[1], hidden)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
    for batch in batches:
        words, lengths, triplets = look_up(batch)
        vectors = net(words, lengths)
        step(optimizer, *(vectors[triplets[:, i]] for i in range(3)))
    return count_triplets(batches)


def train_naive(nlp, batches, hidden: int) -> int:
    net = BiLSTMAttention(nlp.vocab.vectors.shape[1], hidden)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
    for batch in batches:
        words, lengths, triplets = look_up(batch)
        starts = torch.cumsum(lengths, 0) - lengths
        some = triplets[: NAIVE_TRIPLETS // len(batches)]
        encoded = []
        for i in range(3):
            rows = some[:, i]
            index = [torch.arange(int(starts[r]), int(starts[r] + lengths[r])) for r in rows]
            encoded.append(net(words[torch.cat(index)], lengths[rows]))
        step(optimizer, *encoded)
    return NAIVE_TRIPLETS


def look_up(batch):
    inputs, rows = make_batch(NumpyOps(), batch)
    words = build_static_vectors().predict(inputs)
    return (
        torch.from_numpy(words.dataXd),
        torch.from_numpy(np.asarray(words.lengths)).long(),
        torch.from_numpy(np.asarray(rows.triplets)).long(),
    )


def step(optimizer, anchor, positive, negative) -> None:
    difference = (anchor - positive).abs().sum(1) - (anchor - negative).abs().sum(1)
    loss = (2 * torch.sigmoid(difference)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def count_triplets(batches) -> int:
    return sum(
        len(example.reference.spans["triplets"].attrs["triplets"])
        for batch in batches
        for example in batch
    )


if __name__ == "__main__":
    main()
