"""The table that en_thematic_sm starts from: public tables, mixed and reduced to its width.

python -m scripts.pretrain.start_sm CONFIG
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
import typer
from torch.nn.functional import embedding_bag

from scripts.pretrain.ragged import Ragged
from scripts.pretrain.sentences import load_corpus
from scripts.pretrain.settings import OVERRIDABLE, load_settings
from scripts.pretrain.students import cut_words
from scripts.pretrain.tables import READERS
from spacy_thematic.files import write_bytes
from spacy_thematic.packages import resolve_path

SMOOTHING = 1e-3
FIRST_RARE_WORD = 3000
NOISE = 0.3
NORMS = (0.5, 0.4)  # of rows of whole words, and of prefixes and suffixes

app = typer.Typer()


@app.command(context_settings=OVERRIDABLE)
def main(ctx: typer.Context, config: Path = typer.Argument(..., help="configs/pretrain_sm.cfg")):
    """Mix the tables twice, by other scales, add rows of subwords, and fold both into one."""
    from safetensors.numpy import save

    settings = load_settings(config, ctx.args)
    start, n_words = settings["start"], settings["student"]["n_words"]
    width, n_subwords = settings["student"]["width"], settings["student"]["n_subwords"]
    corpus = load_corpus(Path(settings["paths"]["sentences"]))
    words, shares = corpus.words[:n_words], corpus.counts[:n_words] / corpus.counts[:n_words].sum()
    tables = {
        name: _prepare(table, words, shares)
        for name, table in start["tables"].items()
        if table["path"]
    }
    word_parts = cut_words(words, corpus.words, n_subwords)
    weights = np.append(SMOOTHING / (SMOOTHING + shares), np.ones(n_subwords))
    rng = np.random.default_rng(settings["system"]["seed"])
    mixtures = []
    for number, mixture in enumerate(start["mixtures"].values()):
        scaled = [rows * start["tables"][name]["scales"][number] for name, rows in tables.items()]
        rows = reduce(np.concatenate(scaled, axis=1), shares, width, mixture["soften"])
        subwords = make_subwords(rows, words, n_subwords, rng)
        mixtures.append((np.concatenate([rows, subwords]) * weights[:, None], mixture["weight"]))
    sample = rng.permutation(len(corpus.articles))[: start["n_sentences"]]
    parts = corpus.sentences.take(np.sort(sample)).replace(word_parts)
    folded = fold(mixtures, parts, width)
    norms = np.maximum(np.linalg.norm(folded, axis=1, keepdims=True), 1e-9)
    state = {"vectors.weight": folded / norms, "log_weights.weight": np.log(norms)}
    write_bytes(
        Path(settings["paths"]["start"]),
        save({name: np.ascontiguousarray(rows, dtype="f") for name, rows in state.items()}),
    )


def _prepare(table: dict, words: list[str], shares: np.ndarray) -> np.ndarray:
    """The rows of a table, centred, of mean length one."""
    rows, known = READERS[table["format"]](resolve_path(table["path"]), words)
    if not known.any():
        raise ValueError(f"{table['path']} has none of the words of the corpus.")
    by_type = table["center"] == "types"
    rows = rows - np.average(rows[known], axis=0, weights=None if by_type else shares[known])
    if table["unit"]:
        rows = _unit(rows)
    rows[~known] = 0
    return (rows / np.linalg.norm(rows[known], axis=1).mean()).astype("f")


def reduce(rows: np.ndarray, shares: np.ndarray, width: int, soften: float) -> np.ndarray:
    """The leading `width` directions of rows by the square roots of the shares of their words, of
    mean length one. soften: 1 gives all directions the same variance, 0 changes nothing."""
    weights = np.sqrt(shares).astype("f")
    covariance = (rows * weights[:, None]).T @ rows / weights.sum()
    variances, directions = _leading(covariance, width)
    reduced = rows @ directions / np.maximum(variances, 1e-12) ** (soften / 2)
    return reduced / np.linalg.norm(reduced, axis=1).mean()


def make_subwords(
    rows: np.ndarray, words: list[str], n_subwords: int, rng: np.random.Generator
) -> np.ndarray:
    """Rows of parts of words: of prefixes and suffixes the mean of the rarer words that have
    them, of whole words noise."""
    width = rows.shape[1]
    rare = [n for n, word in enumerate(words) if n >= FIRST_RARE_WORD and word.isalpha()]
    parts = cut_words([], [words[n] for n in rare], n_subwords)
    owners = np.repeat(rare, np.diff(parts.offsets)).astype("int64")
    sums = np.zeros((n_subwords, width))
    np.add.at(sums, parts.values, rows[owners])
    means = sums / np.maximum(np.bincount(parts.values, minlength=n_subwords), 1)[:, None]
    means[: n_subwords // 4] = 0
    noise = rng.standard_normal(means.shape) * NOISE / np.sqrt(width)
    norms = np.repeat(NORMS, [n_subwords // 4, n_subwords - n_subwords // 4])
    return _unit(means + noise) * norms[:, None]


def fold(mixtures: list[tuple[np.ndarray, float]], parts: Ragged, width: int) -> np.ndarray:
    """Tables side by side, each weighted, reduced to the leading `width` directions of the sums
    of their rows over sentences."""
    sums, tables = [], []
    for table, weight in mixtures:
        of_sentences = embedding_bag(
            torch.from_numpy(parts.values),
            torch.from_numpy(table.astype("f")),
            torch.from_numpy(parts.offsets[:-1]),
            mode="sum",
        ).numpy()
        scale = weight / np.sqrt((of_sentences**2).sum(axis=1).mean())
        sums.append(of_sentences * scale)
        tables.append(table * scale)
    side_by_side = np.concatenate(sums, axis=1)
    _, directions = _leading(side_by_side.T @ side_by_side / len(side_by_side), width)
    return np.concatenate(tables, axis=1) @ directions


def _leading(matrix: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    values, vectors = np.linalg.eigh(matrix)
    return values[::-1][:n], vectors[:, ::-1][:, :n]


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


if __name__ == "__main__":
    app()
