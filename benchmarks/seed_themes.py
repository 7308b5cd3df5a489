"""How like a seed theme a sentence must be to belong to it.

    python -m benchmarks.seed_themes ARTICLES [--articles 100]

In each article two sections of five or more sentences are seed themes: the section's title and two
of its sentences are the examples. A sentence belongs to the nearer seed if its cosine with one, the
article's mean as the origin, is above a threshold. Prints, for each bundled model and threshold,
the precision, recall and F1 of the seed themes against their sections, means over themes, and the
share of sentences taken.
"""

from __future__ import annotations

import argparse
import random
from functools import partial
from pathlib import Path

import numpy as np
import spacy

from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.clustering.seed_themes import cluster_around_seed_themes, encode_seed_themes
from spacy_thematic.clustering.vectors import SentenceVectors
from spacy_thematic.evaluation.heldout import load_heldout
from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.text_encoder import encode_texts
from spacy_thematic.pretrained import BUNDLED
from spacy_thematic.triplets.docbin import SENTENCES
from spacy_thematic.triplets.rules import CorpusSettings

THRESHOLDS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
FEWEST = 5


def one_cluster(rows: np.ndarray, k: int, seed: int) -> np.ndarray:
    return np.zeros(len(rows), dtype=int)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path)
    parser.add_argument("--articles", type=int, default=100)
    args = parser.parse_args()
    log = ReadLog(True)
    _, docs = load_heldout(args.source, spacy.blank("en"), CorpusSettings(), log=log)
    docs = random.Random(0).sample(docs, min(args.articles, len(docs)))
    print("| model | threshold | precision | recall | F1 | share taken |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in sorted(BUNDLED):
        nlp = load_pipeline(name)
        embedder, encode = find_embedder(nlp), partial(encode_texts, nlp)
        scores: dict[float, list[tuple[float, ...]]] = {t: [] for t in THRESHOLDS}
        for number, doc in enumerate(docs):
            sentences = list(doc.spans[SENTENCES])
            sections = np.array([sentence.id for sentence in sentences])
            rng = random.Random(number)
            large = [s for s in sorted(set(sections.tolist())) if (sections == s).sum() >= FEWEST]
            if len(large) < 2:
                continue
            chosen = rng.sample(large, 2)
            examples = {}
            for section in chosen:
                rows = rng.sample(np.flatnonzero(sections == section).tolist(), 2)
                texts = [sentences[row].text for row in rows]
                examples[str(section)] = [*filter(None, [sentences[rows[0]].label_]), *texts]
            directions = encode_seed_themes(encode, examples)
            vectors = SentenceVectors(embedder.encode([doc], [sentences])[0])
            for threshold in THRESHOLDS:
                labels = cluster_around_seed_themes(
                    vectors, directions, one_cluster, 3, 0, threshold=threshold
                )
                for seed, section in enumerate(chosen):
                    taken, wanted = labels == seed, sections == section
                    right = (taken & wanted).sum()
                    precision, recall = right / max(taken.sum(), 1), right / wanted.sum()
                    f1 = 2 * right / (taken.sum() + wanted.sum())
                    scores[threshold].append((precision, recall, f1, (labels < 2).mean()))
        for threshold in THRESHOLDS:
            means = " | ".join(f"{value:.3f}" for value in np.mean(scores[threshold], axis=0))
            print(f"| {name} | {threshold} | {means} |")


if __name__ == "__main__":
    main()
