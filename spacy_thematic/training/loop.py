"""The custom training loop: articles in batches, the best weights kept, killed and resumed."""

from __future__ import annotations

import signal
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import current_thread, main_thread
from time import perf_counter
from typing import IO, Any, Protocol, runtime_checkable

import spacy
import srsly
from spacy.language import Language
from spacy.schemas import ConfigSchemaTraining
from spacy.training import Example
from spacy.training.loop import subdivide_batch
from spacy.util import registry, resolve_dot_names
from thinc.api import Config, Model, Optimizer, constant, fix_random_seed

from spacy_thematic.files import write_bytes, write_folder
from spacy_thematic.pipeline.embedder import ThematicEmbedder
from spacy_thematic.training.checkpoints import (
    CHECKPOINT,
    Progress,
    load_checkpoint,
    save_checkpoint,
)
from spacy_thematic.training.checks import check_vectors

BEST = "model-best"
LAST = "model-last"
LOG = "log.jsonl"

# Relative to the spread before training.
COLLAPSED_SPREAD = 1e-3


@runtime_checkable
class Companion(Protocol):
    """A `before_update` callback that trains models of its own beside the pipeline's, such as
    `spacy-thematic.TripletBiGAN.v1`. They are saved with the checkpoint; `start` makes them."""

    models: dict[str, Model]

    def start(self, nlp: Language, optimizer: Optimizer) -> None: ...

    def pop_scores(self) -> dict[str, float]:
        """What the log is told besides, of the steps since the last call."""


class TrainingError(ValueError):
    """Training cannot start or go on; what was saved before stands."""


@dataclass
class Outcome:
    """How a run ended: its last step, its best score, and whether Ctrl-C ended it."""

    progress: Progress
    interrupted: bool = False


def train(
    nlp: Language,
    output: Path,
    *,
    resume: bool = False,
    stdout: IO = sys.stdout,
    stderr: IO = sys.stderr,
) -> Outcome:
    """Train the thematic embedders of an initialized pipeline, and the tok2vec or transformer
    components that these listen to, as its [training] block says.

    Writes `output/model-best`, `output/model-last`, `output/log.jsonl` (one line for each
    evaluation) and `output/checkpoint.msgpack`. The score is that of the embedders on the dev
    corpus, weighted by `score_weights`. Ctrl-C saves and ends in order.
    resume: go on from the checkpoint at `output`, if there is one.
    Raises TrainingError without data, or when the vectors collapse to one point.
    """
    run = _Run(nlp, output, resume)
    # spaCy's loggers want the loss of every component that can be trained.
    with nlp.select_pipes(enable=run.names):
        log_step, finish = run.settings["logger"](nlp, stdout, stderr)
    try:
        with _catch_interrupt(run):
            for info in run.steps():
                log_step(info)
    finally:
        finish()
    return Outcome(run.progress, run.interrupted)


def check_training_settings(config: Config) -> None:
    """Raise TrainingError if the [training] block has a setting that does not exist: spaCy drops
    it in silence, and a misspelt one would train with the default. Or if there is no such block."""
    if "training" not in config:
        raise TrainingError(
            "The config has no [training] block: is it a recipe for another command, such as "
            '"thematic skip-thoughts"?'
        )
    known = set(ConfigSchemaTraining.model_fields)
    unknown = set(config["training"]) - known
    if unknown:
        raise TrainingError(
            f"The [training] block has no setting {', '.join(sorted(unknown))}; there are "
            f"{', '.join(sorted(known))}."
        )


def load_last(output: Path, config: Config) -> Language:
    """The pipeline of an unfinished run, to go on with `train(..., resume=True)`.

    config: its settings take the place of those that the run began with, such as `max_steps`.
    """
    nlp = spacy.load(output / LAST)
    nlp.config = nlp.config.merge(config)
    return nlp


