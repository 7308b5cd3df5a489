"""Rankers that have learned how readers mark candidates for headings, by what `naming.candidates`
says of them. `projects/pretrain/scripts/name_ranker.py` makes their files."""

from functools import cache
from pathlib import Path
from typing import Literal

from spacy_thematic.trees import Trees


@cache
def load_ranker(of: Literal["sentences", "texts"]) -> Trees:
    """Load the ranker for groups of sentences of one text, or of a few, or that for groups of
    texts: the sum of its trees is the mark that a reader would give a candidate, 0 for unfit, .5
    for fair and 1 for good."""
    name = {"sentences": "ranker.npz", "texts": "ranker_of_texts.npz"}[of]
    return Trees.load(Path(__file__).parent / name)
