"""Vectors of a teacher, for sentences and for single words. A teacher is one of our pipelines, such
as en_thematic_lg, or a sentence-transformers model.

python scripts/teacher.py sentences CORPUS TEACHER OUT
python scripts/teacher.py words CORPUS TEACHER OUT
"""

import hashlib
import io
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import spacy
import torch
import typer
from tqdm import tqdm

from corpus_words import count_words
from distillation import HEADER, ROWS, VECTORS
from spacy_thematic.clustering.vectors import TextEncoder
from spacy_thematic.files import write_bytes, write_json
from spacy_thematic.losses.targets import normalize_rows
from spacy_thematic.packages import resolve_path
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.text_encoder import encode_texts
from spacy_thematic.triplets.compiled import CompiledCorpus, open_compiled

CHUNK = 10_000
SENTENCES_OF_SECTION = 3
MAX_PIECES = 64
TEACHER = "A bundled model, a saved pipeline, or the folder of a sentence-transformers model"

app = typer.Typer(help=__doc__)


def get_texts(corpus: CompiledCorpus, rows: np.ndarray) -> list[str]:
    """The texts of rows, by their numbers in the whole corpus."""
    words, spaces, lengths = corpus.read_rows(rows)
    ends = np.cumsum(lengths)
    texts = []
    for start, end in zip((ends - lengths).tolist(), ends.tolist()):
        pieces = zip(words[start:end].tolist(), spaces[start:end].tolist())
        texts.append("".join(corpus.forms[w] + " " * s for w, s in pieces).strip())
    return texts


@app.command("sentences")
def teach_sentences(
    corpus: Path = typer.Argument(..., help="Training split of a corpus: CORPUS/train"),
    teacher: str = typer.Argument(..., help=TEACHER),
    out: Path = typer.Argument(..., help="Folder for the vectors"),
    openers: int = typer.Option(440_000, help="So many openers of paragraphs; 0 for all"),
    others: int = typer.Option(330_000, help="So many other sentences; 0 for all"),
    bfloat16: bool = typer.Option(False, help="Compute in 16 bits, where the processor can"),
    seed: int = typer.Option(0, help="Seed of the order of the articles"),
):
    """Encode the first openers of each section, and its first other sentences, articles in random
    order. Chunks that are there already are not made again."""
    compiled = open_compiled(corpus, spacy.blank("en").vocab)
    rows = choose_sentences(compiled, openers, others, seed)
    encode = load_encoder(teacher, bfloat16)
    starts = range(0, len(rows), CHUNK)
    chunks = [rows[start : start + CHUNK] for start in starts]
    paths = [out / "chunks" / name_chunk(compiled.key, teacher, chunk) for chunk in chunks]
    width = len(encode(["one"])[0])
    for chunk, path in zip(tqdm(chunks, unit=" chunks", disable=None), paths):
        if not path.exists():
            write_bytes(path, encode(get_texts(compiled, chunk)).tobytes())
    with (out / VECTORS).open("wb") as file:
        for path in paths:
            file.write(path.read_bytes())
    write_bytes(out / ROWS, rows.astype("int64").tobytes())
    write_json(out / HEADER, {"corpus": compiled.key, "width": width})


@app.command("words")
def teach_words(
    corpus: Path = typer.Argument(..., help="Training split of a corpus: CORPUS/train"),
    teacher: str = typer.Argument(..., help=TEACHER),
    out: Path = typer.Argument(..., help=".npz for the table"),
    limit: int = typer.Option(65_000, help="So many of the most frequent words with letters"),
):
    """Encode single words, as a table in the format that `thematic train` reads."""
    found, _ = count_words(open_compiled(corpus, spacy.blank("en").vocab))
    words = [word for word in found if any(map(str.isalpha, word))][:limit]
    buffer = io.BytesIO()
    np.savez(buffer, words=np.array(words), vectors=load_encoder(teacher)(words))
    write_bytes(out, buffer.getvalue())


def name_chunk(key: str, teacher: str, rows: np.ndarray) -> str:
    """The name of the file of a teacher's vectors of some rows of a corpus."""
    made_from = f"{key} {teacher}".encode() + rows.astype("int64").tobytes()
    return f"{hashlib.sha256(made_from).hexdigest()[:16]}.float16"


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


def load_encoder(teacher: str, bfloat16: bool = False) -> TextEncoder:
    """What gives texts their vectors, unit rows, float16 (texts, width)."""
    folder = resolve_path(teacher)
    encode: TextEncoder
    if (folder / "modules.json").exists():
        from sentence_transformers import SentenceTransformer

        model = SentenceTransformer(str(folder))
        model.max_seq_length = MAX_PIECES
        encode = model.encode
    else:
        encode = partial(encode_texts, load_pipeline(teacher))

    def encode_as_units(texts: Sequence[str]) -> np.ndarray:
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=bfloat16):
            return normalize_rows(encode(list(texts)))[0].astype("float16")

    return encode_as_units


if __name__ == "__main__":
    app()
