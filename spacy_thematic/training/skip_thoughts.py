"""Training of skip-thoughts: the sentences around a sentence are foretold (Kiros et al. 2015)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import srsly
import torch
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import load_model_from_config, registry
from thinc.api import Config, Model, Optimizer, PyTorchWrapper_v3, fix_random_seed

from spacy_thematic.files import write_bytes, write_folder
from spacy_thematic.models.spans import make_doc_spans
from spacy_thematic.models.torch.gru import GRUEncoder
from spacy_thematic.models.torch.skip_thoughts import SkipThoughts
from spacy_thematic.models.torch_wrapper import get_module, load_state, save_state
from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.training.checkpoints import (
    CHECKPOINT,
    Progress,
    load_checkpoint,
    save_checkpoint,
)
from spacy_thematic.training.checks import check_vectors
from spacy_thematic.training.runner import LAST, LOG
from spacy_thematic.triplets.docbin import SENTENCES
from spacy_thematic.triplets.paragraphs import Paragraphs

# The softmax over the whole vocabulary is slow.
EVALUATED_SENTENCES = 512


@dataclass
class SkipThoughtsTrainer:
    """Trains the encoder of a pipeline, with two decoders that are thrown away at the end.

    The settings are those of `create_skip_thoughts`.
    """

    optimizer: Optimizer
    vocabulary_size: int
    batch_size: int
    max_epochs: int
    max_steps: int
    eval_frequency: int

    def count_steps(self, paragraphs: Paragraphs) -> int:
        """How many steps a whole run takes."""
        of_epochs = len(_make_batches(paragraphs, self.batch_size, "")) * self.max_epochs
        return min(of_epochs or self.max_steps, self.max_steps or of_epochs)

    def train(
        self, nlp: Language, paragraphs: Paragraphs, output: Path, *, resume: bool = False
    ) -> Iterator[dict[str, Any]]:
        """Write `output/model-last`, `output/log.jsonl`, a line for each step, and
        `output/checkpoint.msgpack`. Yields the lines: "step", "epoch", "loss" (the mean of -log p
        over the foretold words of the batch, among the words of the batch), and after an
        evaluation "perplexity", exp of the mean of -log p over about 512 dev sentences, among the
        whole vocabulary.

        nlp: as from `make_pipeline`. resume: go on from the checkpoint at `output`, if there is
        one. Raises ValueError if the loss is not finite, or the checkpoint is of another run.
        """
        run = _Run(nlp, paragraphs, self.vocabulary_size)
        progress = Progress()
        log: list[dict[str, Any]] = []
        if resume and (output / CHECKPOINT).exists():
            progress = load_checkpoint(output / CHECKPOINT, run.models, self.optimizer)
            log = [line for line in srsly.read_jsonl(output / LOG) if line["step"] <= progress.step]
        seed = nlp.config["system"]["seed"] or 0
        last = self.count_steps(paragraphs)
        while progress.step < last:
            batches = _make_batches(paragraphs, self.batch_size, f"{seed}-{progress.epoch}")
            for batch in batches[progress.batch : progress.batch + last - progress.step]:
                loss = run.update(batch, self.optimizer)
                progress.step += 1
                progress.batch += 1
                line = {"step": progress.step, "epoch": progress.epoch, "loss": loss}
                log.append(line)
                if progress.step == last or not progress.step % self.eval_frequency:
                    line["perplexity"] = run.evaluate(self.batch_size)
                    write_folder(output / LAST, nlp.to_disk)
                    lines = "".join(srsly.json_dumps(entry) + "\n" for entry in log)
                    write_bytes(output / LOG, lines.encode())
                    save_checkpoint(output / CHECKPOINT, run.models, self.optimizer, progress)
                yield line
            progress.epoch += 1
            progress.batch = 0


@registry.misc("spacy-thematic.SkipThoughts.v1")
def create_skip_thoughts(
    optimizer: Optimizer,
    vocabulary_size: int = 20_000,
    batch_size: int = 128,
    max_epochs: int = 1,
    max_steps: int = 0,
    eval_frequency: int = 200,
) -> SkipThoughtsTrainer:
    """How `thematic skip-thoughts` trains.

    vocabulary_size: the most frequent lower-case words, which are foretold; all are read.
    batch_size: sentences, about. max_epochs, max_steps: when to stop, 0 for no limit.
    eval_frequency: steps from one evaluation and checkpoint to the next.
    """
    for name, value in {"vocabulary_size": vocabulary_size, "batch_size": batch_size}.items():
        if value < 1:
            raise ValueError(f"Expected {name} of [skip_thoughts] to be at least 1, found {value}.")
    if not (max_epochs or max_steps):
        raise ValueError("Training would not end: set max_epochs or max_steps of [skip_thoughts].")
    return SkipThoughtsTrainer(
        optimizer, vocabulary_size, batch_size, max_epochs, max_steps, eval_frequency
    )


def make_trainer(config: Config) -> SkipThoughtsTrainer:
    """The trainer of a recipe's [skip_thoughts] block."""
    if "skip_thoughts" not in config:
        raise ValueError(
            "The config has no [skip_thoughts] block: take the recipe configs/skip_thoughts.cfg."
        )
    block = {"skip_thoughts": config.interpolate()["skip_thoughts"]}
    return registry.resolve(block)["skip_thoughts"]


