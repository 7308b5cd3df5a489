"""What a corpus holds, as JSON: its statistics, random triplets, longest and shortest sentences.

python scripts/inspect_corpus.py CORPUS [-n 10] [--seed 0]

CORPUS is a corpus folder, of which the training split is described, or shards.
"""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import srsly
import typer
from spacy.vocab import Vocab

from spacy_thematic.triplets.corpus_builder import STATISTICS
from spacy_thematic.triplets.docbin import (
    OTHERS,
    SENTENCES,
    TRIPLETS,
    get_rows,
    get_triplets,
    read_shards,
)


def inspect_corpus(path: Path, *, n: int = 10, seed: int = 0) -> dict[str, Any]:
    """Describe a corpus folder, or shards.

    Args:
        path: A corpus folder, of which the training split is described, a folder of shards, or a
            shard.
        n: How many examples and sentences to show.
        seed: Chooses the examples.

    Returns:
        `statistics` (those of the builder, None for bare shards); the numbers of `articles`,
        `sentences`, `triplets` and `others` (sentences in no triplet); `kinds` (articles by kind
        of triplet); `sentence_tokens` and `sections` (minimum, quartiles, maximum); n random
        `examples` (title, and text and section of anchor, positive and negative); and the n
        `longest` and `shortest` sentences with their numbers of tokens.
    """
    folder = path / "train" if (path / "train").is_dir() else path
    rng = random.Random(seed)
    vocab = Vocab()
    kinds: Counter[str] = Counter()
    lengths: list[int] = []
    sections: list[int] = []
    examples: list[dict[str, Any]] = []
    sentences: list[tuple[int, str]] = []
    n_triplets = n_others = 0
    for doc in read_shards(folder, vocab):
        rows = get_rows(doc)
        kinds[doc.spans[TRIPLETS].attrs["kind"]] += 1
        lengths += [len(sentence) for sentence in doc.spans[SENTENCES]]
        n_others += len(doc.spans[OTHERS]) if OTHERS in doc.spans else 0
        sections.append(len({sentence.id for sentence in doc.spans[SENTENCES]}))
        sentences += [(len(sentence), sentence.text) for sentence in doc.spans[SENTENCES]]
        sentences = _extremes(sentences, n)
        for triplet in get_triplets(doc):
            n_triplets += 1
            # Each triplet of the corpus is as likely as any other to be among the examples.
            place = len(examples) if len(examples) < n else rng.randrange(n_triplets)
            if place < n:
                examples[place : place + 1] = [
                    {
                        "article": doc.spans[SENTENCES].attrs["title"],
                        **{
                            role: {"section": rows[row].label_, "text": rows[row].text}
                            for role, row in zip(("anchor", "positive", "negative"), triplet)
                        },
                    }
                ]
    statistics = path / STATISTICS
    return {
        "statistics": srsly.read_json(statistics) if statistics.is_file() else None,
        "articles": len(sections),
        "sentences": len(lengths),
        "triplets": n_triplets,
        "others": n_others,
        "kinds": dict(kinds),
        "sentence_tokens": _quartiles(lengths),
        "sections": _quartiles(sections),
        "examples": examples,
        "longest": sentences[: -n - 1 : -1],
        "shortest": sentences[:n],
    }


def _extremes(sentences: list[tuple[int, str]], n: int) -> list[tuple[int, str]]:
    ordered = sorted(set(sentences))
    return ordered if len(ordered) <= 2 * n else ordered[:n] + ordered[-n:]


def _quartiles(values: list[int]) -> list[float]:
    return [float(value) for value in np.percentile(values, [0, 25, 50, 75, 100])] if values else []


def main(
    corpus: Path = typer.Argument(..., help="Corpus folder, folder of shards, or shard"),
    n: int = typer.Option(10, "-n", min=1, help="Number of triplets, and of sentences"),
    seed: int = typer.Option(0, help="Seed of the random triplets"),
):
    """Print what a corpus holds."""
    print(srsly.json_dumps(inspect_corpus(corpus, n=n, seed=seed), indent=2))


if __name__ == "__main__":
    typer.run(main)
