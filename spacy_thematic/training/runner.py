"""The one training loop: order, schedules, averages, checkpoints, log; it knows no loss."""

import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import current_thread, main_thread
from time import perf_counter
from typing import Any

import numpy as np
import spacy
import srsly
from spacy.language import Language
from spacy.util import dict_to_dot, resolve_dot_names
from spacy.vocab import Vocab
from thinc.api import Config, Optimizer, constant, fix_random_seed

from spacy_thematic.files import write_bytes, write_folder
from spacy_thematic.models.tok2vec_attention import is_listener
from spacy_thematic.models.vector_tables import check_finite
from spacy_thematic.pipeline.batching import Forms
from spacy_thematic.pipeline.embedder import ThematicEmbedder
from spacy_thematic.pretrained import include_bases
from spacy_thematic.training import checkpoints
from spacy_thematic.training.objective import Order, Setting, Step, TrainingError
from spacy_thematic.training.settings import Passes, resolve_settings
from spacy_thematic.triplets.compiled import CompiledCorpus
from spacy_thematic.triplets.corpus import compile_examples

BEST = "model-best"
LAST = "model-last"
LOG = "log.jsonl"

_OF_SOURCE = ("source", "component", "replace_listeners")
"""Settings of a component that comes from another pipeline, and is saved as its own."""

# Relative to the spread before training.
COLLAPSED_SPREAD = 1e-3


@dataclass
class Outcome:
    """How a run ended: its last step, its best score, whether Ctrl-C ended it, and the step from
    which it was resumed, 0 for the beginning."""

    progress: checkpoints.Progress
    interrupted: bool = False
    first_step: int = 0


def train(nlp: Language, output: Path, *, resume: bool = False) -> Outcome:
    """Train the thematic embedders of an initialized pipeline as its config says: [training], and
    where they are there [objectives] and [passes]. With `use_averages` of the optimizer, averaged
    weights are scored, and kept in `model-best`.

    Writes `output/model-best`, `output/model-last`, `output/log.jsonl` (one line for each
    evaluation) and `output/checkpoint.msgpack`, from which `resume` starts. The score is that of
    the embedders on the dev corpus, weighted by `score_weights`. Ctrl-C saves and ends in order.
    Raises TrainingError without data, for an embedder that listens to another component, or when
    the vectors collapse to one point."""
    run = _Run(nlp, output, resume)
    first_step = run.progress.step
    if not resume:
        # Killed before it has saved its own, this run must not be resumed from that of another.
        (output / checkpoints.CHECKPOINT).unlink(missing_ok=True)
    # spaCy's loggers want the loss of every component that can be trained.
    with nlp.select_pipes(enable=run.names):
        log_step, finish = run.settings["logger"](nlp, sys.stdout, sys.stderr)
    try:
        with _catch_interrupt(run):
            for info in run.steps():
                log_step(info)
    finally:
        finish()
    return Outcome(run.progress, run.interrupted, first_step)


def load_last(output: Path, config: Config) -> Language:
    """The pipeline of an unfinished run, to resume with `train(..., resume=True)`. Settings of the
    config, such as `max_steps`, take the place of those that the run began with. Raises
    TrainingError if those of a component are others than the run began with."""
    nlp = spacy.load(output / LAST)
    former = dict_to_dot(nlp.config.interpolate()["components"])
    asked = dict_to_dot(include_bases(config.interpolate().get("components", {})))
    changed = [
        f"components.{name}"
        for name, value in asked.items()
        if name.split(".")[1] not in _OF_SOURCE and former.get(name) != value
    ]
    if changed:
        raise TrainingError(
            f"The run in {output} has other values of {', '.join(changed)}: give the same to "
            "resume it, or train from the beginning, without --resume, to another folder."
        )
    nlp.config = nlp.config.merge(config)
    return nlp


