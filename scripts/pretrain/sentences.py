"""Articles to their sentences, as flat arrays.

python -m scripts.pretrain.sentences ARTICLES OUT
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import typer
from tqdm import tqdm

from scripts.pretrain.ragged import Ragged
from spacy_thematic.articles.article import Article, normalize_title
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.files import write_folder
from spacy_thematic.packages import resolve_path
from spacy_thematic.triplets.article_docs import make_sentence_splitter
from spacy_thematic.triplets.rules import CorpusSettings, apply_rules, is_sentence_length
from spacy_thematic.triplets.sentences import all_sentences

ARRAYS = "sentences.npz"
WORDS = "words.txt"
TEXTS = "texts.txt"
SETTINGS = CorpusSettings(subsections="separate")
LAST_POSITION = 255


class Corpus(NamedTuple):
    """The sentences of articles, in reading order.

    words: lower-case forms, the most frequent first. counts: how often each occurs.
    sentences: the words of each sentence, as numbers. articles, sections: of each sentence; a
    section's number is unique in its article. positions: of each sentence in its paragraph.
    """

    words: list[str]
    counts: np.ndarray
    sentences: Ragged
    articles: np.ndarray
    sections: np.ndarray
    positions: np.ndarray


def load_corpus(folder: Path) -> Corpus:
    """Read what this script has written."""
    words = (folder / WORDS).read_text(encoding="utf8").splitlines()
    with np.load(folder / ARRAYS) as arrays:
        return Corpus(
            words,
            arrays["counts"],
            Ragged(arrays["tokens"], arrays["offsets"]),
            arrays["articles"],
            arrays["sections"],
            arrays["positions"],
        )


def load_texts(folder: Path) -> list[str]:
    """The text of each sentence of a corpus."""
    return (folder / TEXTS).read_text(encoding="utf8").splitlines()


def main(
    articles: str = typer.Argument(..., help="Sectioned articles in any format of the library"),
    out: Path = typer.Argument(..., help="Folder for the sentences"),
    leave_out: str = typer.Option("", help="Articles whose titles are left out"),
    limit: int = typer.Option(0, help="Read so many articles; 0 for all"),
):
    """The sentences of 5 to 50 tokens of all sections but the lead and back matter."""
    left_out = _read_titles(leave_out) if leave_out else set()
    source = read_articles(resolve_path(articles), skip_bad=True)
    kept = (
        article
        for article in islice(source, limit or None)
        if normalize_title(article.title) not in left_out
    )
    write_folder(
        out,
        lambda folder: _write(tqdm(kept, unit=" articles", disable=None), folder),
        ARRAYS,
        "sentences",
    )


def _read_titles(path: str) -> set[str]:
    found = read_articles(resolve_path(path), skip_bad=True)
    return {normalize_title(article.title) for article in found}


def _write(articles: Iterator[Article], folder: Path) -> None:
    nlp = make_sentence_splitter(SETTINGS)
    numbers: dict[str, int] = {}
    tokens, offsets = array("i"), array("q", [0])
    columns = {name: array("i") for name in ("articles", "sections", "positions")}
    with (folder / TEXTS).open("w", encoding="utf8") as texts:
        for number, article in enumerate(articles):
            found = all_sentences(apply_rules(article, SETTINGS), nlp)
            seen: Counter[tuple[int, int]] = Counter()
            rows = zip(found.tokens, found.texts(), found.sections, found.paragraphs)
            for words, text, section, paragraph in rows:
                position = seen[section, paragraph]
                seen[section, paragraph] += 1
                if not is_sentence_length(len(words)):
                    continue
                tokens.extend(numbers.setdefault(word.lower(), len(numbers)) for word in words)
                offsets.append(len(tokens))
                columns["articles"].append(number)
                columns["sections"].append(section)
                columns["positions"].append(min(position, LAST_POSITION))
                texts.write(text + "\n")
    if not tokens:
        raise ValueError("There is no sentence of 5 to 50 tokens in these articles.")
    words, counts, tokens_by_rank = _rank(list(numbers), np.asarray(tokens))
    (folder / WORDS).write_text("".join(word + "\n" for word in words), encoding="utf8")
    np.savez(
        folder / ARRAYS,
        counts=counts,
        tokens=tokens_by_rank,
        offsets=np.asarray(offsets),
        articles=np.asarray(columns["articles"], "int32"),
        sections=np.asarray(columns["sections"], "int32"),
        positions=np.asarray(columns["positions"], "uint8"),
    )


def _rank(words: list[str], tokens: np.ndarray) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Words, counts and tokens with the most frequent word first."""
    counts = np.bincount(tokens, minlength=len(words))
    order = np.argsort(-counts, kind="stable")
    ranks = np.empty(len(order), "int32")
    ranks[order] = np.arange(len(order))
    return [words[number] for number in order], counts[order], ranks[tokens]


if __name__ == "__main__":
    typer.run(main)
