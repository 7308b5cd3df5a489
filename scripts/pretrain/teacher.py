"""Vectors of a teacher, a sentence-transformers model, for sentences and for single words.

python -m scripts.pretrain.teacher sentences CORPUS TEACHER OUT
python -m scripts.pretrain.teacher words CORPUS TEACHER OUT
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import spacy
import typer
from tqdm import tqdm

from scripts.pretrain.words import count_words
from spacy_thematic.files import write_bytes, write_json
from spacy_thematic.packages import resolve_path
from spacy_thematic.training.objectives.distillation import HEADER, ROWS, VECTORS
from spacy_thematic.triplets.compiled import CompiledCorpus, open_compiled

CHUNK = 10_000
SENTENCES_OF_SECTION = 3
MAX_PIECES = 64

app = typer.Typer(help=__doc__)


@app.command("sentences")
def teach_sentences(
    corpus: Path = typer.Argument(..., help="Training split of a corpus: CORPUS/train"),
    teacher: str = typer.Argument(..., help="Folder of a sentence-transformers model"),
    out: Path = typer.Argument(..., help="Folder for the vectors"),
    openers: int = typer.Option(440_000, help="So many openers of paragraphs; 0 for all"),
    others: int = typer.Option(330_000, help="So many other sentences; 0 for all"),
    seed: int = typer.Option(0, help="Seed of the order of the articles"),
):
    """Encode the first openers of each section, and its first other sentences, articles in random
    order. Chunks that are there already are not made again."""
    compiled = open_compiled(corpus, spacy.blank("en").vocab)
    rows = choose_sentences(compiled, openers, others, seed)
    encode = _load_encoder(teacher)
    starts = range(0, len(rows), CHUNK)
    chunks = {start: out / "chunks" / f"{compiled.key}-{start:08d}.float16" for start in starts}
    width = len(encode(["one"])[0])
    for start, path in tqdm(chunks.items(), unit=" chunks", disable=None):
        if not path.exists():
            texts = compiled.get_texts(rows[start : start + CHUNK])
            write_bytes(path, encode(texts).tobytes())
    with (out / VECTORS).open("wb") as file:
        for path in chunks.values():
            file.write(path.read_bytes())
    write_bytes(out / ROWS, rows.astype("int64").tobytes())
    write_json(out / HEADER, {"corpus": compiled.key, "width": width})


@app.command("words")
def teach_words(
    corpus: Path = typer.Argument(..., help="Training split of a corpus: CORPUS/train"),
    teacher: str = typer.Argument(..., help="Folder of a sentence-transformers model"),
    out: Path = typer.Argument(..., help=".npz for the table"),
    limit: int = typer.Option(65_000, help="So many of the most frequent words with letters"),
):
    """Encode single words, as a table in the format that `thematic vectors` reads."""
    found, _ = count_words(open_compiled(corpus, spacy.blank("en").vocab))
    words = [word for word in found if any(map(str.isalpha, word))][:limit]
    buffer = io.BytesIO()
    np.savez(buffer, words=np.array(words), vectors=_load_encoder(teacher)(words))
    write_bytes(out, buffer.getvalue())


def choose_sentences(corpus: CompiledCorpus, openers: int, others: int, seed: int) -> np.ndarray:
    """The rows of the first sentences of each section, first so many openers and then so many
    others, 0 for all; articles in random order."""
    sections, kinds = corpus.read_columns("sections", "kinds")
    owners = corpus.article_of_rows()
    order = np.random.default_rng(seed).permutation(len(corpus))
    chosen = []
    for kind, limit in ((0, openers), (3, others)):
        rows = np.flatnonzero(kinds == kind)
        places = np.stack([owners[rows], sections[rows]])
        is_first = np.append(True, (np.diff(places) != 0).any(axis=0))[: len(rows)]
        firsts = np.flatnonzero(is_first)[np.cumsum(is_first) - 1]
        rows = rows[np.arange(len(rows)) - firsts < SENTENCES_OF_SECTION]
        rows = rows[np.argsort(order[owners[rows]], kind="stable")]
        chosen.append(rows[: limit or None])
    return np.concatenate(chosen)


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
