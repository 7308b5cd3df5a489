"""Learning where sections begin from the words of windows of sentences.

python scripts/learn_windows.py MODEL CORPUS OUT

The layers start from those of an encoder, whose word pieces they read; the encoder stays as it is.
A step is made of the seed and its number alone, so a run that goes on from a checkpoint is the run
that was never interrupted.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import spacy
import torch
import torch.nn.functional as F
import typer
from torch import Tensor

from learn_boundaries import RUN_LENGTHS, find_text_order
from spacy_thematic.models.quantized import take_rows
from spacy_thematic.models.torch.word_windows import WordWindows
from spacy_thematic.models.torch_wrapper import get_module
from spacy_thematic.models.word_pieces import WordPieces
from spacy_thematic.pretrained import find_pretrained
from spacy_thematic.triplets.compiled import CompiledCorpus, open_compiled

MAX_LENGTH, MAX_SENTENCES, MAX_WORDS = 64, 32, 256
NEW_RATE = 4.0
"""The learning rate of what is new, in units of that of the copied layers."""


class Texts:
    """Articles as the rows of their word pieces.

    Attributes:
        pieces: of all sentences, one after the other.
        starts: where the pieces of each sentence begin, and the end.
        begins: whether a section begins at each sentence.
        spans: the first sentence of each article, and that after its last.
    """

    def __init__(self, corpus: CompiledCorpus, cut: WordPieces):
        rows_of_form = [cut(form.lower()) for form in corpus.forms]
        sizes_of_form = np.array([len(rows) for rows in rows_of_form])
        flat = np.concatenate(rows_of_form)
        firsts = np.cumsum(sizes_of_form) - sizes_of_form
        pieces, lengths, begins, n_sentences = [], [], [], []
        for number in range(len(corpus)):
            batch = corpus.take([number])
            order = find_text_order(batch)
            ends = np.cumsum(batch.lengths)
            for row in order:
                words = batch.words[ends[row] - batch.lengths[row] : ends[row]]
                spans = [
                    flat[firsts[word] : firsts[word] + sizes_of_form[word]] for word in words
                ]
                found = np.concatenate(spans)[:MAX_LENGTH]
                pieces.append(found.astype("int32"))
                lengths.append(len(found))
            begins.append(np.diff(batch.sections[order], prepend=-1) != 0)
            n_sentences.append(len(order))
        self.pieces = np.concatenate(pieces)
        self.starts = np.append(0, np.cumsum(lengths))
        self.begins = np.concatenate(begins)
        ends = np.cumsum(n_sentences)
        self.spans = np.stack([ends - n_sentences, ends], axis=1)[np.array(n_sentences) > 2]

    def draw(self, rng: np.random.Generator, mixed: float) -> tuple[np.ndarray, np.ndarray]:
        """The sentences of a window, and whether a section begins at each."""
        if rng.random() >= mixed:
            start, end = self.spans[rng.integers(len(self.spans))]
            rows = np.arange(rng.integers(start, max(end - 8, start + 1)), end)[:MAX_SENTENCES]
            return self._limit(rows, self.begins[rows])
        least, most = RUN_LENGTHS[rng.integers(len(RUN_LENGTHS))]
        rows, begins = [], []
        while sum(map(len, rows)) < MAX_SENTENCES:
            start, end = self.spans[rng.integers(len(self.spans))]
            length = min(int(rng.integers(least, most, endpoint=True)), end - start)
            start += int(rng.integers(end - start - length + 1))
            # The first run is one of which the window holds the end.
            length = length if rows else int(rng.integers(1, length + 1))
            rows.append(np.arange(start, start + length))
            begins.append(np.arange(length) == 0)
        return self._limit(
            np.concatenate(rows)[:MAX_SENTENCES], np.concatenate(begins)[:MAX_SENTENCES]
        )

    def _limit(self, rows: np.ndarray, begins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        sizes = self.starts[rows + 1] - self.starts[rows]
        n = max(2, int(np.searchsorted(np.cumsum(sizes), MAX_WORDS, side="right")))
        return rows[:n], begins[:n]

    def read(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The pieces of sentences, one after the other, and how many each has."""
        found = [self.pieces[self.starts[row] : self.starts[row + 1]] for row in rows]
        return np.concatenate(found), np.array([len(one) for one in found])


