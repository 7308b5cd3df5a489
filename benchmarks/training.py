"""Training the paper's net: triplets a second beside other ways.

    python -m benchmarks.training --data DATA [--documents 200] [--hidden 300] [--steps 8]

"Ours" is a step of the loop of `thematic train`, with Thinc and spaCy around the net. Bare PyTorch
has the same net, batches and Adam, and looks words up beforehand; the naive way encodes anchor,
positive and negative of each triplet. They take turns, batch by batch, after a step that is not
counted. Seconds are the processor's, on one thread. Word vectors are
`DATA/vectors/glove6b-100d-120k.npz`.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import spacy
import torch
from spacy.util import minibatch
from thinc.api import Adam, NumpyOps, fix_random_seed

from benchmarks.harness import Row, draw_articles, find_sources, make_parser, parse, print_report
from spacy_thematic.models.torch.bilstm_attention import BiLSTMAttention
from spacy_thematic.models.vector_tables import load_word_vectors
from spacy_thematic.models.word_vectors import look_up_vectors
from spacy_thematic.pipeline.batching import make_batch
from spacy_thematic.triplets.corpus import create_triplet_corpus
from spacy_thematic.triplets.corpus_builder import build_corpus
from spacy_thematic.triplets.rules import CorpusSettings

BATCH = 8
"""Documents."""

NAIVE_TRIPLETS = 100
"""The naive way is slow, and no less steady on fewer triplets."""

Step = Callable[[Any], int]
"""Trains on a batch; returns the number of triplets."""


def main() -> None:
    parser = make_parser(__doc__, sources=("wikipedia/train",), documents=200, models=())
    parser.add_argument("--hidden", type=int, default=300, help="the width of the net")
    parser.add_argument("--steps", type=int, default=8, help="that are counted")
    args = parse(parser)
    torch.set_num_threads(1)
    if args.quick:
        args.documents, args.hidden, args.steps = 30, 16, 1
    source, *_ = find_sources(args)
    with TemporaryDirectory() as name:
        work = Path(name)
        vectors = work / "vectors"
        table = args.data / "vectors/glove6b-100d-120k.npz"
        spacy.blank("en", vocab=load_word_vectors(table)).to_disk(vectors)
        build_corpus(draw_articles(source, args), work / "corpus", CorpusSettings())
        rows = compare_speed(work / "corpus", vectors, args)
    print_report(args, {f"The paper's net, hidden width {args.hidden}": rows})


def compare_speed(corpus: Path, vectors: Path, args: argparse.Namespace) -> list[Row]:
    """Triplets a second of each way to train."""
    nlp = spacy.load(vectors)
    reader = create_triplet_corpus(corpus / "train", limit=BATCH * (args.steps + 1))
    batches = list(minibatch(reader(nlp), size=BATCH))
    net = {
        "model": {
            "@architectures": "spacy-thematic.BiLSTMAttention.v1",
            "hidden_width": args.hidden,
            "embed": {"@architectures": "spacy-thematic.StaticVectors.v1"},
        },
        "loss": {"@losses": "spacy-thematic.SoftmaxRatio.v1"},
    }
    bare = BareLoop(nlp.vocab, batches, args.hidden)
    ways = {"ours": make_ours(nlp, net, batches), "bare PyTorch": bare.step, "naive": bare.naive}
    return compare(measure_rates(ways, batches))


def measure_rates(ways: dict[str, Step], batches: list) -> dict[str, float]:
    triplets, seconds = dict.fromkeys(ways, 0), dict.fromkeys(ways, 0.0)
    for number, batch in enumerate(batches):
        for name, step in ways.items():
            fix_random_seed(number)
            start = time.process_time()
            n = step(batch)
            if number:
                seconds[name] += time.process_time() - start
                triplets[name] += n
    return {name: triplets[name] / seconds[name] for name in ways}


def compare(rates: dict[str, float]) -> list[Row]:
    return [
        {
            "trained by": name,
            "triplets a second": f"{rate:,.0f}",
            "ours is so many times as fast": f"{rates['ours'] / rate:.2f}",
        }
        for name, rate in rates.items()
    ]


def make_ours(nlp, config: dict, batches: list) -> Step:
    pipeline = spacy.blank("en", vocab=nlp.vocab)
    embedder = pipeline.add_pipe("thematic_embedder", config=config)
    embedder.initialize(lambda: [example for batch in batches for example in batch])
    optimizer = Adam(0.001, use_averages=False)

    def step(batch) -> int:
        pipeline.update(batch, sgd=optimizer)
        return sum(len(example.reference.spans["triplets"].attrs["triplets"]) for example in batch)

    return step


class BareLoop:
    """What one would write without spaCy: an embedding, the net, torch's Adam."""

    def __init__(self, vocab, batches: list, hidden: int):
        inputs = [make_batch(NumpyOps(), batch) for batch in batches]
        tokens = [spans.words for spans, _ in inputs]
        orth, lower = (np.concatenate([found[i] for found in tokens]) for i in range(2))
        forms, first = np.unique(orth, return_index=True)
        table = torch.from_numpy(look_up_vectors(vocab, forms, lower[first], normalize=True))
        self.embedding = torch.nn.Embedding.from_pretrained(table)
        self.prepared = {
            id(batch): (
                torch.from_numpy(np.searchsorted(forms, words)),
                torch.from_numpy(lengths).long(),
                torch.from_numpy(np.asarray(rows.triplets)).long(),
            )
            for batch, (words, _, lengths), (_, rows) in zip(batches, tokens, inputs)
        }
        self.net = BiLSTMAttention(table.shape[1], hidden)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=0.001)

    def step(self, batch) -> int:
        words, lengths, triplets = self.prepared[id(batch)]
        vectors = self.net(self.embedding(words), lengths)
        self.learn(*(vectors[triplets[:, i]] for i in range(3)))
        return len(triplets)

    def naive(self, batch) -> int:
        words, lengths, triplets = self.prepared[id(batch)]
        starts = torch.cumsum(lengths, 0) - lengths
        some = triplets[:NAIVE_TRIPLETS]
        encoded = []
        for i in range(3):
            rows = some[:, i]
            index = [torch.arange(int(starts[r]), int(starts[r] + lengths[r])) for r in rows]
            encoded.append(self.net(self.embedding(words[torch.cat(index)]), lengths[rows]))
        self.learn(*encoded)
        return len(some)

    def learn(self, anchor, positive, negative) -> None:
        difference = (anchor - positive).abs().sum(1) - (anchor - negative).abs().sum(1)
        loss = (2 * torch.sigmoid(difference)).mean()
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimizer.step()


if __name__ == "__main__":
    main()
