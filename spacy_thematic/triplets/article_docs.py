"""From articles to Docs: a triplet Doc and a clustering Doc of each."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import chain

import numpy as np
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import get_lang_class
from spacy.vocab import Vocab

from spacy_thematic.articles.article import Article, normalize_title
from spacy_thematic.lang import ALL_LANGUAGES
from spacy_thematic.triplets import mining
from spacy_thematic.triplets.docbin import make_doc
from spacy_thematic.triplets.mining import Triplet
from spacy_thematic.triplets.reasons import (
    LEFT_OUT_BY_SENTENCE,
    NO_PROSE,
    NO_TRIPLETS,
    OTHER_LANGUAGE,
    REPEATED,
    TOO_FEW_SECTIONS,
)
from spacy_thematic.triplets.rules import (
    CorpusSettings,
    has_enough_sections,
    is_in_language,
    is_prose,
    is_sentence_length,
)
from spacy_thematic.triplets.seen import has_any
from spacy_thematic.triplets.sentences import (
    Sentence,
    all_sentences,
    opening_sentences,
    other_sentences,
)

MAX_CLUSTERING_SECTIONS = 12
CLUSTERING_SENTENCES = 3
TITLE_CHARACTERS = 1000


def make_sentence_splitter(
    settings: CorpusSettings = CorpusSettings(), vocab: Vocab | bool = True
) -> Language:
    """Make the pipeline that finds sentences. Raises ValueError if spaCy does not have the
    language; or if the pipeline of the settings cannot be loaded, is for another language or does
    not find sentences."""
    if settings.pipeline is None:
        nlp = make_blank(settings.lang, vocab)
        nlp.add_pipe("sentencizer")
        return nlp
    try:
        nlp = spacy.load(settings.pipeline, vocab=vocab)
    except OSError as error:
        raise ValueError(
            f'Cannot load the pipeline "{settings.pipeline}", which is to find sentences: install '
            f'it with "python -m spacy download", or give its folder. {error}'
        ) from error
    if nlp.lang != settings.lang:
        raise ValueError(
            f'The pipeline "{settings.pipeline}" is for the language "{nlp.lang}", and the corpus '
            f'is to be in "{settings.lang}": give --lang {nlp.lang}, or another --pipeline.'
        )
    splitters = [n for n in ("parser", "senter", "sentencizer") if n in nlp.component_names]
    if not splitters:
        raise ValueError(
            f'The pipeline "{settings.pipeline}" has no parser, senter or sentencizer, only '
            f"{nlp.component_names}."
        )
    if not set(splitters) & set(nlp.pipe_names):
        nlp.enable_pipe(splitters[0])
    needed = {*splitters, "tok2vec", "transformer"}
    nlp.select_pipes(enable=[name for name in nlp.pipe_names if name in needed])
    return nlp


def make_blank(lang: str, vocab: Vocab | bool = True) -> Language:
    """A pipeline without components. Raises ValueError if spaCy does not have the language, or
    needs a tokenizer for it."""
    try:
        get_lang_class(lang)
    except ImportError as error:
        raise ValueError(
            f'spaCy has no language with the code "{lang}": give another --lang, such as en or de; '
            f'"{ALL_LANGUAGES}" splits the words of most languages at spaces and punctuation.'
        ) from error
    try:
        return spacy.blank(lang, vocab=vocab)
    except ImportError as error:
        raise ValueError(
            f'spaCy cannot make a pipeline for the language "{lang}": {error} Give another --lang; '
            f'"{ALL_LANGUAGES}" splits the words of most languages at spaces and punctuation.'
        ) from error


def make_triplet_docs(
    articles: Sequence[Article],
    nlp: Language,
    settings: CorpusSettings,
    counts: Counter[str] | None = None,
    left_out: np.ndarray | None = None,
) -> list[Doc | None]:
    """Make a Doc of each article's opening sentences, titles and triplets.

    Args:
        articles: Articles after `apply_rules`. Negatives of "sen-rand-article" are sentences of
            the other articles.
        counts: Receives how many articles and openers were dropped for each reason.
        left_out: Hashes of sentences, see `seen.hash_sentences`; an article with an opener among
            them is left out.

    Returns:
        For each article its Doc, or None if a rule or a lack of triplets drops it.
    """
    counts = Counter() if counts is None else counts
    large = [has_enough_sections(article, settings.min_sections) for article in articles]
    counts[TOO_FEW_SECTIONS] += large.count(False)
    found = [
        opening_sentences(article, nlp, counts, settings.paper_rules) if enough else []
        for article, enough in zip(articles, large)
    ]
    if settings.check_language:
        for number, sentences in enumerate(found):
            words = chain.from_iterable(sentence.words for sentence in sentences)
            if not is_in_language(words, nlp.Defaults.stop_words):
                counts[OTHER_LANGUAGE] += 1
                found[number], large[number] = [], False
    for number, sentences in enumerate(found):
        if left_out is not None and has_any(left_out, [sentence.text for sentence in sentences]):
            counts[LEFT_OUT_BY_SENTENCE] += 1
            found[number], large[number] = [], False
    if not settings.paper_rules:
        found = _drop_bad_openers(found, counts)
    docs: list[Doc | None] = []
    for number, (article, sentences) in enumerate(zip(articles, found)):
        doc = _make_triplet_doc(article, sentences, found, number, nlp, settings)
        counts[NO_TRIPLETS] += bool(large[number] and doc is None)
        docs.append(doc)
    return docs


def _drop_bad_openers(found: list[list[Sentence]], counts: Counter[str]) -> list[list[Sentence]]:
    """Drop openers that are not prose, and those that open several paragraphs: boilerplate."""
    repeated = Counter(sentence.text.casefold() for sentence in chain.from_iterable(found))
    kept: list[list[Sentence]] = []
    for sentences in found:
        kept.append([])
        for sentence in sentences:
            text = sentence.text
            if repeated[text.casefold()] > 1:
                counts[REPEATED] += 1
            elif not is_prose(text):
                counts[NO_PROSE] += 1
            else:
                kept[-1].append(sentence)
    return kept


def _make_triplet_doc(
    article: Article,
    sentences: list[Sentence],
    found: list[list[Sentence]],
    number: int,
    nlp: Language,
    settings: CorpusSettings,
) -> Doc | None:
    rng = mining.article_rng(normalize_title(article.title), settings.seed)
    sections = [sentence.section for sentence in sentences]
    paragraphs = [sentence.paragraph for sentence in sentences]
    numbers = sorted(set(sections))
    foreign: list[Sentence] = []
    triplets: list[Triplet]
    if settings.kind == "titles":
        n = len(sentences)
        triplets = [(a, n + p, n + q) for a, p, q in mining.mine_titles(sections)]
    elif settings.kind == "sen-rand-article":
        foreign = _draw_foreign(found, number, len(sentences), rng)
        first = len(sentences) + len(numbers)
        mined = mining.mine_random_article(sections, paragraphs, rng, len(foreign) or 1)
        triplets = [(a, p, first + q) for a, p, q in mined] if len(foreign) else []
    elif settings.kind == "sen-rand-section":
        triplets = mining.mine_random_section(sections, paragraphs, rng)
    else:
        triplets = mining.mine_adjacent(sections, paragraphs, rng)
    if not triplets:
        return None
    if settings.per_article and len(triplets) > settings.per_article:
        triplets = sorted(rng.sample(triplets, settings.per_article))
    titles = [
        nlp.make_doc(
            f"{article.title} {article.sections[section].title}".strip()[:TITLE_CHARACTERS]
        )
        for section in numbers
    ]
    return make_doc(
        article,
        sentences,
        titles,
        triplets,
        foreign=foreign,
        others=other_sentences(article, nlp) if settings.sentences == "all" else [],
        kind=settings.kind,
        seed=settings.seed,
        vocab=nlp.vocab,
    )


def _draw_foreign(
    found: list[list[Sentence]], number: int, n: int, rng: random.Random
) -> list[Sentence]:
    """Draw n sentences of articles other than the given one, each from a random article."""
    others = [i for i, sentences in enumerate(found) if i != number and sentences]
    drawn = []
    for _ in range(n if others else 0):
        other = found[rng.choice(others)]
        drawn.append(other[rng.randrange(len(other))])
    return drawn


def make_clustering_doc(
    article: Article, nlp: Language, min_sections: int = 5, short_sentences: bool = False
) -> Doc | None:
    """Make the Doc of an article, after `apply_rules`, for the clustering benchmark.

    It holds all sentences with their sections (Ein Dor et al. 2018, section 3.3), except sections
    of fewer than three sentences, a rule of ours; with `short_sentences` only those of 5 to 50
    tokens (rule ii). None unless `min_sections` to 12 sections remain."""
    if len(article.sections) < min_sections:
        return None
    found = all_sentences(article, nlp)
    if short_sentences:
        found = [sentence for sentence in found if is_sentence_length(len(sentence.words))]
    sizes = Counter(sentence.section for sentence in found)
    kept = [sentence for sentence in found if sizes[sentence.section] >= CLUSTERING_SENTENCES]
    n_sections = len({sentence.section for sentence in kept})
    if not min_sections <= n_sections <= MAX_CLUSTERING_SECTIONS:
        return None
    return make_doc(article, kept, [], [], kind="none", seed=0, vocab=nlp.vocab)
