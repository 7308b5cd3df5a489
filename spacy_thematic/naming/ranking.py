"""A ranker that has learned how readers mark candidates for headings, by what `naming.candidates`
says of them. `projects/pretrain/scripts/name_ranker.py` makes its file."""

from functools import cache
from pathlib import Path

from spacy_thematic.trees import Trees


@cache
def load_ranker() -> Trees:
    """Load the ranker: the sum of its trees is the mark that a reader would give a candidate, 0 for
    unfit, .5 for fair and 1 for good."""
    return Trees.load(Path(__file__).parent / "ranker.npz")
