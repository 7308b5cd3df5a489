"""A teacher's vectors of sentences in the width of a student, turned so that they are nearest to
the student's: their first principal axes, which keep their cosines, and the rotation of these that
fits best (Schönemann 1966). So the student begins to learn from what it knows.

python scripts/align_teacher.py TAUGHT CORPUS STUDENT OUT
"""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import spacy
import typer

from distillation import HEADER, ROWS, VECTORS, TaughtSentences
from spacy_thematic.files import write_json
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.text_encoder import encode_texts
from spacy_thematic.rows import unit_rows
from spacy_thematic.triplets.compiled import open_compiled
from teacher import get_texts

BLOCK = 1 << 14


def main(
    taught: Path = typer.Argument(..., help="Folder that teacher.py has written"),
    corpus: Path = typer.Argument(..., help="Training split of a corpus: CORPUS/train"),
    student: str = typer.Argument(..., help="Model file or pipeline of the student"),
    out: Path = typer.Argument(..., help="Folder for the aligned vectors"),
    n_sentences: int = typer.Option(8_000, help="Random sentences that the rotation is fitted to"),
    seed: int = typer.Option(0),
):
    """Write the vectors of a teacher for one student."""
    known = TaughtSentences(taught)
    picked = np.random.default_rng(seed).permutation(len(known))[:n_sentences]
    picked = picked[np.argsort(known.rows[picked])]
    texts = get_texts(open_compiled(corpus, spacy.blank("en").vocab), known.rows[picked])
    here = unit_rows(encode_texts(load_pipeline(student), texts), centre=False)
    axes, kept = find_axes(known, here.shape[1])
    there = np.concatenate([known.read(row, row + 1) for row in picked]) @ axes
    there = unit_rows(there, centre=False)
    rotation = find_rotation(there, here)
    cosine = (there @ rotation * here).sum(axis=1).mean()
    typer.echo(f"{kept:.3f} of the length is kept; mean cosine to the student {cosine:.3f}.")
    out.mkdir(parents=True, exist_ok=True)
    with (out / VECTORS).open("wb") as file:
        for start in range(0, len(known), BLOCK):
            rows = known.read(start, min(start + BLOCK, len(known))) @ (axes @ rotation)
            file.write(unit_rows(rows, centre=False).astype("float16").tobytes())
    shutil.copy(taught / ROWS, out / ROWS)
    write_json(out / HEADER, {"corpus": known.key, "width": here.shape[1]})


def find_axes(known: TaughtSentences, width: int) -> tuple[np.ndarray, float]:
    """The axes along which vectors are longest, (width of the teacher, width), and the share of
    their squared length that these keep."""
    products = np.zeros((known.width, known.width))
    for start in range(0, len(known), BLOCK):
        rows = known.read(start, min(start + BLOCK, len(known)))
        products += rows.T @ rows
    values, axes = np.linalg.eigh(products)
    return axes[:, ::-1][:, :width].astype("f"), float(values[::-1][:width].sum() / values.sum())


def find_rotation(rows: np.ndarray, towards: np.ndarray) -> np.ndarray:
    """The rotation, (width, width), that brings rows, (n, width), nearest to others, (n, width)."""
    left, _, right = np.linalg.svd(rows.T @ towards)
    return (left @ right).astype("f")


if __name__ == "__main__":
    typer.run(main)
