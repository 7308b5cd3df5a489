"""Held-out articles by which the best step is chosen."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import spacy
import torch
from spacy.tokens import Span

from scripts.pretrain.ragged import Ragged
from scripts.pretrain.students import Student
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.clustering.kmeans import kmeans
from spacy_thematic.evaluation.heldout import load_heldout
from spacy_thematic.measures import clustering_agreement, thematic_accuracy
from spacy_thematic.triplets.docbin import SENTENCES, get_rows, get_triplets
from spacy_thematic.triplets.rules import CorpusSettings

BATCH = 512
MAX_SENTENCES = 1000
N_INIT = 2


class DevSet:
    """Triplets, and articles to cluster, drawn from a source of articles.

    min_sections: of an article. max_triplets, max_clustered: about how many triplets are used,
    and how many articles clustered.
    """

    def __init__(self, path: Path, min_sections: int, max_triplets: int, max_clustered: int):
        settings = CorpusSettings(min_sections=min_sections)
        with_triplets, to_cluster = load_heldout(path, spacy.blank("en"), settings, log=ReadLog())
        if not with_triplets or not to_cluster:
            raise ValueError(f"{path} has no article to select by; lower its min_sections.")
        rng = random.Random(0)
        spans: list[Span] = []
        triplets: list[np.ndarray] = []
        for doc in rng.sample(with_triplets, len(with_triplets)):
            if sum(map(len, triplets)) >= max_triplets:
                break
            triplets.append(len(spans) + np.array(get_triplets(doc)).reshape(-1, 3))
            spans += get_rows(doc)
        self.triplets = np.concatenate(triplets)
        self.clusters: list[tuple[np.ndarray, np.ndarray]] = []
        short = [doc for doc in to_cluster if len(doc.spans[SENTENCES]) <= MAX_SENTENCES]
        for doc in rng.sample(short, min(len(short), max_clustered)):
            sentences = list(doc.spans[SENTENCES])
            sections = np.array([sentence.id for sentence in sentences])
            self.clusters.append((len(spans) + np.arange(len(sentences)), sections))
            spans += sentences
        numbers: dict[str, int] = {}
        self.sentences = Ragged.from_lists(
            [[numbers.setdefault(t.lower_, len(numbers)) for t in span] for span in spans]
        )
        self.words = list(numbers)

    def score(self, student: Student) -> tuple[float, float]:
        """Thematic-distance accuracy, and adjusted mutual information of k-means and sections."""
        parts = self.sentences.replace(student.cut(self.words))
        rows = np.arange(len(parts.offsets) - 1)
        with torch.no_grad():
            vectors = torch.cat(
                [student(parts.take(rows[i : i + BATCH])) for i in range(0, len(rows), BATCH)]
            ).numpy()
        scores = [
            clustering_agreement(
                kmeans(vectors[rows], len(set(sections)), n_init=N_INIT), sections
            )["ami"]
            for rows, sections in self.clusters
        ]
        return thematic_accuracy(vectors, self.triplets), float(np.mean(scores))
