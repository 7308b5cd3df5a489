"""Held-out articles for an evaluation: from a corpus, or straight from a source of articles."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc

from spacy_thematic.articles.formats import read_articles
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.triplets import article_docs
from spacy_thematic.triplets.corpus_builder import CLUSTERING, STATISTICS
from spacy_thematic.triplets.docbin import read_shards
from spacy_thematic.triplets.reasons import NOT_CLUSTERED
from spacy_thematic.triplets.rules import CorpusSettings, apply_rules


def load_heldout(
    path: Path,
    nlp: Language,
    settings: CorpusSettings,
    *,
    log: ReadLog,
    on_article: Callable[[], None] = lambda: None,
    counts: Counter[str] | None = None,
) -> tuple[list[Doc], list[Doc]]:
    """Read or make held-out articles: the Docs with triplets, and those of the clustering
    benchmark. The path is a corpus folder (its test split and its benchmark), other shards
    (triplets only), or a source of articles, all of which are used, split by the tokenizer and the
    language of `nlp`. `counts` receives how many of these were dropped for each reason. Raises
    ValueError if a corpus has no test split."""
    counts = Counter() if counts is None else counts
    if _is_corpus(path):
        return _read_part(path / "test", nlp), _read_part(path / CLUSTERING, nlp)
    if _has_shards(path):
        return list(read_shards(path, nlp.vocab)), []
    settings = replace(settings, lang=nlp.meta["lang"])
    splitter = article_docs.make_sentence_splitter(settings, nlp.vocab)
    triplets: list[Doc] = []
    clustering: list[Doc] = []
    articles = (apply_rules(article, settings) for article in read_articles(path, log=log))
    while block := list(islice(articles, settings.shard_size)):
        made = article_docs.make_triplet_docs(block, splitter, settings, counts)
        triplets += [doc for doc in made if doc is not None]
        for article in block:
            on_article()
            doc = article_docs.make_clustering_doc(article, splitter, settings.min_sections)
            if doc is None:
                counts[NOT_CLUSTERED] += 1
            else:
                clustering.append(doc)
    return triplets, clustering


def _is_corpus(path: Path) -> bool:
    """Whether a folder is itself a corpus. Raises ValueError if it is one without a test split."""
    if any(map(_has_shards, (path / "test", path / CLUSTERING))):
        return True
    if (path / STATISTICS).is_file() and _has_shards(path / "train"):
        raise ValueError(
            f"The corpus {path} has no test articles: build it with other --shares, or name its "
            f"{path / 'dev'}."
        )
    return False


def _has_shards(path: Path) -> bool:
    return path.suffix == ".spacy" or any(path.glob("*.spacy"))


def _read_part(path: Path, nlp: Language) -> list[Doc]:
    return list(read_shards(path, nlp.vocab)) if path.is_dir() else []