class _Run:
    def __init__(self, nlp: Language, output: Path, resume: bool):
        self.nlp = nlp
        self.output = output
        self.settings, self.objectives, passes = resolve_settings(nlp.config)
        self.seed = self.settings["seed"] or 0
        fix_random_seed(self.seed)
        self._find_components()
        config = nlp.config.interpolate()
        names = [self.settings["train_corpus"], self.settings["dev_corpus"]]
        train_corpus, dev_corpus = resolve_dot_names(config, names)
        self.corpus, self.articles = _open(train_corpus(nlp), "training")
        self.read_dev = partial(dev_corpus, nlp)
        self.dev, self.dev_articles = _open(self.read_dev(), "dev")
        self.forms = Forms(self.corpus.forms, nlp.vocab)
        _check_word_vectors(nlp.vocab, self.forms.orth, self.forms.lower)
        self.interrupted = False
        self.begun = perf_counter()
        self.losses: dict[str, float] = {}
        self.terms: Counter[str] = Counter()
        self._start(passes)
        checkpoint = output / checkpoints.CHECKPOINT
        self.progress, self.log = checkpoints.Progress(), []
        if resume and checkpoint.exists():
            checkpoints.restore_checkpoint(checkpoint, self)
            lines = _read_log(output / LOG)
            self.log = [line for line in lines if line["step"] <= self.progress.step]

    def _find_components(self) -> None:
        nlp, frozen = self.nlp, self.settings["frozen_components"]
        self.embedders = [
            pipe
            for name, pipe in nlp.pipeline
            if isinstance(pipe, ThematicEmbedder) and name not in frozen
        ]
        self.names = [embedder.name for embedder in self.embedders]
        if not self.embedders:
            raise TrainingError(
                f"The pipeline {nlp.pipe_names} has no thematic_embedder to train. Add one to "
                "[nlp] pipeline, or take it out of frozen_components."
            )
        for embedder in self.embedders:
            embedder.fill()
            if any(map(is_listener, embedder.model.walk())):
                raise TrainingError(
                    f"{embedder.name} listens to a tok2vec or transformer component, which is "
                    'trained with it by "python -m spacy train": use that with this config.'
                )
        others = [
            name
            for name, pipe in nlp.pipeline
            if getattr(pipe, "is_trainable", False) and name not in {*self.names, *frozen}
        ]
        if others:
            raise TrainingError(
                f"Only a thematic_embedder is trained here, and the pipeline also has "
                f'{", ".join(others)}: use "python -m spacy train" with this config, or add '
                f"{'it' if len(others) == 1 else 'them'} to [training] frozen_components."
            )

    def _start(self, passes: Passes | None) -> None:
        """Make the objectives ready."""
        self.optimizer: Optimizer = self.settings["optimizer"]
        of_corpus = self.corpus, self.articles, self.forms
        setting = Setting(self.nlp, self.embedders, *of_corpus, self.settings, self.seed)
        self.orders: dict[str, Order] = {}
        self.models = {embedder.name: embedder.model for embedder in self.embedders}
        for name, objective in self.objectives.items():
            self.orders[name] = objective.start(setting)
            self.models |= {f"{name}.{key}": model for key, model in objective.models.items()}
        self.first_order = next(iter(self.orders.values()))
        if passes is not None:
            self.settings.update(passes.in_steps(self.first_order.count_batches()))
        dropout = self.settings["dropout"]
        self.dropouts = constant(dropout) if isinstance(dropout, (int, float)) else iter(dropout)

    def steps(self) -> Iterator[dict[str, Any] | None]:
        """Train. Yields what spaCy's loggers expect: the scores where the step ends with an
        evaluation, else None. The first evaluation comes before any training."""
        progress = self.progress
        if not progress.step:
            yield self._for_logger(self._evaluate())
        while not (self._is_over() or self._is_out_of_patience()):
            self._update()
            if not self._is_over():
                if progress.step % self.settings["eval_frequency"]:
                    yield None
                else:
                    info = self._evaluate()
                    self.save()
                    yield self._for_logger(info)
        last = None if self.interrupted or self._is_scored() else self._evaluate()
        self.save()
        if last:
            yield self._for_logger(last)

    def _update(self) -> None:
        progress, settings = self.progress, self.settings
        if settings["before_update"]:
            settings["before_update"](self.nlp, {"step": progress.step, "epoch": progress.epoch})
        dropout = next(self.dropouts)
        batches: dict[str, list[int]] = {}
        for name, objective in self.objectives.items():
            if progress.step >= objective.from_step:
                batches[name] = self.orders[name].take()
                progress.words += int(self.orders[name].sizes[batches[name]].sum())
        rng = np.random.default_rng([self.seed, progress.step])
        # Dropout draws from the generators of numpy and torch.
        fix_random_seed(int(rng.integers(2**31)))
        for name, batch in batches.items():
            terms = self.objectives[name].step(
                Step(batch, rng, dropout, self.optimizer, self.losses)
            )
            self.terms.update({f"{name}_{term}": value for term, value in terms.items()})
            self.terms[f"{name}_steps"] += 1
        for model in self.models.values():
            model.finish_update(self.optimizer)
        self.optimizer.step_schedules()
        progress.step += 1
        progress.epoch = self.first_order.epochs_done

    def _is_over(self) -> bool:
        n_steps, n_epochs = self.settings["max_steps"], self.settings["max_epochs"]
        return (
            self.interrupted
            or (n_steps > 0 and self.progress.step >= n_steps)
            or (n_epochs > 0 and self.first_order.epochs_done >= n_epochs)
        )

    def _is_out_of_patience(self) -> bool:
        """Known after an evaluation only: the one that is due may be the best."""
        patience, waited = self.settings["patience"], self.progress.step - self.progress.best_step
        return bool(patience and self._is_scored() and waited >= patience)

    def _is_scored(self) -> bool:
        return bool(self.log) and self.log[-1]["step"] == self.progress.step

    def _evaluate(self) -> dict[str, Any]:
        progress = self.progress
        models = {name: self.models[name] for name in self.names}
        with checkpoints.use_averages(models, self.optimizer):
            scores = self._score()
            weights = self.settings["score_weights"]
            self._check_weights(weights, scores)
            score = sum((scores.get(key) or 0) * (weight or 0) for key, weight in weights.items())
            self._stop_if_collapsed(scores.get("thematic_spread"))
            if score > progress.best_score:
                progress.best_score, progress.best_step = score, progress.step
                self.nlp.meta["performance"] = {
                    key: scores[key] for key in weights if scores.get(key) is not None
                }
                self._write_pipeline(BEST)
        info = {
            "epoch": progress.epoch,
            "step": progress.step,
            "score": score,
            "other_scores": scores,
            "losses": {name: self.losses.get(name, 0.0) for name in self.names},
            "seconds": int(perf_counter() - self.begun),
            "words": progress.words,
        }
        self.log.append(info)
        lines = "".join(srsly.json_dumps(line) + "\n" for line in self.log)
        write_bytes(self.output / LOG, lines.encode())
        self.losses.clear()
        self.terms.clear()
        return info

    def _score(self) -> dict[str, Any]:
        """Scores on the dev corpus, and the means of the objectives' terms since the last ones."""
        scores: dict[str, Any] = {}
        for name in self.objectives:
            n_steps = self.terms.pop(f"{name}_steps", 0)
            for term in [term for term in self.terms if term.startswith(f"{name}_")]:
                scores[term] = self.terms[term] / n_steps
        for embedder in self.embedders:
            scores.update(embedder.score(self.read_dev()))
        for objective in self.objectives.values():
            scores.update(objective.evaluate(self.dev, self.dev_articles))
        return scores

    def _check_weights(self, weights: dict[str, float | None], scores: dict[str, Any]) -> None:
        """Refuse weights of scores that only other components have. The means of terms are not
        known before the first step."""
        terms = tuple(f"{name}_" for name in self.objectives)
        unknown = [
            k for k, w in weights.items() if w and k not in scores and not k.startswith(terms)
        ]
        if unknown:
            raise TrainingError(
                f"[training.score_weights] has weights for {', '.join(unknown)}, and measured are "
                f"only {', '.join(scores)}: set these weights to null, or use "
                '"python -m spacy train" with this config.'
            )

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

    def _for_logger(self, info: dict[str, Any]) -> dict[str, Any]:
        """What spaCy's loggers are told besides: all scores so far, and the last pipeline."""
        scored = [(line["score"], line["step"]) for line in self.log]
        path = {"output_path": str(self.output / LAST)} if (self.output / LAST).exists() else {}
        return {**info, **path, "checkpoints": scored}

    def save(self) -> None:
        self._write_pipeline(LAST)
        checkpoints.save_checkpoint(self.output / checkpoints.CHECKPOINT, self)

    def _write_pipeline(self, name: str) -> None:
        # What the config does not know. A pipeline of several encoders has a record of each.
        record = {
            "articles": len(self.articles),
            "triplets": int(self.corpus.n_triplets[self.articles].sum()),
            "updates": self.progress.step,
            "seed": self.seed,
        }
        self.nlp.meta["thematic"] = [record]
        write_folder(self.output / name, self.nlp.to_disk)


