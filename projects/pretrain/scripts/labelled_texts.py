"""Texts whose sentences people gave to topics, such as the turns of meetings, as a corpus from
which section boundaries are learned.

python scripts/labelled_texts.py TEXTS OUT
"""

import gzip
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import spacy
import srsly
import typer
from spacy.language import Language
from spacy.tokens import Doc

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.triplets.compiled import compile_shards
from spacy_thematic.triplets.docbin import make_article_doc, write_shard
from spacy_thematic.triplets.sentences import Sentence

TRIPLET = (0, 1, 2)


def main(
    texts: Path = typer.Argument(..., help="JSON lines, .gz, with title, sentences and labels"),
    out: Path = typer.Argument(..., help="Folder of shards"),
    lang: str = typer.Option("en"),
    piece: int = typer.Option(320, help="Sentences of a Doc; each second half begins the next"),
    name: str = typer.Option("labelled", help="Of the shard"),
):
    """Write a shard. A long text becomes Docs of equal length, each half of one the half of the
    next, so that a boundary stands now early in a Doc, now late."""
    nlp = spacy.blank(lang)
    with gzip.open(texts, "rt", encoding="utf8") as lines:
        records = [srsly.json_loads(line) for line in lines]
    docs = [doc for record in records for doc in make_pieces(record, nlp, piece)]
    out.mkdir(parents=True, exist_ok=True)
    write_shard(docs, out / f"{name}.spacy")
    compile_shards(out, nlp.vocab)


def make_pieces(record: dict[str, Any], nlp: Language, size: int) -> Iterator[Doc]:
    """Docs of a text: a run of sentences of one label is a section. Labels below 0 are labels."""
    runs = [run for run, (_, same) in enumerate(groupby(record["labels"])) for _ in same]
    sentences = [(text, run) for text, run in zip(record["sentences"], runs) if text.strip()]
    for start in range(0, max(1, len(sentences) - size // 2), size // 2):
        taken = sentences[start : start + size]
        if len(taken) <= max(TRIPLET):
            continue
        first = taken[0][1]
        found = [
            Sentence.read(nlp.make_doc(text), run - first, number)
            for number, (text, run) in enumerate(taken)
        ]
        n_sections = taken[-1][1] - first + 1
        article = Article(
            f"{record['title']} {start}", "", [Section("", 2, []) for _ in range(n_sections)]
        )
        # A corpus is read by its triplets; this objective reads none.
        yield make_article_doc(article, found, [], [TRIPLET], kind="sen", seed=0, vocab=nlp.vocab)


if __name__ == "__main__":
    typer.run(main)
