"""From articles to Docs: a triplet Doc and a clustering Doc of each."""

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
from spacy_thematic.triplets import mining, reasons
from spacy_thematic.triplets.docbin import make_article_doc
from spacy_thematic.triplets.hashes import has_any
from spacy_thematic.triplets.mining import Triplet
from spacy_thematic.triplets.rules import CorpusSettings, has_enough_sections, is_prose
from spacy_thematic.triplets.sentences import Sentence, all_sentences, opening_sentences

MAX_CLUSTERING_SECTIONS = 12
CLUSTERING_SENTENCES = 3
TITLE_CHARACTERS = 1000


def make_sentence_splitter(
    settings: CorpusSettings = CorpusSettings(), vocab: Vocab | bool = True
) -> Language:
    """Make the pipeline that finds sentences. Raises ValueError if spaCy does not have the
    language."""
    nlp = make_blank(settings.lang, vocab)
    nlp.add_pipe("sentencizer")
    return nlp


def make_blank(lang: str, vocab: Vocab | bool = True) -> Language:
    """A pipeline without components. Raises ValueError if spaCy does not have the language, or
    needs a tokenizer for it."""
    found = None
    try:
        found = get_lang_class(lang)
        return spacy.blank(lang, vocab=vocab)
    except ImportError as error:
        problem = f'has no language with the code "{lang}"'
        if found:
            problem = f'cannot make a pipeline for the language "{lang}" ({error})'
        raise ValueError(
            f"spaCy {problem}: give another --lang (lang in Python), such as en or de; "
            f'"{ALL_LANGUAGES}" splits the words of most languages at spaces and punctuation.'
        ) from error


def make_triplet_docs(
    articles: Sequence[Article],
    nlp: Language,
    settings: CorpusSettings,
    counts: Counter[str] | None = None,
    left_out: np.ndarray | None = None,
) -> list[Doc | None]:
    """Make a Doc of each article's opening sentences, titles and triplets. Returns for each article
    its Doc, or None if a rule or a lack of triplets drops it.

    Args:
        articles: Articles after `apply_rules`. Negatives of "sen-rand-article" are sentences of
            the other articles.
        counts: Receives how many articles and openers were dropped for each reason.
        left_out: Hashes of sentences, see `hashes.hash_sentences`; an article with an opener among
            them is left out.
    """
    counts = Counter() if counts is None else counts
    counts[reasons.TOO_FEW_SECTIONS] += 0  # It is said of a corpus that loses none, too.
    found: list[list[Sentence]] = [[] for _ in articles]
    others: list[list[Sentence]] = [[] for _ in articles]
    n_usable = 0
    for number, article in enumerate(articles):
        if not has_enough_sections(article, settings.min_sections):
            counts[reasons.TOO_FEW_SECTIONS] += 1
            continue
        own = others[number] if settings.sentences == "all" else None
        sentences = opening_sentences(article, nlp, counts, settings.paper_rules, own)
        if left_out is not None and has_any(left_out, [sentence.text for sentence in sentences]):
            counts[reasons.LEFT_OUT_BY_SENTENCE] += 1
            continue
        found[number] = sentences
        n_usable += 1
    if not settings.paper_rules:
        found = _drop_bad_openers(found, counts)
    docs = [
        _make_triplet_doc(article, number, found, own, nlp, settings)
        for number, (article, own) in enumerate(zip(articles, others))
    ]
    counts[reasons.NO_TRIPLETS] += n_usable - sum(doc is not None for doc in docs)
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
                counts[reasons.REPEATED] += 1
            elif not is_prose(text):
                counts[reasons.NO_PROSE] += 1
            else:
                kept[-1].append(sentence)
    return kept


def _make_triplet_doc(
    article: Article,
    number: int,
    found: list[list[Sentence]],
    others: Sequence[Sentence],
    nlp: Language,
    settings: CorpusSettings,
) -> Doc | None:
    sentences = found[number]
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
        of_others = [one for i, one in enumerate(found) if i != number and one]
        foreign = [rng.choice(rng.choice(of_others)) for _ in sentences if of_others]
        pairs = mining.mine_adjacent(sections, paragraphs, rng) if foreign else []
        first = len(sentences) + len(numbers)
        triplets = [(a, p, first + rng.randrange(len(foreign))) for a, p, _ in pairs]
    elif settings.kind == "sen-rand-section":
        triplets = mining.mine_random_section(sections, paragraphs, rng)
    else:
        triplets = mining.mine_adjacent(sections, paragraphs, rng)
    if not triplets:
        return None
    texts = (f"{article.title} {article.sections[section].title}" for section in numbers)
    return make_article_doc(
        article,
        sentences,
        [nlp.make_doc(text.strip()[:TITLE_CHARACTERS]) for text in texts],
        triplets,
        foreign=foreign,
        others=others,
        kind=settings.kind,
        seed=settings.seed,
        vocab=nlp.vocab,
    )


def make_clustering_doc(article: Article, nlp: Language, min_sections: int = 5) -> Doc | None:
    """Make the Doc of an article, after `apply_rules`, for the clustering benchmark.

    It holds all sentences with their sections (Ein Dor et al. 2018, section 3.3), but those of
    sections of fewer than three, a rule of ours. None unless `min_sections` to 12 sections remain.
    """
    if len(article.sections) < min_sections:
        return None
    found = all_sentences(article, nlp)
    sizes = Counter(sentence.section for sentence in found)
    kept = [sentence for sentence in found if sizes[sentence.section] >= CLUSTERING_SENTENCES]
    n_sections = len({sentence.section for sentence in kept})
    if not min_sections <= n_sections <= MAX_CLUSTERING_SECTIONS:
        return None
    return make_article_doc(article, kept, [], [], kind="none", seed=0, vocab=nlp.vocab)
