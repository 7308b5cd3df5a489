"""The released Wikipedia-sections triplets (Ein Dor et al., 2018) as a corpus.

    python scripts/released_triplets.py SOURCE OUT

SOURCE is a folder with train.csv, validation.csv and test.csv, each with the columns Sentence1 (the
anchor), Sentence2 (from its section) and Sentence3 (from another section of its article). Every
triplet stays as it is, in its own split: no rule or filter is applied.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import typer
from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import minibatch
from wasabi import msg

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.csv_records import read_rows
from spacy_thematic.articles.sources import ReadLog, bad_record
from spacy_thematic.cli.shell import claim_outputs, clear_errors
from spacy_thematic.files import write_folder, write_json
from spacy_thematic.progress import show_bar
from spacy_thematic.sentences.tokenizing import tokenize
from spacy_thematic.triplets.article_docs import make_sentence_splitter
from spacy_thematic.triplets.compiled import compile_shards
from spacy_thematic.triplets.corpus_builder import COMPILED, OWN, SPLITS, STATISTICS, write_docs
from spacy_thematic.triplets.docbin import make_article_doc
from spacy_thematic.triplets.rules import CorpusSettings
from spacy_thematic.triplets.sentences import Sentence

COLUMNS = ("Sentence1", "Sentence2", "Sentence3")
FILES = {"train": "train", "dev": "validation", "test": "test"}
MAX_GROUP = 1000


SentenceTriplet = tuple[str, ...]
"""Anchor, positive and negative, the first two closer in theme."""


def main(
    source: Path = typer.Argument(..., help="Folder with the three files"),
    out: Path = typer.Argument(..., help="Folder for the corpus; an earlier corpus is replaced"),
    limit: int = typer.Option(0, min=0, help="Read so many groups of each split; 0 reads all"),
) -> None:
    """Make a corpus of the released triplets."""
    with clear_errors() as held:
        held.enter_context(claim_outputs([source], folders=[out]))
        statistics = build_released(source, out, limit)
    found = ", ".join(f"{split} {statistics[split]['triplets']:,}" for split in SPLITS)
    msg.good(f"Made {out}: triplets of {found}")


def build_released(source: Path, out: Path, limit: int = 0) -> dict[str, Any]:
    """Write the corpus, whole or not at all. Returns its statistics."""
    settings = CorpusSettings()
    nlp = make_sentence_splitter(settings)
    statistics: dict[str, Any] = {"settings": asdict(settings), "read": Counter()}

    def fill(folder: Path) -> None:
        for split in SPLITS:
            statistics[split] = Counter()
            groups = show_bar(iterable=read_groups(source, split), desc=split, unit=" groups")
            parts = minibatch(islice(groups, limit or None), settings.shard_size)
            for number, part in enumerate(parts):
                statistics["read"]["articles read"] += len(part)
                with nlp.memory_zone():
                    docs = [make_released_doc(*group, nlp, settings) for group in part]
                    write_docs(docs, folder / split, number, statistics[split])
            if split in COMPILED and statistics[split]:
                compile_shards(folder / split, nlp.vocab)
        write_json(folder / STATISTICS, statistics)

    write_folder(out, fill, STATISTICS, "a corpus", OWN)
    return statistics


def read_groups(source: Path, split: str) -> Iterator[tuple[str, list[SentenceTriplet]]]:
    """Yield the triplets of one article, as far as the file shows: each but the first shares a
    sentence with those before it, and there are at most `MAX_GROUP`. With a name, the file's and a
    number, since the article's title is not in the file. Raises ValueError if there is no such
    file, or it is damaged."""
    file = source / f"{FILES[split]}.csv"
    if not file.is_file():
        raise ValueError(f"{source} has no file of triplets called {file.name}.")
    group: list[SentenceTriplet] = []
    sentences: set[str] = set()
    number = 1
    for triplet in read_triplets(file, ReadLog()):
        if group and (sentences.isdisjoint(triplet) or len(group) == MAX_GROUP):
            yield f"{file.name} {number}", group
            group, sentences, number = [], set(), number + 1
        group.append(triplet)
        sentences.update(triplet)
    if group:
        yield f"{file.name} {number}", group


def read_triplets(path: Path, log: ReadLog) -> Iterator[SentenceTriplet]:
    """Yield the triplets of a released file."""
    for number, row in enumerate(read_rows(path, COLUMNS, log), start=1):
        if all(row):
            yield tuple(row)
        else:
            bad_record(path, f"row {number}", "a sentence is empty", log)


def make_released_doc(
    title: str, triplets: Sequence[SentenceTriplet], nlp: Language, settings: CorpusSettings
) -> Doc:
    """Make a Doc of a group of triplets, with each sentence once, section by section. Anchors and
    positives that triplets connect count as one section without a title."""
    numbers: dict[str, int] = {}
    for triplet in triplets:
        for text in triplet:
            numbers.setdefault(text, len(numbers))
    pairs = [(numbers[anchor], numbers[positive]) for anchor, positive, _ in triplets]
    n_sections, sections = find_components(len(numbers), pairs)
    texts = sorted(numbers, key=lambda text: sections[numbers[text]])
    sentences = [Sentence.read(tokenize(nlp, text), sections[numbers[text]], 0) for text in texts]
    rows = {text: row for row, text in enumerate(texts)}
    return make_article_doc(
        Article(title, "Wikipedia sections", [Section("")] * n_sections),
        sentences,
        [],
        [(rows[anchor], rows[positive], rows[other]) for anchor, positive, other in triplets],
        kind=settings.kind,
        seed=settings.seed,
        vocab=nlp.vocab,
    )


def find_components(n: int, pairs: Sequence[tuple[int, int]]) -> tuple[int, list[int]]:
    """How many groups of n numbers pairs connect, directly or not, and the group of each number, in
    the order of their lowest ones."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(pairs)), tuple(zip(*pairs))), (n, n))
    n_groups, groups = connected_components(graph, directed=False)
    return n_groups, groups.tolist()


if __name__ == "__main__":
    typer.run(main)
