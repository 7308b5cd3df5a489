"""Triplets per CPU second of training: ours against bare PyTorch, the naive way and a peer.

    python -m benchmarks.training_speed CORPUS VECTORS [--hidden 300] [--steps 5]

CORPUS is a folder made by `thematic corpus`, VECTORS one made by `thematic vectors`. The paper's
net: ours is a step of the loop of `thematic train`, with Thinc and spaCy around the net; the bare
PyTorch loop has the same net, batches of articles and Adam, and word numbers looked up beforehand;
the naive way encodes anchor, positive and negative of each triplet. They take turns, batch by
batch, after a step that is not counted. The static net: ours is WeightedMean with the margin loss;
the peer, if it and what its trainer needs are installed ("sentence-transformers[train]"), is
sentence-transformers' trainer with a StaticEmbedding of the same table, TripletLoss, and as many
triplets a batch; it tokenizes as it goes, which ours has done when the corpus was made. CPU seconds
are counted, so that what else the machine does matters less.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import spacy
import torch
from spacy.util import minibatch
from thinc.api import Adam, NumpyOps, fix_random_seed
from wasabi import msg

from spacy_thematic.models.torch.bilstm_attention import BiLSTMAttention
from spacy_thematic.models.word_vectors import look_up_vectors
from spacy_thematic.pipeline.batching import make_batch
from spacy_thematic.triplets.corpus import create_triplet_corpus

# The naive way is slow, and no less steady on fewer triplets.
NAIVE_TRIPLETS = 100
STATIC = {
    "model": {
        "@architectures": "spacy-thematic.WeightedMean.v1",
        "min_count": 1,
        "embed": {
            "@architectures": "spacy-thematic.LearnedVectors.v1",
            "width": 300,
            "min_count": 1,
            "unknown_rows": 1,
            "from_static": False,
        },
    },
    "loss": {"@losses": "spacy-thematic.TripletMargin.v1"},
}

PEER = ("sentence_transformers", "accelerate", "datasets")
"""What the peer and its trainer need."""

Step = Callable[[Any], int]
"""Trains on a batch; returns the number of triplets."""


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
    reader = create_triplet_corpus(args.corpus / "train", limit=args.articles * (args.steps + 1))
    batches = list(minibatch(reader(nlp), size=args.articles))
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
    print_rates("paper's net", measure(ways, batches))
    rates = measure({"ours": make_ours(nlp, STATIC, batches)}, batches)
    if all(map(find_spec, PEER)):
        rates["sentence-transformers"] = measure_peer(batches)
    print_rates("static net", rates)


def measure(ways: dict[str, Step], batches: list) -> dict[str, float]:
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


def print_rates(title: str, rates: dict[str, float]) -> None:
    rows = [(name, f"{rate:,.0f}", f"{rates['ours'] / rate:.2f}") for name, rate in rates.items()]
    header = (title, "triplets per CPU second", "ours is so many times as fast")
    msg.table(rows, header=header, aligns=("l", "r", "r"))


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


def measure_peer(batches: list) -> float:
    import tempfile

    from datasets import Dataset
    from sentence_transformers import (
        SentenceTransformer,
        SentenceTransformerTrainer,
        SentenceTransformerTrainingArguments,
    )
    from sentence_transformers.sentence_transformer.losses import TripletLoss
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import TrainerCallback

    class Clock(TrainerCallback):
        """The steps after the first, in CPU seconds."""

        def on_step_end(self, args, state, control, **kwargs):
            if state.global_step == 1:
                self.start = time.process_time()
            self.seconds = time.process_time() - self.start
            self.steps = state.global_step - 1

    texts, triplets = read_texts(batches)
    words = sorted({word for text in texts for word in text.split()})
    vocabulary = {word: number for number, word in enumerate(["[UNK]", *words])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    model = SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_dim=300)])
    names = ("anchor", "positive", "negative")
    columns = {name: [texts[t[i]] for t in triplets] for i, name in enumerate(names)}
    clock = Clock()
    size = len(triplets) // len(batches)
    with tempfile.TemporaryDirectory() as folder:
        settings = SentenceTransformerTrainingArguments(
            output_dir=folder,
            num_train_epochs=1,
            per_device_train_batch_size=size,
            learning_rate=0.001,
            save_strategy="no",
            report_to="none",
            dataloader_drop_last=True,
            disable_tqdm=True,
            use_cpu=True,
        )
        trainer = SentenceTransformerTrainer(
            model=model,
            args=settings,
            train_dataset=Dataset.from_dict(columns),
            loss=TripletLoss(model),
            callbacks=[clock],
        )
        trainer.train()
    return clock.steps * size / clock.seconds


def read_texts(batches: list) -> tuple[list[str], list[tuple[int, ...]]]:
    """The sentences of all articles in lower case, tokens parted by spaces, and the triplets."""
    texts: list[str] = []
    triplets: list[tuple[int, ...]] = []
    for example in (example for batch in batches for example in batch):
        spans = example.reference.spans
        for triplet in spans["triplets"].attrs["triplets"]:
            triplets.append(tuple(len(texts) + row for row in triplet))
        texts += [" ".join(t.lower_ for t in s if not t.is_space) for s in spans["sentences"]]
    return texts, triplets


if __name__ == "__main__":
    main()
