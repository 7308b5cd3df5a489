"""Articles to a corpus on disk: rules, triplets, splits, shards, statistics."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.vocab import Vocab

from spacy_thematic.articles.article import Article
from spacy_thematic.articles.cleaning import (
    drop_back_matter,
    drop_lead_and_background,
    has_enough_sections,
    merge_subsections,
    normalize_title,
)
from spacy_thematic.articles.reading import ReadLog
from spacy_thematic.files import replace_folder, write_json
from spacy_thematic.triplets.docbin import make_doc, write_shard
from spacy_thematic.triplets.mining import article_rng, mine_adjacent, split_of
from spacy_thematic.triplets.sentences import all_sentences, opening_sentences

SPLITS = ("train", "dev", "test")
CLUSTERING = "clustering"
STATISTICS = "statistics.json"


@dataclass(frozen=True)
class CorpusSettings:
    """What decides the content of a corpus.

    subsections: "merge" their paragraphs into their top section, or keep them "separate".
    min_sections: rule v. shares: of train, dev and test. shard_size: articles read for each shard.
    """

    seed: int = 0
    subsections: Literal["merge", "separate"] = "merge"
    min_sections: int = 5
    shares: tuple[float, float, float] = (0.8, 0.1, 0.1)
    shard_size: int = 1000


class CorpusError(ValueError):
    """A source from which no corpus can be made."""


def make_sentence_splitter(lang: str = "en", vocab: Vocab | bool = True) -> Language:
    """The default pipeline for finding sentences: a tokenizer and spaCy's sentencizer."""
    nlp = spacy.blank(lang, vocab=vocab)
    nlp.add_pipe("sentencizer")
    return nlp


def apply_rules(article: Article, settings: CorpusSettings) -> Article:
    """Rules iii and iv, and the merging of subsections; sections left without text are removed."""
    if settings.subsections == "merge":
        article = merge_subsections(article)
    article = drop_back_matter(drop_lead_and_background(article))
    kept = [section for section in article.sections if any(p.strip() for p in section.paragraphs)]
    return Article(article.title, article.source, kept)


def make_triplet_doc(
    article: Article, nlp: Language, settings: CorpusSettings, counts: Counter[str] | None = None
) -> Doc | None:
    """The Doc of an article with its opening sentences, titles and triplets; None if rule v or
    the lack of triplets drops it.

    article: after `apply_rules`. counts: to which sentences, triplets, and what was dropped by
    which rule are added.
    """
    counts = Counter() if counts is None else counts
    if not has_enough_sections(article, settings.min_sections):
        counts["dropped by rule v (too few sections)"] += 1
        return None
    sentences, dropped = opening_sentences(article, nlp)
    counts.update(dropped)
    triplets = mine_adjacent(
        sentences.sections, sentences.paragraphs, article_rng(article.title, settings.seed)
    )
    if not triplets:
        counts["dropped for want of triplets"] += 1
        return None
    titles = [
        nlp.make_doc(f"{article.title} {article.sections[section].title}".strip())
        for section in sorted(set(sentences.sections))
    ]
    counts["sentences"] += len(sentences)
    counts["triplets"] += len(triplets)
    counts["articles"] += 1
    return make_doc(
        article, sentences, titles, triplets, kind="sen", seed=settings.seed, vocab=nlp.vocab
    )


def make_clustering_doc(
    article: Article,
    nlp: Language,
    *,
    n_sections: tuple[int, int] = (5, 12),
    min_sentences: int = 3,
) -> Doc | None:
    """The Doc of an article for the clustering benchmark (Ein Dor et al. 2018, section 5.2): all
    its sentences with their sections. Sections of fewer than three sentences are left out, as in
    the released benchmark; None unless 5 to 12 sections remain.

    article: after `apply_rules`.
    """
    if len(article.sections) < n_sections[0]:
        return None
    found = all_sentences(article, nlp)
    sizes = Counter(found.sections)
    kept = found.select([sizes[section] >= min_sentences for section in found.sections])
    if not n_sections[0] <= len(set(kept.sections)) <= n_sections[1]:
        return None
    return make_doc(article, kept, [], [], kind="none", seed=0, vocab=nlp.vocab)


def build_corpus(
    articles: Iterable[Article],
    out: Path,
    nlp: Language,
    settings: CorpusSettings,
    *,
    log: ReadLog | None = None,
    on_article: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """Write the shards `out/{train,dev,test,clustering}/*.spacy` and `out/statistics.json`, and
    return the statistics.

    The clustering benchmark is made of test articles. A corpus that stands at `out` is replaced
    once the new one is whole. An article whose normalized title was seen before is dropped.
    on_article: called after each article, for a progress bar.
    Raises CorpusError if no article gives a triplet.
    """
    counts: Counter[str] = Counter()
    splits = {split: Counter[str]() for split in (*SPLITS, CLUSTERING)}
    work = out.with_name(f".{out.name}.building")
    shutil.rmtree(work, ignore_errors=True)
    seen: set[str] = set()
    for number, block in enumerate(_blocks(articles, settings.shard_size)):
        with nlp.memory_zone():
            docs: dict[str, list[Doc]] = {split: [] for split in splits}
            for article in block:
                on_article()
                counts["articles read"] += 1
                title = normalize_title(article.title)
                if title in seen:
                    counts["dropped as duplicate"] += 1
                    continue
                seen.add(title)
                article = apply_rules(article, settings)
                split = split_of(title, settings.shares)
                found: Counter[str] = Counter()
                doc = make_triplet_doc(article, nlp, settings, found)
                if doc is not None:
                    docs[split].append(doc)
                for name in ("articles", "sentences", "triplets"):
                    splits[split][name] += found.pop(name, 0)
                counts += found
                if split == "test" and (clustered := make_clustering_doc(article, nlp)) is not None:
                    docs[CLUSTERING].append(clustered)
                    splits[CLUSTERING]["articles"] += 1
                    splits[CLUSTERING]["sentences"] += len(clustered.spans["sentences"])
            for split, split_docs in docs.items():
                if split_docs:
                    write_shard(split_docs, work / split / f"{number:05d}.spacy")
    statistics = {
        "settings": asdict(settings),
        "read": {
            **counts,
            "skipped": dict(log.skipped) if log else {},
            "problems": log.problems if log else [],
        },
        **{split: dict(values) for split, values in splits.items()},
    }
    total = sum(splits[split]["triplets"] for split in SPLITS)
    if not total:
        shutil.rmtree(work, ignore_errors=True)
        raise CorpusError(
            f"None of the {counts['articles read']} articles gives a triplet: "
            f"{_describe(counts)}. An article needs at least {settings.min_sections} sections "
            "with text besides its lead and back matter; see --min-sections and --subsections."
        )
    write_json(work / STATISTICS, statistics)
    replace_folder(work, out)
    return statistics


def _describe(counts: Counter[str]) -> str:
    dropped = [f"{n} {name}" for name, n in counts.items() if "dropped" in name]
    return ", ".join(dropped) or "none was read"


def _blocks(articles: Iterable[Article], size: int) -> Iterator[list[Article]]:
    iterator = iter(articles)
    while block := list(islice(iterator, size)):
        yield block
