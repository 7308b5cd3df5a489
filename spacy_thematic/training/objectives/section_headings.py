"""Learning which headings fit sections, from the vectors of their sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from spacy.util import registry
from thinc.api import set_dropout_rate
from thinc.types import Floats2d

from spacy_thematic.models.section_headings import (
    NAME,
    Pairs,
    describe_sections,
    find_heading_net,
    set_bank,
    set_leanings,
)
from spacy_thematic.models.spans import make_doc_spans
from spacy_thematic.pipeline.batching import Forms
from spacy_thematic.rows import softmax, unit_rows
from spacy_thematic.training.errors import TrainingError
from spacy_thematic.training.objective import Objective, Setting, Step, make_order
from spacy_thematic.training.objectives.section_structure import Sampling
from spacy_thematic.training.order import Order, batch_by_count
from spacy_thematic.triplets.bank import count_headings, weigh_heading_words
from spacy_thematic.triplets.compiled import CompiledCorpus

_ALONE = 0.15
"""The share of sections that are shown without what tells them from the rest of their text."""


class _Sections(NamedTuple):
    """Sections of some articles: what the net reads of each, (n, 2 * width), and the number of its
    heading in the corpus, (n,)."""

    features: Floats2d
    headings: np.ndarray


@registry.misc("spacy-thematic.SectionHeadings.v1")
@dataclass(kw_only=True)
class SectionHeadings(Objective):
    """Learning which heading is that of a section: the InfoNCE loss (van den Oord et al. 2018) of
    each section against all headings of a batch of articles, and of each heading against all
    sections. Since common headings are met as often as they occur, what is learned is how much more
    likely a heading is here than anywhere. The vectors are taken as they are; what is learned is
    the net `spacy-thematic.SectionHeadings.v1` of the model.

    Args:
        n_articles: of a step.
        sampling: settings of `Sampling`, which draws sentences of each article at each step.
        most_headings: of the bank that the net keeps, the commonest of the corpus.
        min_articles: how many articles must have a heading of the bank.
        min_sources: how many sources of articles must have it, where the corpus has so many: what
            one source alone repeats is its template.
        most_words: of which the net keeps how much likelier they are in headings than in texts.
        both_ways: weight of the loss of headings against sections.
        dropout: rate in the net.
    """

    n_articles: int = 64
    sampling: dict[str, Any] | None = None
    most_headings: int = 5000
    min_articles: int = 4
    min_sources: int = 2
    most_words: int = 20000
    both_ways: float = 0.5
    dropout: float = 0.1

    def start(self, setting: Setting) -> Order:
        self.setting = setting
        self.embedder = setting.embedder
        self.embedder.fill()
        net = find_heading_net(self.embedder.model, self.embedder.model.get_dim("nO"))
        if net is None:
            raise TrainingError(
                f"The model of {self.embedder.name} has no {NAME} to train: start from a model "
                "file of projects/pretrain/scripts/start_headings.py, or give it the architecture "
                '"spacy-thematic.WithHeadings.v1".'
            )
        self.net = net
        self.draw = Sampling(**{"per_section": 8, "per_article": 80, **(self.sampling or {})}).draw
        counts = count_headings(setting.corpus)
        bank = counts.find_common(self.most_headings, self.min_articles, self.min_sources)
        if not bank:
            raise TrainingError(
                f"No heading of the corpus stands in {self.min_articles} articles of "
                f"{self.min_sources} sources: lower min_articles or min_sources, or train on more "
                "articles."
            )
        set_bank(net, list(bank), np.array(list(bank.values())) / counts.n_sections)
        leanings = weigh_heading_words(
            setting.corpus, counts.articles, setting.nlp.tokenizer, self.most_words
        )
        set_leanings(net, *leanings)
        return make_order(setting, partial(batch_by_count, size=self.n_articles))

    def step(self, step: Step) -> dict[str, float]:
        sections = self._read(self.setting.corpus, self.setting.forms, step.batch, step.rng)
        headings, own = np.unique(sections.headings, return_inverse=True)
        if len(headings) < 2:
            return {}
        features = sections.features.copy()
        width = features.shape[1] // 2
        features[step.rng.random(len(features)) < _ALONE, width:] = 0
        set_dropout_rate(self.net, self.dropout)
        texts = [self.setting.corpus.headings[number] for number in headings.tolist()]
        logits, backprop = self.net.begin_update(self._pair(features, texts))
        loss, gradient = contrast(logits, own, self.both_ways)
        backprop((self.weight * gradient).astype("f"))
        name = self.embedder.name
        step.losses[name] = step.losses.get(name, 0.0) + loss
        return {"loss": loss}

    def evaluate(self, dev: CompiledCorpus, articles: Sequence[int]) -> dict[str, float]:
        """`headings_hits_1` and `headings_hits_5`: the share of sections whose own heading is the
        best, or among the best five, of the bank, of those whose heading it holds."""
        numbers = {heading.lower(): number for number, heading in enumerate(self.net.attrs["bank"])}
        forms = Forms(dev.forms, self.setting.nlp.vocab)
        rng = np.random.default_rng(0)
        ranks: list[int] = []
        for start in range(0, len(articles), self.n_articles):
            batch = list(articles[start : start + self.n_articles])
            sections = self._read(dev, forms, batch, rng)
            own = np.array([numbers.get(dev.headings[n].lower(), -1) for n in sections.headings])
            known = own >= 0
            if not known.any():
                continue
            pairs = self._pair(sections.features[known], self.net.attrs["bank"])
            scores = self.net.predict(pairs)
            of_own = np.take_along_axis(scores, own[known][:, None], axis=1)
            ranks += (scores > of_own).sum(axis=1).tolist()
        if not ranks:
            return {}
        found = np.array(ranks)
        return {f"headings_hits_{n}": float((found < n).mean()) for n in (1, 5)}

    def _pair(self, features: Floats2d, headings: Sequence[str]) -> Pairs:
        docs = [self.setting.nlp.make_doc(heading) for heading in headings]
        spans = [[doc[:]] for doc in docs]
        vectors = np.concatenate(self.embedder.encode(docs, spans))
        return Pairs(features, vectors, make_doc_spans(self.net.ops, docs, spans))

    def _read(
        self, corpus: CompiledCorpus, forms: Forms, numbers: list[int], rng: np.random.Generator
    ) -> _Sections:
        """The sections of articles that have a heading."""
        batch = corpus.take(numbers)
        batch = batch.select(self.draw(batch, rng))
        inputs = forms.to_doc_spans(self.embedder.model.ops, batch.words, batch.lengths)
        vectors = np.asarray(self.embedder.model.predict(inputs), "f")
        vectors = unit_rows(vectors, centre=False)
        _, firsts, of_row = np.unique(batch.sections, return_index=True, return_inverse=True)
        articles = batch.articles[firsts]
        means = _average(vectors, of_row)
        origins = _average(vectors, batch.articles)[articles]
        headings = batch.headings[firsts]
        named = np.array([bool(corpus.headings[number].strip()) for number in headings], bool)
        return _Sections(describe_sections(means, origins)[named], headings[named])


def contrast(logits: Floats2d, own: np.ndarray, both_ways: float) -> tuple[float, Floats2d]:
    """The InfoNCE loss of sections against headings, and of headings against sections.

    Args:
        logits: (sections, headings).
        own: the heading of each section, (sections,). A heading weighs as much as sections have it.
        both_ways: weight of the second loss.

    Returns:
        The loss, and its gradient with respect to the logits.
    """
    n = len(own)
    rows = np.arange(n)
    counts = np.bincount(own, minlength=logits.shape[1])
    shares = softmax(logits + np.log(np.maximum(counts, 1)), axis=1)
    backward = softmax(logits, axis=0)
    loss = -np.log(shares[rows, own]).mean() - both_ways * np.log(backward[rows, own]).mean()
    gradient = shares + both_ways * counts * backward
    gradient[rows, own] -= 1 + both_ways
    return float(loss), gradient / n


def _average(rows: Floats2d, groups: np.ndarray) -> Floats2d:
    """The mean row of each group, numbered from 0."""
    sums = np.zeros((groups.max(initial=-1) + 1, rows.shape[1]), "f")
    np.add.at(sums, groups, rows)
    counts = np.bincount(groups, minlength=len(sums))
    return sums / np.maximum(counts, 1)[:, None].astype("f")
