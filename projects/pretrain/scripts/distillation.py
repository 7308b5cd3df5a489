"""Learning from the vectors that another encoder, the teacher, gives the sentences of a corpus."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import srsly
from spacy.util import registry
from thinc.api import Linear, Model, NumpyOps, get_array_module
from thinc.types import Floats2d

from sampled_sections import drop_words
from spacy_thematic.losses.targets import normalize_rows
from spacy_thematic.training import objective
from spacy_thematic.triplets.compiled import open_column

RUN = 32  # sentences that are taken one after the other, most of one article
HEADER, ROWS, VECTORS = "header.json", "rows.int64", "vectors.float16"


def match_cosines(vectors: Floats2d, targets: Floats2d) -> tuple[float, Floats2d]:
    """The mean cosine distance of vectors to targets, both unit rows (n, width). Returns the
    distance, and its gradient with respect to the vectors."""
    return float(1 - (vectors * targets).sum(axis=1).mean()), targets / -max(len(targets), 1)


def match_relations(
    vectors: Floats2d, targets: Floats2d, temperature: float
) -> tuple[float, Floats2d]:
    """The mean cross-entropy, row by row, between the softmax over all other rows of the cosines of
    targets, unit rows (n, any width), and of vectors, unit rows (n, width), both by a temperature.
    Returns it, and its gradient with respect to the vectors."""
    xp = get_array_module(vectors)
    wanted = _softmax(targets @ targets.T / temperature)
    scores = vectors @ vectors.T / temperature
    found = _softmax(scores)
    log_found = xp.log(xp.maximum(found, 1e-30))
    loss = -float((wanted * log_found).sum()) / max(len(vectors), 1)
    found -= wanted
    found /= temperature * max(len(vectors), 1)
    return loss, (found + found.T) @ vectors


def _softmax(scores: Floats2d) -> Floats2d:
    """The softmax of each row over all columns but its own; in place."""
    xp = get_array_module(scores)
    xp.fill_diagonal(scores, -xp.inf)
    scores -= scores.max(axis=1, keepdims=True)
    xp.exp(scores, out=scores)
    scores /= scores.sum(axis=1, keepdims=True)
    return scores


class TaughtSentences:
    """The teacher's vectors, of a width, of some sentences of a corpus, read run by run from what
    `teacher.py` writes; the key of the corpus, and the numbers of the sentences' rows in it, int64
    (sentences)."""

    def __init__(self, folder: Path):
        try:
            header = srsly.read_json(folder / HEADER)
            self.key = str(header["corpus"])
            self.width = int(header["width"])
            if self.width < 1:
                raise ValueError(f"a width of {self.width}")
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise objective.TrainingError(
                f"There are no teacher's vectors in {folder} ({error}): make them with "
                '"python projects/pretrain/scripts/teacher.py sentences".'
            ) from error
        self.rows = np.fromfile(folder / ROWS, "int64")
        self._vectors = open_column(folder / VECTORS, "float16").reshape(-1, self.width)

    def __len__(self) -> int:
        return len(self.rows)

    def read(self, start: int, stop: int) -> np.ndarray:
        """The vectors of some sentences, float32 (sentences, width)."""
        return self._vectors[start:stop].astype("f")

    def mean(self) -> np.ndarray:
        """The mean of all vectors, float32 (width,)."""
        total = np.zeros(self.width)
        for start in range(0, len(self), 1 << 14):
            total += self.read(start, min(start + (1 << 14), len(self))).sum(axis=0)
        return (total / max(len(self), 1)).astype("f")


@registry.misc("pretrain.Distillation.v1")
@dataclass(kw_only=True)
class Distillation(objective.Objective):
    """Learning from a teacher's vectors of sentences of the training corpus: the cosine distance
    to them, and the cross-entropy between the softmax over the batch of the teacher's cosines and
    of the embedder's.

    Args:
        teacher: folder that `projects/pretrain/scripts/teacher.py` writes.
        n_sentences: of a step, a multiple of 32.
        cosine_weight: of the distance between the vector, mapped linearly into the teacher's space,
            and the teacher's.
        relation_weight: of the cross-entropy.
        relation_temperature: of both softmaxes.
        project_relations: whether the embedder's cosines are taken in the teacher's space.
        centre: whether the mean is taken from the teacher's vectors.
        token_dropout: share of the words that are left out at random.
    """

    teacher: Path
    n_sentences: int = 256
    cosine_weight: float = 1.0
    relation_weight: float = 1.0
    relation_temperature: float = 0.07
    project_relations: bool = False
    centre: bool = False
    token_dropout: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n_sentences < RUN or self.n_sentences % RUN:
            raise ValueError(
                f"Expected n_sentences to be a multiple of {RUN}, found {self.n_sentences}."
            )

    def start(self, setting: objective.Setting) -> objective.Order:
        self.setting = setting
        self.taught = TaughtSentences(Path(self.teacher))
        if self.taught.key != setting.corpus.key:
            raise objective.TrainingError(
                f"The teacher's vectors in {self.teacher} are of another corpus than the training "
                "corpus: make them again."
            )
        self.origin = self.taught.mean() if self.centre else np.zeros(self.taught.width, "f")
        self.embedder = setting.embedder
        self.models = {"projection": self._make_projection()}
        n_runs = len(self.taught) // RUN
        size = min(self.n_sentences // RUN, n_runs)
        batcher = partial(objective.batch_by_count, size=size)
        sizes = np.full(n_runs, RUN)
        return objective.Order(range(n_runs), sizes, batcher, f"{setting.seed}-taught")

    def step(self, step: objective.Step) -> dict[str, float]:
        starts = [run * RUN for run in step.batch]
        rows = np.concatenate([self.taught.rows[start : start + RUN] for start in starts])
        targets = np.concatenate([self.taught.read(start, start + RUN) for start in starts])
        targets, _ = normalize_rows(targets - self.origin)
        words, _, lengths = self.setting.corpus.read_rows(rows)
        words, lengths = drop_words(words, lengths, self.token_dropout, step.rng)
        ops = self.embedder.model.ops
        inputs = self.setting.forms.to_doc_spans(ops, words, lengths)
        vectors, backprop = self.embedder.begin_update(inputs, step.dropout)
        terms, gradient = self.compare(vectors, ops.asarray2f(targets))
        backprop(gradient * self.weight)
        total = self.cosine_weight * terms["cosine"] + self.relation_weight * terms["relation"]
        name = self.embedder.name
        step.losses[name] = step.losses.get(name, 0.0) + total
        return terms

    def compare(self, vectors: Floats2d, targets: Floats2d) -> tuple[dict[str, float], Floats2d]:
        """The terms, and the gradient of their weighted sum with respect to the embedder's vectors,
        (n, width); the teacher's are unit rows, (n, teacher's width)."""
        unit, backprop_unit = normalize_rows(vectors)
        projected, backprop_projection = self.models["projection"].begin_update(unit)
        projected, backprop_projected = normalize_rows(projected)
        cosine, d_cosine = match_cosines(projected, targets)
        own = projected if self.project_relations else unit
        relation, d_relation = match_relations(own, targets, self.relation_temperature)
        d_projected = self.cosine_weight * d_cosine
        d_relation *= self.relation_weight
        if self.project_relations:
            d_projected += d_relation
        d_unit = backprop_projection(backprop_projected(d_projected))
        if not self.project_relations:
            d_unit += d_relation
        return {"cosine": cosine, "relation": relation}, backprop_unit(d_unit)

    def _make_projection(self) -> Model[Floats2d, Floats2d]:
        """A linear map from the embedder's space to the teacher's, at first the identity where
        both are equally wide."""
        width = self.embedder.model.get_dim("nO")
        projection = Linear(nO=self.taught.width, nI=width).initialize()
        if width == self.taught.width:
            projection.set_param("W", NumpyOps().asarray2f(np.eye(width, dtype="f")))
        return projection