class _Run:
    def __init__(self, nlp: Language, output: Path, resume: bool):
        config = nlp.config.interpolate()
        self.nlp = nlp
        self.output = output
        self.seed = config["training"]["seed"] or 0
        fix_random_seed(self.seed)
        self.settings = registry.resolve(config["training"], schema=ConfigSchemaTraining)
        train_corpus, dev_corpus = resolve_dot_names(
            config, [self.settings["train_corpus"], self.settings["dev_corpus"]]
        )
        self.train_examples = list(train_corpus(nlp))
        self.dev_examples = list(dev_corpus(nlp))
        for split, examples in (("training", self.train_examples), ("dev", self.dev_examples)):
            if not examples:
                raise TrainingError(
                    f"The {split} corpus holds no article with a triplet. Build a larger corpus, "
                    "or look at its statistics.json."
                )
        frozen = self.settings["frozen_components"]
        check_vectors(nlp.vocab, self.train_examples)
        self.embedders = [
            name
            for name, pipe in nlp.pipeline
            if isinstance(pipe, ThematicEmbedder) and name not in frozen
        ]
        self.upstream = [
            name
            for name, pipe in nlp.pipeline
            if not set(self.embedders).isdisjoint(getattr(pipe, "listening_components", ()))
        ]
        self.names = [n for n in (*self.upstream, *self.embedders) if n not in frozen]
        if not self.embedders:
            raise TrainingError(
                f"The pipeline {nlp.pipe_names} has no thematic_embedder to train. Add one to "
                "[nlp] pipeline, or take it out of frozen_components."
            )
        self.optimizer: Optimizer = self.settings["optimizer"]
        self.models = {name: nlp.get_pipe(name).model for name in self.names}  # type: ignore[attr-defined]
        self.companion = self.settings["before_update"]
        if isinstance(self.companion, Companion):
            self.companion.start(nlp, self.optimizer)
            self.models.update(self.companion.models)
        self.progress = Progress()
        self.losses: dict[str, float] = {}
        self.interrupted = False
        self.start = perf_counter()
        checkpoint = output / CHECKPOINT
        if resume and checkpoint.exists():
            self.progress = load_checkpoint(checkpoint, self.models, self.optimizer)
        log = output / LOG
        lines = list(srsly.read_jsonl(log)) if resume and log.exists() else []
        self.log = [line for line in lines if line["step"] <= self.progress.step]

    def steps(self) -> Iterator[dict[str, Any] | None]:
        """Train. Yields what spaCy's loggers expect: the scores where the step ends with an
        evaluation, else None. The first evaluation comes before any training."""
        progress = self.progress
        dropouts = _as_schedule(self.settings["dropout"])
        for _ in range(progress.step):
            next(dropouts)
        if not progress.step:
            yield self._for_logger(self._evaluate())
        while not self._is_over():
            for batch in self._epoch_batches():
                self._update(batch, next(dropouts))
                progress.step += 1
                progress.batch += 1
                if self._is_over():
                    break
                if progress.step % self.settings["eval_frequency"]:
                    yield None
                else:
                    info = self._evaluate()
                    self.save()
                    yield self._for_logger(info)
            else:
                progress.epoch += 1
                progress.batch = 0
        last = None if self.interrupted else self._evaluate()
        self.save()
        if last:
            yield self._for_logger(last)

    def _for_logger(self, info: dict[str, Any]) -> dict[str, Any]:
        """What spaCy's loggers are told besides: all scores so far, and the last pipeline."""
        checkpoints = [(line["score"], line["step"]) for line in self.log]
        path = {"output_path": str(self.output / LAST)} if (self.output / LAST).exists() else {}
        return {**info, **path, "checkpoints": checkpoints}

    def save(self) -> None:
        """Write model-last, then the checkpoint."""
        self._write_folder(LAST)
        save_checkpoint(self.output / CHECKPOINT, self.models, self.optimizer, self.progress)

    def _epoch_batches(self) -> Iterator[list[Example]]:
        """The batches of the running epoch that are still to come. Their order depends on the
        seed and the epoch alone."""
        examples = list(self.train_examples)
        Random(f"{self.seed}-{self.progress.epoch}").shuffle(examples)
        for number, batch in enumerate(list(self.settings["batcher"](examples))):
            if number >= self.progress.batch:
                yield list(batch)

    def _update(self, batch: list[Example], dropout: float) -> None:
        settings, progress = self.settings, self.progress
        if settings["before_update"]:
            settings["before_update"](self.nlp, {"step": progress.step, "epoch": progress.epoch})
        for part in subdivide_batch(batch, settings["accumulate_gradient"]):
            self.nlp.update(
                part,
                drop=dropout,
                losses=self.losses,
                sgd=False,
                exclude=[name for name in self.nlp.pipe_names if name not in self.names],
                annotates=settings["annotating_components"],
            )
        for name in self.names:
            self.nlp.get_pipe(name).finish_update(self.optimizer)  # type: ignore[attr-defined]
        self.optimizer.step_schedules()
        progress.words += sum(len(example.predicted) for example in batch)

    def _is_over(self) -> bool:
        limits, progress = self.settings, self.progress
        return bool(
            self.interrupted
            or (limits["max_steps"] and progress.step >= limits["max_steps"])
            or (limits["max_epochs"] > 0 and progress.epoch >= limits["max_epochs"])
            or (limits["patience"] and progress.step - progress.best_step >= limits["patience"])
        )

    def _evaluate(self) -> dict[str, Any]:
        scores: dict[str, Any] = {}
        for name in self.upstream:
            docs = (example.predicted for example in self.dev_examples)
            deque(self.nlp.get_pipe(name).pipe(docs), maxlen=0)  # type: ignore[attr-defined]
        for name in self.embedders:
            scores.update(self.nlp.get_pipe(name).score(self.dev_examples))  # type: ignore[attr-defined]
        if isinstance(self.companion, Companion):
            scores.update(self.companion.pop_scores())
        weights = self.settings["score_weights"]
        score = sum((scores.get(key) or 0) * (weight or 0) for key, weight in weights.items())
        progress = self.progress
        self._stop_if_collapsed(scores.get("thematic_spread"))
        info = {
            "epoch": progress.epoch,
            "step": progress.step,
            "score": score,
            "other_scores": scores,
            "losses": {name: self.losses.get(name, 0.0) for name in self.names},
            "seconds": int(perf_counter() - self.start),
            "words": progress.words,
        }
        if score > progress.best_score:
            progress.best_score, progress.best_step = score, progress.step
            self.nlp.meta["performance"] = {
                key: scores[key] for key in weights if scores.get(key) is not None
            }
            self._write_folder(BEST)
        self.log.append(info)
        lines = "".join(srsly.json_dumps(line) + "\n" for line in self.log)
        write_bytes(self.output / LOG, lines.encode())
        self.losses.clear()
        return info

    def _stop_if_collapsed(self, spread: float | None) -> None:
        if spread is None:
            return
        progress = self.progress
        progress.initial_spread = progress.initial_spread or spread
        if spread <= COLLAPSED_SPREAD * progress.initial_spread:
            raise TrainingError(
                f"The sentence vectors have collapsed to one point at step {progress.step}: their "
                f"mean pairwise distance is {spread:.2g}, and was {progress.initial_spread:.2g}. "
                "Lower the learning rate, or use SectionContrastive or a loss with normalize = "
                f"true. The best pipeline so far is in {self.output / BEST}."
            )

    def _write_folder(self, name: str) -> None:
        write_folder(self.output / name, self.nlp.to_disk)


def _as_schedule(value: Any) -> Iterator[float]:
    return constant(value) if isinstance(value, (int, float)) else iter(value)


@contextmanager
def _catch_interrupt(run: _Run) -> Iterator[None]:
    """Ctrl-C ends the run after the step in progress, so that what is saved is whole."""
    if current_thread() is not main_thread():
        yield
        return

    def interrupt(signum: int, frame: Any) -> None:
        run.interrupted = True

    former = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, former)