def make_pipeline(config: Config) -> Language:
    """The untrained pipeline of a recipe for skip-thoughts, with the word vectors of its
    [initialize] block. Raises ValueError if its thematic embedder is another encoder."""
    fix_random_seed(config["system"]["seed"] or 0)
    nlp = load_model_from_config(config, auto_fill=True)
    doc = Doc(nlp.vocab, words=["Word"])
    doc.spans[SENTENCES] = [doc[:]]
    nlp.initialize(lambda: [Example(doc.copy(), doc)])
    _find_encoder(nlp)
    return nlp


class _Run:
    """Encoder, decoders, and the words of the paragraphs as vectors and as numbers."""

    def __init__(self, nlp: Language, paragraphs: Paragraphs, vocabulary_size: int):
        embed, encoder = _find_encoder(nlp)
        self.paragraphs = paragraphs
        self.vectors = _look_up(nlp, embed, paragraphs.forms)
        self.numbers, frequencies = _make_vocabulary(paragraphs, vocabulary_size)
        self.device = next(encoder.parameters()).device
        self.module = SkipThoughts(encoder, self.vectors.shape[1], torch.from_numpy(frequencies))
        wrapped: Model = PyTorchWrapper_v3(
            self.module.to(self.device), serialize_model=save_state, deserialize_model=load_state
        )
        self.models = {"skip_thoughts": wrapped}

    def update(self, batch: np.ndarray, optimizer: Optimizer) -> float:
        """A step of training on paragraphs, given by their numbers. Returns the loss."""
        self.module.train()
        total, n_words = self._foretell(batch)
        loss = total / n_words
        if not torch.isfinite(loss):
            raise ValueError(
                f"The loss of skip-thoughts is {loss.item()}: lower the learning rate, "
                "--skip_thoughts.optimizer.learn_rate."
            )
        loss.backward()
        self.models["skip_thoughts"].finish_update(optimizer)
        optimizer.step_schedules()
        return loss.item()

    def evaluate(self, batch_size: int) -> float:
        """The perplexity of the first dev paragraphs."""
        self.module.eval()
        dev = np.flatnonzero(self.paragraphs.is_dev)
        batches = _cut(dev, self.paragraphs, batch_size)[: -(-EVALUATED_SENTENCES // batch_size)]
        total, n_words = 0.0, 0
        with torch.no_grad():
            for batch in batches:
                batch_total, batch_words = self._foretell(batch)
                total += batch_total.item()
                n_words += batch_words
        return float(np.exp(total / n_words))

    def _foretell(self, batch: np.ndarray) -> tuple[torch.Tensor, int]:
        words, lengths, firsts = self.paragraphs.take(batch)
        arrays = (self.vectors[words], lengths, self.numbers[words], firsts)
        return self.module(*(torch.from_numpy(array).to(self.device) for array in arrays))


def _find_encoder(nlp: Language) -> tuple[Model, GRUEncoder]:
    """The layer that gives words vectors, and the module over them."""
    model = find_embedder(nlp).model
    encoder = get_module(model.layers[1]) if model.name == "gru_encoder" else None
    if not isinstance(encoder, GRUEncoder) or not model.layers[0].attrs["frozen"]:
        raise ValueError(
            "Skip-thoughts train spacy-thematic.GRUEncoder.v1 over vectors that are not learned, "
            f"spacy-thematic.StaticVectors.v1; the thematic_embedder is a {model.name}. Take the "
            "recipe configs/skip_thoughts.cfg."
        )
    return model.layers[0], encoder


def _look_up(nlp: Language, embed: Model, forms: list[str]) -> np.ndarray:
    """The vectors of word forms, float32 (forms, width)."""
    doc = Doc(nlp.vocab, words=forms)
    check_vectors(nlp.vocab, [Example(doc, doc)])
    vectors = embed.predict(make_doc_spans(embed.ops, [doc], [[doc[:]]])).dataXd
    return vectors.get() if hasattr(vectors, "get") else vectors


def _make_vocabulary(paragraphs: Paragraphs, size: int) -> tuple[np.ndarray, np.ndarray]:
    """For each form its number in the vocabulary, or -1, int64; and the share of each word of the
    vocabulary, and of the ends of sentences, float32 (vocabulary + 1,)."""
    words, number = np.unique([form.lower() for form in paragraphs.forms], return_inverse=True)
    counts = np.bincount(number[paragraphs.words], minlength=len(words))
    kept = np.argsort(-counts, kind="stable")[:size]
    numbers = np.full(len(words), -1)
    numbers[kept] = np.arange(len(kept))
    known = np.append(counts[kept], len(paragraphs.sentences) - 1)
    return numbers[number], (known / known.sum()).astype("f")


def _make_batches(paragraphs: Paragraphs, batch_size: int, seed: str) -> list[np.ndarray]:
    """The batches of an epoch, in an order that depends on the seed alone."""
    order = np.flatnonzero(~paragraphs.is_dev).tolist()
    Random(seed).shuffle(order)
    return _cut(np.array(order), paragraphs, batch_size)


def _cut(order: np.ndarray, paragraphs: Paragraphs, batch_size: int) -> list[np.ndarray]:
    """Numbers of paragraphs in batches of about so many sentences."""
    sizes = (paragraphs.starts[1:] - paragraphs.starts[:-1])[order]
    batch = (np.cumsum(sizes) - 1) // batch_size
    return np.split(order, np.flatnonzero(np.diff(batch)) + 1)
