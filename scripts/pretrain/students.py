"""The two nets that are trained: words in, unit vectors of sentences out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from scripts.pretrain.ragged import Ragged
from spacy_thematic.models.subwords import hash_subwords
from spacy_thematic.models.torch.transformer_mean import TransformerMean
from spacy_thematic.models.word_pieces import WordPieces

MAX_PIECES = 8


class Student(Protocol):
    """An `nn.Module`; tables of which a batch reads few rows are sparse embeddings.

    vocabulary: what the rows of the table stand for. cut: words to the rows of their parts.
    project: sentence vectors to the teacher's space, unit rows; not part of the bundled model.
    """

    vocabulary: list[str]

    def __call__(self, parts: Ragged) -> Tensor: ...
    def cut(self, words: Sequence[str]) -> Ragged: ...
    def project(self, vectors: Tensor) -> Tensor: ...


class StaticStudent(nn.Module):
    """The sum of rows of a table, each with its own weight. A word without a row is the sum of
    four rows of hashed parts.

    vocabulary: words with a row. width: of a row. n_subwords: rows of parts.
    """

    def __init__(self, vocabulary: list[str], width: int, n_subwords: int, teacher_width: int):
        super().__init__()
        self.vocabulary = vocabulary
        self.n_subwords = n_subwords
        n_rows = len(vocabulary) + n_subwords
        self.vectors = nn.EmbeddingBag(n_rows, width, mode="sum", sparse=True)
        self.log_weights = nn.Embedding(n_rows, 1, sparse=True)
        self.projection = nn.Linear(width, teacher_width, bias=False)

    def cut(self, words: Sequence[str]) -> Ragged:
        return cut_words(self.vocabulary, words, self.n_subwords)

    def forward(self, parts: Ragged) -> Tensor:
        rows = torch.from_numpy(parts.values)
        weights = self.log_weights(rows).exp().squeeze(1)
        sums = self.vectors(rows, torch.from_numpy(parts.offsets[:-1]), weights)
        return F.normalize(sums, dim=1)

    def project(self, vectors: Tensor) -> Tensor:
        return F.normalize(self.projection(vectors), dim=1)


class TransformerStudent(nn.Module):
    """Word pieces, and the package's own small transformer over them.

    vocabulary: of pieces. pieces: their rows, (pieces, width).
    """

    def __init__(self, vocabulary: list[str], pieces: Tensor, net: TransformerMean):
        super().__init__()
        self.vocabulary = vocabulary
        self.vectors = nn.Embedding.from_pretrained(pieces, freeze=False, sparse=True)
        self.net = net
        width = pieces.shape[1]
        self.projection = nn.Linear(width, width)
        nn.init.eye_(self.projection.weight)
        nn.init.zeros_(self.projection.bias)

    def cut(self, words: Sequence[str]) -> Ragged:
        cutter = WordPieces(self.vocabulary, MAX_PIECES)
        return Ragged.from_lists([cutter(word) for word in words])

    def forward(self, parts: Ragged) -> Tensor:
        lengths = torch.from_numpy(np.diff(parts.offsets))
        return F.normalize(self.net(self.vectors(torch.from_numpy(parts.values)), lengths), dim=1)

    def project(self, vectors: Tensor) -> Tensor:
        return F.normalize(self.projection(vectors), dim=1)


def cut_words(vocabulary: Sequence[str], words: Sequence[str], n_subwords: int) -> Ragged:
    """The row of each word in a table with a row for each word of a vocabulary and then
    `n_subwords` rows of parts; of another word the four rows of its parts."""
    rows = {word: [row] for row, word in enumerate(vocabulary)}
    unknown = [word for word in words if word not in rows]
    rows.update(zip(unknown, hash_subwords(unknown, n_subwords) + len(vocabulary)))
    return Ragged.from_lists([rows[word] for word in words])
