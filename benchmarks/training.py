"""Training the paper's net: triplets a second beside other ways, and growth.

    python -m benchmarks.training --data DATA [--documents 200] [--hidden 300] [--steps 8]

"Ours" is a step of the loop of `thematic train`, with Thinc and spaCy around the net. Bare PyTorch
has the same net, batches and Adam, and looks words up beforehand; the naive way encodes anchor,
positive and negative of each triplet. They take turns, batch by batch, after a step that is not
counted. The static net is WeightedMean with the margin loss; beside it, if they are installed
("sentence-transformers[train]"), the trainer of sentence-transformers with a StaticEmbedding of the
same table, TripletLoss and as many triplets a batch, which tokenizes as it goes. Seconds are the
processor's, on one thread.

Growth: 1, 4 and 16 times `--documents`, `configs/paper.cfg`; the time of an update, by the clock,
is the difference of two runs. Linux only. Word vectors are
`DATA/vectors/glove6b-100d-120k.npz`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import spacy
import srsly
import torch
from spacy.util import minibatch
from thinc.api import Adam, NumpyOps, fix_random_seed

from benchmarks.harness import ROOT, Row, draw, find_sources, make_parser, parse, print_report
from benchmarks.processes import children_of, measure
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.models.torch.bilstm_attention import BiLSTMAttention
from spacy_thematic.models.vector_tables import load_word_vectors
from spacy_thematic.models.word_vectors import look_up_vectors
from spacy_thematic.pipeline.batching import make_batch
from spacy_thematic.triplets.corpus import create_triplet_corpus

THEMATIC = [sys.executable, "-m", "spacy_thematic"]
GROWTH = (1, 4, 16)
FIRST_UPDATES = 2
SETTINGS = {
    "corpora.dev.limit": 5,
    "training.eval_frequency": 100_000,
    "training.max_epochs": 0,
}

BATCH = 8
"""Documents."""

NAIVE_TRIPLETS = 100
"""The naive way is slow, and no less steady on fewer triplets."""

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
    parser = make_parser(__doc__, sources=("wikipedia/train",), documents=200, models=())
    parser.add_argument("--hidden", type=int, default=300, help="the width of the net")
    parser.add_argument("--updates", type=int, default=12, help="whose time is taken")
    parser.add_argument("--steps", type=int, default=8, help="that are counted")
    args = parse(parser)
    torch.set_num_threads(1)
    if args.quick:
        args.documents, args.hidden, args.steps, args.updates = 30, 16, 1, 1
    growth = GROWTH[:1] if args.quick else GROWTH
    with TemporaryDirectory() as name:
        work = Path(name)
        vectors = work / "vectors"
        table = args.data / "vectors/glove6b-100d-120k.npz"
        vocab = load_word_vectors(table, 20_000 if args.quick else 0)
        spacy.blank("en", vocab=vocab).to_disk(vectors)
        corpora = build_corpora(args, work, growth)
        tables = compare_speed(corpora[growth[-1]], vectors, args)
        tables["Growth"] = list(measure_growth(corpora, vectors, work, args))
    print_report(args, tables)


def build_corpora(args: argparse.Namespace, work: Path, growth: tuple[int, ...]) -> dict[int, Path]:
    """Corpora of random articles, by their size; the larger hold the smaller."""
    source, *_ = find_sources(args)
    wanted = argparse.Namespace(seed=args.seed, documents=args.documents * growth[-1])
    articles = [article.to_dict() for article in draw([*read_articles(source.path)], wanted)]
    corpora = {factor: work / f"corpus-{factor}" for factor in growth}
    for factor, corpus in corpora.items():
        records = work / f"{factor}.jsonl"
        srsly.write_jsonl(records, articles[: args.documents * factor])
        measure([*THEMATIC, "corpus", records, corpus, "--shares", "8/1/1"], children_of)
    return corpora


def measure_growth(
    corpora: dict[int, Path], vectors: Path, work: Path, args: argparse.Namespace
) -> Iterator[Row]:
    """A row for each size."""
    for factor in corpora:
        runs = []
        for updates in (FIRST_UPDATES, FIRST_UPDATES + args.updates):
            out = work / "trained" / str(updates)
            settings = {"paths.vectors": vectors, "training.max_steps": updates, **SETTINGS}
            train: list[object] = ["train", ROOT / "configs/paper.cfg", "--output", out]
            for name in ("train", "dev"):
                train += [f"--paths.{name}", corpora[factor] / name]
            for setting, value in settings.items():
                train += [f"--{setting}", value]
            runs.append(measure([*THEMATIC, *train], children_of))
        few, many = runs
        each = (many.clock - few.clock) / args.updates
        yield {
            "documents": f"{args.documents * factor:,}",
            "start and end, s": f"{few.clock - FIRST_UPDATES * each:.1f}",
            "s an update": f"{each:.2f}",
            "memory, MiB": f"{many.memory:.0f}",
        }


def compare_speed(corpus: Path, vectors: Path, args: argparse.Namespace) -> dict[str, list[Row]]:
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
    static = measure_rates({"ours": make_ours(nlp, STATIC, batches)}, batches)
    if all(map(find_spec, PEER)):
        static["sentence-transformers"] = measure_peer(batches)
    return {
        f"The paper's net, hidden width {args.hidden}": compare(measure_rates(ways, batches)),
        "The static net": compare(static),
    }


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


def measure_peer(batches: list) -> float:
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
    with TemporaryDirectory() as folder:
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