def _open(articles: Any, split: str) -> tuple[CompiledCorpus, list[int]]:
    """A corpus compiled, and the numbers of its articles that are wanted. Raises TrainingError if
    there are none."""
    compiled, numbers = compile_examples(articles)
    if not numbers:
        raise TrainingError(
            f"The {split} corpus holds no article with a triplet. Build a larger corpus, or look "
            "at its statistics.json."
        )
    return compiled, numbers


def _check_word_vectors(vocab: Vocab, orth: np.ndarray, lower: np.ndarray) -> None:
    """Look at the word vectors before training, for the words of the corpus and their lower-case
    forms, lexeme hashes. A vocabulary without vectors passes. Raises ValueError if the vectors
    are not finite, or there is none for any word."""
    vectors = vocab.vectors
    if not vectors.size:
        return

    def find_word(row: int) -> str:
        return next((vocab.strings[key] for key, at in vectors.key2row.items() if at == row), "")

    check_finite(vectors.data, find_word, "of the pipeline")
    if not any(vocab.has_vector(int(key)) for keys in (orth, lower) for key in keys):
        raise ValueError(
            "None of the words of the training corpus has a vector among the "
            f"{vectors.n_keys} keys of the pipeline: the table is of another language or in "
            'another encoding. Choose another --paths.vectors, or set it to "null".'
        )


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


def _read_log(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    try:
        lines = list(srsly.read_jsonl(path))
        if not all(isinstance(line["step"], int) for line in lines):
            raise ValueError("a step is not a number")
    except (ValueError, LookupError, TypeError) as error:
        raise ValueError(
            f"{path} is damaged ({error}): remove it, and the run resumes without it."
        ) from error
    return lines