def main(
    model: str = typer.Argument(..., help="Encoder of word pieces, with a transformer"),
    corpus: Path = typer.Argument(..., help="Corpus with train and dev"),
    out: Path = typer.Argument(..., help="Folder"),
    steps: int = typer.Option(2000),
    n_windows: int = typer.Option(8, help="Of a step"),
    rate: float = typer.Option(2e-4),
    mixed: float = typer.Option(0.25, help="Share of windows of runs of several articles"),
    frozen: int = typer.Option(0, help="Layers that stay as they are"),
    seed: int = typer.Option(0),
):
    """Train, and write OUT/last.pt; an interrupted run goes on from it."""
    torch.manual_seed(seed)
    embed, table, net = make_net(model)
    cut = WordPieces(embed.attrs["pieces"], embed.attrs["max_pieces"], embed.attrs["whole"])
    vocab = spacy.blank("en").vocab
    dev = Texts(open_compiled(corpus / "dev", vocab), cut)
    train = Texts(open_compiled(corpus / "train", vocab), cut)
    print(f"{len(train.spans):,} articles, {len(train.pieces):,} word pieces", flush=True)
    for layer in net.layers[:frozen]:
        layer.requires_grad_(False)
    weights = [weight for weight in net.parameters() if weight.requires_grad]
    copied = {id(weight) for part in (net.layers, net.norm) for weight in part.parameters()}
    groups = [
        {"params": [one for one in weights if id(one) in copied], "times": 1.0},
        {"params": [one for one in weights if id(one) not in copied], "times": NEW_RATE},
    ]
    optimizer = torch.optim.AdamW(groups, rate, betas=(0.9, 0.98), weight_decay=0.01)
    first = 0
    out.mkdir(parents=True, exist_ok=True)
    last = out / "last.pt"
    if last.exists():
        saved = torch.load(last)
        first = saved["step"]
        net.load_state_dict(saved["net"])
        optimizer.load_state_dict(saved["optimizer"])
    began, sums = time.time(), []
    for step in range(first, steps):
        for group in optimizer.param_groups:
            group["lr"] = group["times"] * rate * min((step + 1) / 100, 0.02 + 0.98 * (1 - step / steps))
        loss = find_loss(net, table, train, np.random.default_rng((seed, step)), n_windows, mixed)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        sums.append(float(loss.detach()))
        if (step + 1) % 100 == 0 or step + 1 == steps:
            saved = {"step": step + 1, "net": net.state_dict(), "optimizer": optimizer.state_dict()}
            torch.save(saved, out / "next.pt")
            (out / "next.pt").replace(last)
        if (step + 1) % 250 == 0 or step + 1 == steps:
            scores = evaluate(net, table, dev)
            line = f"{step + 1} {time.time() - began:.0f}s loss {np.mean(sums):.4f} {scores}"
            print(line, flush=True)
            sums = []


def make_net(model: str) -> tuple[Any, Tensor, WordWindows]:
    """The layer of an encoder's word pieces, their vectors, and a net with copies of its layers."""
    pretrained = find_pretrained(model)
    built = pretrained.build()
    pretrained.fill(built)
    nodes = {node.name: node for node in built.walk()}
    embed, encoder = nodes["word_piece_vectors"], nodes["transformer_mean"]
    base = get_module(encoder.layers[1])
    width, inner = base.positions.shape[1], base.layers[0].inner.out_features
    net = WordWindows(
        width, len(base.layers), base.layers[0].n_heads, inner, 256, MAX_LENGTH, MAX_SENTENCES
    )
    with torch.no_grad():
        net.positions.copy_(base.positions[:MAX_LENGTH])
        net.norm.load_state_dict(base.norm.state_dict())
        net.layers.load_state_dict(base.layers.state_dict())
        net.out.weight.zero_()
        net.out.bias.fill_(-2.0)
    table = torch.tensor(take_rows(embed, np.arange(len(embed.attrs["pieces"]))))
    return embed, table, net


def find_loss(
    net: WordWindows,
    table: Tensor,
    texts: Texts,
    rng: np.random.Generator,
    n_windows: int,
    mixed: float,
) -> Tensor:
    """Logistic loss over the gaps of random windows."""
    rows, begins = zip(*(texts.draw(rng, mixed) for _ in range(n_windows)))
    logits, labels = read_windows(net, table, texts, list(rows)), np.concatenate(begins)
    is_gap = torch.tensor(np.concatenate([np.arange(len(one)) > 0 for one in rows]))
    target = torch.tensor(labels).float()
    return F.binary_cross_entropy_with_logits(logits[is_gap], target[is_gap])


def read_windows(net: WordWindows, table: Tensor, texts: Texts, rows: list[np.ndarray]) -> Tensor:
    pieces, lengths = texts.read(np.concatenate(rows))
    windows = torch.tensor([len(one) for one in rows])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = net(table[torch.tensor(pieces).long()], torch.tensor(lengths), windows)
    return found.float()


def evaluate(net: WordWindows, table: Tensor, dev: Texts, n: int = 400) -> str:
    """Average precision and loss on random windows, half of them mixed, told apart."""
    from sklearn.metrics import average_precision_score

    found = []
    for mixed in (0.0, 1.0):
        rng = np.random.default_rng(1)
        rows, begins = zip(*(dev.draw(rng, mixed) for _ in range(n)))
        with torch.no_grad():
            parts = [
                read_windows(net, table, dev, list(rows[start : start + 50])).numpy()
                for start in range(0, n, 50)
            ]
        is_gap = np.concatenate([np.arange(len(one)) > 0 for one in rows])
        logits, labels = np.concatenate(parts)[is_gap], np.concatenate(begins)[is_gap]
        loss = np.mean(np.logaddexp(0, logits) - labels * logits)
        found.append(f"{average_precision_score(labels, logits):.4f} ({loss:.4f})")
    return " ".join(found)


if __name__ == "__main__":
    typer.run(main)
