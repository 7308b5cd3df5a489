"""Learning where sections begin, from the vectors of the sentences around each gap."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from spacy.util import registry
from thinc.api import set_dropout_rate

import sampled_sections  # noqa: F401
from spacy_thematic.models.section_boundaries import NAME, find_boundaries
from spacy_thematic.pipeline.batching import Forms
from spacy_thematic.training import objective
from spacy_thematic.triplets.compiled import ArticleBatch, CompiledCorpus

RUNS = (4, 11)
"""How many runs a text of several articles has."""

RUN_LENGTHS = ((3, 5), (6, 8), (9, 11), (3, 11), (3, 15), (5, 30))
"""How long they are, in sentences; all runs of a text by one of these."""

Text = tuple[np.ndarray, np.ndarray]


class _Sentences(NamedTuple):
    """The sentences of some articles in the order of their texts: vectors, (n, width), characters,
    (n,), and whether a section begins there, (n,); of each article its first sentence, and that
    after its last."""

    vectors: np.ndarray
    characters: np.ndarray
    begins: np.ndarray
    spans: list[tuple[int, int]]

    def take(self, rows: np.ndarray) -> Text:
        """Return a text of some sentences."""
        return self.vectors[rows], self.characters[rows]


@registry.misc("pretrain.SectionBoundaries.v1")
@dataclass(kw_only=True)
class SectionBoundaries(objective.Objective):
    """Learning which sentences begin a section: logistic loss over the gaps between sentences. The
    vectors are taken as they are; what is learned is the net `spacy-thematic.SectionBoundaries.v1`
    of the model.

    Args:
        n_texts: of a step.
        n_sentences: most of a text; of a longer article as many that stand together.
        mixed: share of the texts that are made of runs of sentences of several articles, as those
            of Choi (2000) are.
        dropout: rate in the net.
    """

    n_texts: int = 32
    n_sentences: int = 160
    mixed: float = 0.25
    dropout: float = 0.1

    def start(self, setting: objective.Setting) -> objective.Order:
        self.setting = setting
        self.embedder = setting.embedder
        net = find_boundaries(self.embedder.model, self.embedder.model.get_dim("nO"))
        if net is None:
            raise objective.TrainingError(
                f"The model of {self.embedder.name} has no {NAME} to train: start from a model "
                "file of projects/pretrain/scripts/start_nets.py, or give it the "
                'architecture "spacy-thematic.WithBoundaries.v1".'
            )
        self.net = net
        return objective.make_order(setting, partial(objective.batch_by_count, size=self.n_texts))

    def step(self, step: objective.Step) -> dict[str, float]:
        texts, begins = zip(*self._make_texts(step))
        labels = np.concatenate(begins)
        is_gap = np.concatenate([np.arange(len(text)) > 0 for text in begins])
        set_dropout_rate(self.net, self.dropout)
        logits, backprop = self.net.begin_update(list(texts))
        shares = is_gap / max(int(is_gap.sum()), 1)
        loss = float((shares * (np.logaddexp(0, logits) - labels * logits)).sum())
        gradient = shares * (1 / (1 + np.exp(-logits)) - labels)
        backprop((self.weight * gradient).astype("f"))
        name = self.embedder.name
        step.losses[name] = step.losses.get(name, 0.0) + loss
        return {"loss": loss}

    def evaluate(self, dev: CompiledCorpus, articles: Sequence[int]) -> dict[str, float]:
        """`boundaries_average_precision`, over all gaps of the dev articles."""
        from sklearn.metrics import average_precision_score

        forms = Forms(dev.forms, self.setting.nlp.vocab)
        found, labels = [], []
        for start in range(0, len(articles), self.n_texts):
            batch = self._read(dev, forms, list(articles[start : start + self.n_texts]))
            for first, end in batch.spans:
                rows = np.arange(first, end)
                found.append(self.net.predict([batch.take(rows)])[1:])
                labels.append(batch.begins[rows][1:])
        begins = np.concatenate(labels) if labels else np.zeros(0, bool)
        if not begins.any():
            return {}
        precision = average_precision_score(begins, np.concatenate(found))
        return {"boundaries_average_precision": float(precision)}

    def _make_texts(self, step: objective.Step) -> Iterator[tuple[Text, np.ndarray]]:
        """Texts as the net reads them, and whether a section begins at each sentence."""
        batch = self._read(self.setting.corpus, self.setting.forms, step.batch)
        for span in batch.spans:
            if step.rng.random() < self.mixed:
                texts = [np.arange(*one) for one in batch.spans]
                rows, begins = mix_runs(texts, self.n_sentences, step.rng)
            else:
                rows = self._crop(span, step.rng)
                begins = batch.begins[rows]
            yield batch.take(rows), begins

    def _read(self, corpus: CompiledCorpus, forms: Forms, numbers: list[int]) -> _Sentences:
        batch = corpus.take(numbers)
        order = find_text_order(batch)
        inputs = forms.to_doc_spans(self.embedder.model.ops, batch.words, batch.lengths)
        vectors = np.asarray(self.embedder.model.predict(inputs), "f")[order]
        begins = np.diff(batch.sections[order], prepend=-1) != 0
        ends = np.flatnonzero(np.append(np.diff(batch.articles[order]) != 0, True)) + 1
        spans = list(pairwise([0, *ends.tolist()]))
        return _Sentences(vectors, count_characters(corpus, batch)[order], begins, spans)

    def _crop(self, span: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
        start, end = span
        start += int(rng.integers(max(1, end - start - self.n_sentences + 1)))
        return np.arange(start, min(end, start + self.n_sentences))


def mix_runs(
    texts: Sequence[np.ndarray], most: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Rows of runs of several texts, each the rows of its sentences, and whether a run begins at
    each; at most so many."""
    runs = [texts[number][own] for number, own in draw_runs([*map(len, texts)], rng)]
    begins = np.concatenate([np.arange(len(run)) == 0 for run in runs])
    return np.concatenate(runs)[:most], begins[:most]


def draw_runs(sizes: Sequence[int], rng: np.random.Generator) -> list[tuple[int, slice]]:
    """Runs of sentences of random texts, of so many sentences each, as those of Choi (2000): the
    number of the text, and which of its sentences."""
    least, most = RUN_LENGTHS[rng.integers(len(RUN_LENGTHS))]
    runs = []
    for _ in range(rng.integers(RUNS[0], RUNS[1], endpoint=True)):
        number = int(rng.integers(len(sizes)))
        length = min(int(rng.integers(least, most, endpoint=True)), sizes[number])
        start = int(rng.integers(sizes[number] - length + 1))
        runs.append((number, slice(start, start + length)))
    return runs


def find_text_order(batch: ArticleBatch) -> np.ndarray:
    """The rows of sentences, article by article in the order of the text: paragraphs begin with
    their opener, int (sentences)."""
    rows = np.flatnonzero(batch.is_sentence)
    keys = (batch.is_other, batch.paragraphs, batch.sections, batch.articles)
    return rows[np.lexsort([rows, *(key[rows] for key in keys)])]


def count_characters(corpus: CompiledCorpus, batch: ArticleBatch) -> np.ndarray:
    """The characters of each row of a batch, without white space after it, float32 (rows)."""
    lengths = np.array([len(form) for form in corpus.forms])[batch.words] + batch.spaces
    ends = np.cumsum(batch.lengths)
    sums = np.append(0, np.cumsum(lengths))
    last = batch.spaces[ends - 1]
    return (sums[ends] - sums[ends - batch.lengths] - last).astype("f")
