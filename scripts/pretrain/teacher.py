"""Vectors of a teacher, a sentence-transformers model, for sentences and for single words.

python -m scripts.pretrain.teacher sentences SENTENCES TEACHER OUT
python -m scripts.pretrain.teacher words SENTENCES TEACHER OUT
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import typer
from tqdm import tqdm

from scripts.pretrain.sentences import Corpus, load_corpus, load_texts
from spacy_thematic.files import write_bytes
from spacy_thematic.packages import resolve_path

CHUNK = 10_000
SENTENCES_OF_SECTION = 3
MAX_PIECES = 64

app = typer.Typer(help=__doc__)


class Taught(NamedTuple):
    """rows: of sentences of a corpus; those of an article follow one another. vectors: the
    teacher's, float16."""

    rows: np.ndarray
    vectors: np.ndarray


def load_taught(folder: Path) -> Taught:
    """All chunks of a folder. Raises ValueError if there are none."""
    chunks = sorted(folder.glob("*.npz"))
    if not chunks:
        raise ValueError(f'There are no teacher\'s vectors in {folder}: run "teacher sentences".')
    loaded = [np.load(chunk) for chunk in chunks]
    return Taught(*(np.concatenate([part[name] for part in loaded]) for name in Taught._fields))


@app.command("sentences")
def teach_sentences(
    sentences: Path = typer.Argument(..., help="Folder of sentences.py"),
    teacher: str = typer.Argument(..., help="Folder of a sentence-transformers model"),
    out: Path = typer.Argument(..., help="Folder for the vectors, in chunks"),
    openers: int = typer.Option(440_000, help="So many openers of paragraphs; 0 for all"),
    others: int = typer.Option(330_000, help="So many other sentences; 0 for all"),
    seed: int = typer.Option(0, help="Seed of the order of the articles"),
):
    """The vectors of the first openers of each section, and of its first other sentences, articles
    in random order. What is there already is not done again."""
    corpus = load_corpus(sentences)
    is_opener = corpus.positions == 0
    chosen = {
        "openers": choose_sentences(corpus, is_opener, seed)[: openers or None],
        "others": choose_sentences(corpus, ~is_opener, seed)[: others or None],
    }
    chunks = {
        out / f"{kind}-{number:05d}.npz": rows[start : start + CHUNK]
        for kind, rows in chosen.items()
        for number, start in enumerate(range(0, len(rows), CHUNK))
    }
    texts = load_texts(sentences)
    encode = _load_encoder(teacher)
    for path, rows in tqdm(chunks.items(), unit=" chunks", disable=None):
        if not path.exists():
            write_arrays(path, rows=rows, vectors=encode([texts[row] for row in rows]))


@app.command("words")
def teach_words(
    sentences: Path = typer.Argument(..., help="Folder of sentences.py"),
    teacher: str = typer.Argument(..., help="Folder of a sentence-transformers model"),
    out: Path = typer.Argument(..., help=".npz for the table"),
    limit: int = typer.Option(65_000, help="So many of the most frequent words with letters"),
):
    """A table of the vectors of single words, in the format that `thematic vectors` reads."""
    words = [word for word in load_corpus(sentences).words if any(map(str.isalpha, word))][:limit]
    write_arrays(out, words=np.array(words), vectors=_load_encoder(teacher)(words))


def choose_sentences(corpus: Corpus, qualifies: np.ndarray, seed: int) -> np.ndarray:
    """The rows of the first sentences of each section that qualify, articles in random order."""
    rows = np.flatnonzero(qualifies)
    articles, sections = corpus.articles[rows], corpus.sections[rows]
    is_first = np.append(True, (np.diff(articles) != 0) | (np.diff(sections) != 0))
    firsts = np.flatnonzero(is_first)[np.cumsum(is_first) - 1]
    chosen = rows[np.arange(len(rows)) - firsts < SENTENCES_OF_SECTION]
    order = np.random.default_rng(seed).permutation(corpus.articles[-1] + 1)
    return chosen[np.argsort(order[corpus.articles[chosen]], kind="stable")]


def write_arrays(path: Path, **arrays: np.ndarray) -> None:
    """Write an .npz, whole or not at all."""
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    write_bytes(path, buffer.getvalue())


def _load_encoder(teacher: str):
    from sentence_transformers import SentenceTransformer

    folder = resolve_path(teacher)
    if not folder.is_dir():
        raise ValueError(
            f"There is no model at {folder}: scripts/pretrain/README.md says where from."
        )
    model = SentenceTransformer(str(folder))
    model.max_seq_length = MAX_PIECES

    def encode(texts: Sequence[str]) -> np.ndarray:
        return model.encode(list(texts), normalize_embeddings=True).astype("float16")

    return encode


if __name__ == "__main__":
    app()
