"""A corpus on disk, built block by block, by several processes, and resumed after interruptions."""

import csv
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import srsly
from spacy.language import Language
from spacy.tokens import Doc
from spacy.vocab import Vocab

from spacy_thematic import files
from spacy_thematic.about import __version__
from spacy_thematic.articles.article import Article, normalize_title
from spacy_thematic.articles.csv_records import OF_BENCHMARK
from spacy_thematic.articles.formats import Record
from spacy_thematic.articles.mediawiki import Page
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.engines import Engine, LocalEngine
from spacy_thematic.triplets import article_docs
from spacy_thematic.triplets.compiled import compile_docs, join_compiled
from spacy_thematic.triplets.docbin import (
    OTHERS,
    SENTENCES,
    get_triplets,
    read_shards,
    write_shard,
)
from spacy_thematic.triplets.hashes import hash_sentences, hash_text, hash_title
from spacy_thematic.triplets.mining import split_of
from spacy_thematic.triplets.reasons import DUPLICATE, LEFT_OUT, describe_dropped
from spacy_thematic.triplets.rules import CorpusSettings, apply_rules

SPLITS = ("train", "dev", "test")
COMPILED = ("train", "dev")
BLOCKS = "blocks"
CLUSTERING = "clustering"
STATISTICS = "statistics.json"
CLUSTERING_CSV = "clustering.csv"

OWN = (*SPLITS, CLUSTERING, CLUSTERING_CSV, STATISTICS)
"""What a corpus holds."""
_SMALLEST_BLOCK = 125
_PARTS = ("block", "left out", "words", "read", *SPLITS, CLUSTERING)


_get_splitter = lru_cache(maxsize=1)(article_docs.make_sentence_splitter)


