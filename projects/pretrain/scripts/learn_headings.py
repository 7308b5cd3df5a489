"""Learning which headings fit sections, from the vectors of their sentences; and how often headings
stand in the articles of a corpus, and words in headings.

    python -m spacy thematic train configs/headings.cfg --code scripts/learn_headings.py -o OUT
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from spacy.strings import StringStore
from spacy.tokenizer import Tokenizer
from spacy.util import registry
from thinc.api import set_dropout_rate
from thinc.types import Floats2d

from sampled_sections import Sampling
from spacy_thematic.models.section_headings import (
    NAME,
    Pairs,
    describe_sections,
    find_heading_net,
    set_bank,
)
from spacy_thematic.models.spans import make_doc_spans
from spacy_thematic.pipeline.batching import Forms
from spacy_thematic.rows import softmax, unit_rows
from spacy_thematic.training import objective
from spacy_thematic.triplets.compiled import CompiledCorpus

MOST_CHARACTERS = 50
"""Longer headings are sentences."""

_MOST_OF_ONE = 300
"""What one heading counts at most, however many articles have it."""

_OF_KIND = 3.0
"""The weight of what is known of words with the same ending, as a number of headings."""

_NUMBERING = re.compile(r"^(?:[\divxIVX]+[.)]\s+|[\d.]+\s+|[A-Za-z][.)]\s+)")


class HeadingCounts(NamedTuple):
    """Of a corpus the number of articles with each heading, in the form in which most have it; of
    these articles the number of sources; and the numbers of all sources, and of all sections that
    have a heading."""

    articles: Counter[str]
    sources: dict[str, int]
    n_sources: int
    n_sections: int

    def find_common(self, most: int, min_articles: int, min_sources: int) -> dict[str, int]:
        """The `most` headings that most articles have, and `min_articles` at least, of
        `min_sources`, or of all sources if they are fewer; with their numbers of articles."""
        needed = min(min_sources, self.n_sources)
        common = (
            (heading, n)
            for heading, n in self.articles.most_common()
            if n >= min_articles and self.sources[heading] >= needed
        )
        return dict(islice(common, most))


def normalise_heading(heading: str) -> str:
    """Return a heading without its number ("3.1 Rivers") and with single spaces; "" if it is too
    long to be one, or has no two letters together."""
    words = " ".join(_NUMBERING.sub("", heading).split()).rstrip(":.")
    is_heading = len(words) <= MOST_CHARACTERS and re.search(r"[^\W\d_]{2}", words)
    return words if is_heading else ""


def count_headings(corpus: CompiledCorpus) -> HeadingCounts:
    """Count the headings of a corpus that has headings, in upper or lower case."""
    sections, headings = corpus.read_columns("sections", "headings")
    articles = corpus.article_of_rows()
    rows = np.unique(np.stack([articles, sections, headings]), axis=1)
    (source_of,) = corpus.read_columns("sources")
    cleaned = [normalise_heading(heading) for heading in corpus.headings]
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    sources: dict[str, set[int]] = defaultdict(set)
    pairs = np.unique(rows[[0, 2]], axis=1)
    for source, number in zip(source_of[pairs[0]].tolist(), pairs[1].tolist()):
        if heading := cleaned[number]:
            forms[heading.lower()][heading] += 1
            sources[heading.lower()].add(source)
    written = {key: form.most_common(1)[0][0] for key, form in forms.items()}
    return HeadingCounts(
        Counter({written[key]: form.total() for key, form in forms.items()}),
        {written[key]: len(own) for key, own in sources.items()},
        len(corpus.sources),
        sum(bool(cleaned[number]) for number in rows[2].tolist()),
    )


def weigh_heading_words(
    corpus: CompiledCorpus, headings: Counter[str], tokenizer: Tokenizer, most_words: int
) -> tuple[np.ndarray, np.ndarray]:
    """Say how much likelier words are to stand in a heading than in a text: names are, verbs and
    adverbs are not. Returns the attributes
    "word_keys" and "leanings" of the net.

    Each heading of an article counts once. Where little is seen of a word, it is taken to be like
    all that end in the same three letters.

    Args:
        headings: Of how many of the articles each heading is.
        most_words: The commonest of the texts are weighed.
    """
    texts: Counter[str] = Counter()
    counts = corpus.count_words(range(len(corpus)), others=True)
    for form, count in zip(corpus.forms, counts.tolist()):
        if any(map(str.isalpha, form)):
            texts[form.lower()] += count
    places: tuple[Counter[str], ...] = (Counter(), Counter(), Counter())
    for heading, count in headings.items():
        words = [token.lower_ for token in tokenizer(heading)]
        for there, of_heading in zip(places, (words[:1], words[1:-1], words[-1:])):
            for word in of_heading:
                there[word] += min(count, _MOST_OF_ONE)
    words = [word for word, _ in texts.most_common(most_words)]
    shares = np.array([texts[word] for word in words]) / max(texts.total(), 1)
    endings = np.unique([word[-3:] for word in words], return_inverse=True)[1]
    values = [
        np.log(_compare(np.array([there[word] for word in words]), there.total() * shares, endings))
        for there in places
    ]
    strings = StringStore()
    keys = np.array([strings.add(word) for word in words], "uint64")
    order = np.argsort(keys)
    return keys[order], np.stack(values, axis=1)[order].astype("f")


def _compare(found: np.ndarray, expected: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """How many times as often as expected words are found, (n,); those of a kind are alike."""
    of_kinds = (np.bincount(kinds, found) + 1) / (np.bincount(kinds, expected) + 1)
    return (found + _OF_KIND * of_kinds[kinds]) / (expected + _OF_KIND)


_ALONE = 0.15
"""The share of sections that are shown without what tells them from the rest of their text."""


@registry.misc("pretrain.SectionHeadings.v1")
@dataclass(kw_only=True)
class SectionHeadings(objective.Objective):
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

    def start(self, setting: objective.Setting) -> objective.Order:
        self.setting = setting
        self.embedder = setting.embedder
        self.embedder.fill()
        net = find_heading_net(self.embedder.model, self.embedder.model.get_dim("nO"))
        if net is None:
            raise objective.TrainingError(
                f"The model of {self.embedder.name} has no {NAME} to train: start from a model "
                "file of projects/pretrain/scripts/start_nets.py, or give it the architecture "
                '"spacy-thematic.WithHeadings.v1".'
            )
        self.net = net
        self.draw = Sampling(**{"per_section": 8, "per_article": 80, **(self.sampling or {})}).draw
        counts = count_headings(setting.corpus)
        bank = counts.find_common(self.most_headings, self.min_articles, self.min_sources)
        if not bank:
            raise objective.TrainingError(
                f"No heading of the corpus stands in {self.min_articles} articles of "
                f"{self.min_sources} sources: lower min_articles or min_sources, or train on more "
                "articles."
            )
        set_bank(net, list(bank), np.array(list(bank.values())) / counts.n_sections)
        net.attrs["word_keys"], net.attrs["leanings"] = weigh_heading_words(
            setting.corpus, counts.articles, setting.nlp.tokenizer, self.most_words
        )
        return objective.make_order(
            setting, partial(objective.batch_by_count, size=self.n_articles)
        )

    def step(self, step: objective.Step) -> dict[str, float]:
        corpus, forms = self.setting.corpus, self.setting.forms
        features, headings = self._read(corpus, forms, step.batch, step.rng)
        headings, own = np.unique(headings, return_inverse=True)
        if len(headings) < 2:
            return {}
        width = features.shape[1] // 2
        features[step.rng.random(len(features)) < _ALONE, width:] = 0
        set_dropout_rate(self.net, self.dropout)
        texts = [corpus.headings[number] for number in headings.tolist()]
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
            features, headings = self._read(dev, forms, batch, rng)
            own = np.array([numbers.get(dev.headings[n].lower(), -1) for n in headings])
            known = own >= 0
            if not known.any():
                continue
            scores = self.net.predict(self._pair(features[known], self.net.attrs["bank"]))
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
    ) -> tuple[Floats2d, np.ndarray]:
        """Of the sections that have a heading what the net reads, (n, 2 * width), and the number of
        the heading in the corpus, (n,)."""
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
        return describe_sections(means, origins)[named], headings[named]


def contrast(logits: Floats2d, own: np.ndarray, both_ways: float) -> tuple[float, Floats2d]:
    """The InfoNCE loss of sections against headings, and of headings against sections, and its
    gradient with respect to the logits, (sections, headings). The heading of each section is `own`,
    (sections,); it weighs as much as sections have it. The second loss has the weight `both_ways`.
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
