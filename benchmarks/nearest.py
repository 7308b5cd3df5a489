"""The nearest sentence of another document, for random sentences of each kind of prose, to be read.

    python -m benchmarks.nearest FILE [--model en_thematic_md] [--sentences 10] [--articles 60]
        [--seed 0]

FILE is JSONL of articles, whose records have a field "kind". Prints, for each kind, sentences
that are drawn at random, and below each the nearest by cosine in the other documents of its kind.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import srsly

from benchmarks.kinds import read_by_kind
from benchmarks.sentences import draw_sections
from spacy_thematic.clustering.vectors import unit_rows
from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.pipeline.loading import load

WORDS = (8, 30)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--model", default="en_thematic_md")
    parser.add_argument("--sentences", type=int, default=10, help="of each kind")
    parser.add_argument("--articles", type=int, default=60, help="of each kind")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    nlp = load(args.model)
    encode = find_embedder(nlp).encode
    for kind, own in sorted(read_by_kind(args.file).items()):
        rng = random.Random(args.seed)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "articles.jsonl"
            srsly.write_jsonl(path, own)
            articles = list(draw_sections(path, args.articles, WORDS, rng))
        found = [
            (number, sentence)
            for number, sections in enumerate(articles)
            for section in sections
            for sentence in section
        ]
        docs = [nlp.make_doc(sentence) for _, sentence in found]
        rows = unit_rows(np.concatenate(encode(docs, [[doc[:]] for doc in docs])), centre=False)
        article = np.array([number for number, _ in found])
        print(f"\n{kind}: {len(found):,} sentences of {len(articles)} documents")
        for one in rng.sample(range(len(found)), args.sentences):
            cosines = np.where(article == article[one], -1, rows @ rows[one])
            nearest = int(cosines.argmax())
            print(f"- {found[one][1]}\n  {found[nearest][1]} ({cosines[nearest]:.2f})")


if __name__ == "__main__":
    main()