def build_corpus(
    records: Iterable[Record],
    out: Path,
    settings: CorpusSettings,
    *,
    leave_out: Iterable[str] = (),
    leave_out_sentences: Iterable[str] = (),
    log: ReadLog | None = None,
    source: str = "",
    engine: Engine = LocalEngine(1),
    on_record: Callable[[], None] = lambda: None,
    on_resume: Callable[[int], None] = lambda n_articles: None,
    on_first_block: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """Build a corpus on disk from articles or pages, and return its statistics.

    It consists of the shards `out/{train,dev,test,clustering}/*.spacy`, the clustering benchmark as
    `out/clustering.csv`, with the columns of IBM's released file, and `out/statistics.json`.
    Articles are split by a hash of their title; the clustering benchmark consists of test articles.
    An article whose title or whole text was seen before is dropped. The bytes depend neither on the
    engine nor on its number of workers.

    Until the corpus is complete it is built in a hidden folder beside `out`; another call with the
    same settings and `source` resumes an interrupted build. At the end, an earlier corpus at `out`
    is replaced. Raises ValueError if no article gives a triplet, FileExistsError if `out` is
    anything but a corpus, WorkerLost if a worker was killed.

    Args:
        leave_out: Titles of articles to leave out, in any spelling.
        leave_out_sentences: Sentences; an article with a paragraph that one of them opens is left
            out.
        source: Names `records` and `leave_out`, to recognise an interrupted build of the same.
        on_record: Called after each record and block, for a progress bar.
        on_resume: Called at the start of a resumed build with the number of articles already done.
        on_first_block: Called when the first articles that are not done have been read.
    """
    out = out.resolve()
    files.check_is_replaceable(out, STATISTICS, "a corpus", OWN)
    work = folder_of_build(out)
    files.resume_folder(
        work, {"version": __version__, "source": source, "settings": asdict(settings)}
    )
    done = map(srsly.read_json, (work / BLOCKS).glob("*.json"))
    if n_done := sum(counts.get("block", {}).get("records", 0) for counts in done):
        on_resume(n_done)
    seen: set[int] = set()
    left_out = {*map(hash_title, leave_out)}
    reading: Counter[str] = Counter()

    def unseen() -> Iterator[Record]:
        for record in records:
            on_record()
            reading["articles read"] += 1
            text = record.text if isinstance(record, Page) else record.text()
            keys = [hash_title(record.title)]
            if text.strip():  # Articles without text, as of lists alone, are no copies.
                keys.append(hash_text(f"text {text}"))
            if any(key in left_out for key in keys):
                reading[LEFT_OUT] += 1
            elif any(key in seen for key in keys):
                reading[DUPLICATE] += 1
            else:
                yield record
            seen.update(keys)

    blocks = _iter_missing(unseen(), work, settings.shard_size, on_record, on_first_block)
    hashes = hash_sentences(leave_out_sentences)
    process = partial(process_block, work=work, settings=settings, left_out=hashes)
    for _ in engine.map(process, blocks):
        pass
    statistics = _gather(work, settings, reading, log or ReadLog())
    if not sum(statistics[split].get("triplets", 0) for split in SPLITS):
        shutil.rmtree(work)
        read = statistics["read"]
        dropped = "; ".join(describe_dropped(read, settings.min_sections, read["skipped"]))
        raise ValueError(
            f"None of the {reading['articles read']} articles gives a triplet "
            f"({dropped or 'none was read'}): give a source of other articles."
        )
    _write_csv(work / CLUSTERING, work / CLUSTERING_CSV)
    for split in COMPILED:
        if parts := sorted((work / BLOCKS).glob(f"*.{split}")):
            join_compiled(parts, work / split)
    (work / files.MADE_FROM).unlink()  # From here on the blocks are incomplete, so nothing resumes.
    shutil.rmtree(work / BLOCKS)
    files.replace_folder(work, out)
    return statistics


def folder_of_build(out: Path) -> Path:
    """The hidden folder beside `out` where a corpus is built."""
    return files.hidden_beside(out.resolve(), "building")


def _iter_missing(
    records: Iterator[Record],
    work: Path,
    largest: int,
    on_block: Callable[[], None],
    on_first_block: Callable[[], None],
) -> Iterator[tuple[int, list[Record]]]:
    """Blocks of records that are not done, with their numbers."""
    number = total = 0
    is_first = True
    # Blocks grow with what has been read, so that no process waits long at the end.
    while block := list(islice(records, min(largest, max(_SMALLEST_BLOCK, total // 100)))):
        if not _counts_of(work, number).exists():
            if is_first:
                on_first_block()
            is_first = False
            yield number, block
            on_block()
        number, total = number + 1, total + len(block)


def process_block(
    numbered: tuple[int, list[Record]], work: Path, settings: CorpusSettings, left_out: np.ndarray
) -> None:
    """Write the shards of a block of articles, which has a number, and last its counts, which mark
    it complete. Articles are left out by hashes of sentences."""
    number, block = numbered
    nlp = _get_splitter(settings)
    counts = {part: Counter[str]() for part in _PARTS}
    counts["block"]["records"] = len(block)
    articles: dict[str, list[Article]] = {split: [] for split in SPLITS}
    log = ReadLog()
    with nlp.memory_zone():
        for record in block:
            article = record.to_article(log=log) if isinstance(record, Page) else record
            split = split_of(normalize_title(article.title), settings.shares)
            articles[split].append(apply_rules(article, settings))
        # The first block of a larger source is full.
        if number == 0 and len(block) < min(_SMALLEST_BLOCK, settings.shard_size):
            _fill_splits(articles, nlp, settings, left_out)
        for split in SPLITS:
            found = article_docs.make_triplet_docs(
                articles[split], nlp, settings, counts["read"], left_out
            )
            docs = [doc for doc in found if doc is not None]
            write_docs(docs, work / split, number, counts[split])
            if docs and split in COMPILED:
                compile_docs(docs, _counts_of(work, number).with_suffix(f".{split}"))
        found = [
            article_docs.make_clustering_doc(article, nlp, settings.min_sections)
            for article in articles["test"]
        ]
        docs = [doc for doc in found if doc is not None]
        write_docs(docs, work / CLUSTERING, number, counts[CLUSTERING])
    counts["left out"].update(log.left_out)
    counts["words"].update(read=log.words, left_out=log.words_left_out)
    files.write_json(_counts_of(work, number), counts)


def _fill_splits(
    articles: dict[str, list[Article]],
    nlp: Language,
    settings: CorpusSettings,
    left_out: np.ndarray,
) -> None:
    """Where the hashes of so few titles leave a split without triplets, move half of what it should
    have from the largest split: articles whose titles have the highest hashes."""
    kept = {}
    for split, some in articles.items():
        docs = article_docs.make_triplet_docs(some, nlp, settings, left_out=left_out)
        kept[split] = [article for article, doc in zip(some, docs) if doc is not None]
    quota = sum(map(len, kept.values())) / sum(settings.shares)
    for split, share in zip(SPLITS, settings.shares):
        donor = max(SPLITS, key=lambda name: len(kept[name]))
        if kept[split] or not share or len(kept[donor]) < 2:
            continue
        n_moved = max(1, min(round(quota * share / 2), len(kept[donor]) - 1))
        kept[donor].sort(key=lambda article: hash_title(article.title))
        for _ in range(n_moved):
            moved = kept[donor].pop()
            kept[split].append(moved)
            articles[split].append(moved)
            articles[donor] = [article for article in articles[donor] if article is not moved]


def write_docs(docs: list[Doc], folder: Path, number: int, counts: Counter[str]) -> None:
    """Write Docs as the shard of a number, if there are any, and count what they hold."""
    counts["articles"] += len(docs)
    counts["sentences"] += sum(len(doc.spans[SENTENCES]) for doc in docs)
    counts["triplets"] += sum(len(get_triplets(doc)) for doc in docs)
    if others := [doc.spans[OTHERS] for doc in docs if OTHERS in doc.spans]:
        counts["others"] += sum(map(len, others))
    if docs:
        write_shard(docs, folder / f"{number:06d}.spacy")


def _counts_of(work: Path, number: int) -> Path:
    return work / BLOCKS / f"{number:06d}.json"


def _gather(
    work: Path, settings: CorpusSettings, reading: Counter[str], log: ReadLog
) -> dict[str, Any]:
    """Turn the blocks' counts into the corpus's statistics."""
    totals = {part: Counter[str]() for part in _PARTS}
    for path in sorted((work / BLOCKS).glob("*.json")):
        for part, counts in srsly.read_json(path).items():
            totals[part].update(counts)
    left_out, words = totals.pop("left out"), totals.pop("words")
    log.leave_out(left_out, words["left_out"], words["read"] - words["left_out"])
    del totals["block"]
    read = {
        **reading,
        **totals.pop("read"),
        "skipped": dict(log.skipped),
        "problems": list(log.problems),
    }
    statistics = {"settings": asdict(settings), "read": read, **totals}
    files.write_json(work / STATISTICS, statistics)
    return statistics


def _write_csv(folder: Path, path: Path) -> None:
    """Write the clustering benchmark, whose shards are in a folder, as CSV."""
    docs = read_shards(folder, Vocab()) if folder.is_dir() else ()
    with path.open("w", encoding="utf8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(OF_BENCHMARK)
        for doc in docs:
            sentences = doc.spans[SENTENCES]
            title, source = sentences.attrs["title"], sentences.attrs["source"]
            writer.writerows((title, row.text, row.label_, source) for row in sentences)
