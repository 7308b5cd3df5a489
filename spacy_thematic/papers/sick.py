"""The SICK data: pairs of sentences and how related people found them (Marelli et al. 2014)."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

SPLITS = ("train", "trial", "test")
SIZES = {"train": 4500, "trial": 500, "test": 4927}


# What a negation changes in SICK's sentences, besides the negation: "There is no man singing" is
# "A man is singing".
_NEGATIONS = frozenset({"not", "no"})
_CHANGED = _NEGATIONS | {"there", "is", "are", "a", "an", "the", "being"}


class Pair(NamedTuple):
    """Two sentences, and how related people found them: a score of 1 to 5. `entailment` is SICK's
    label, such as CONTRADICTION, or empty."""

    number: str
    first: str
    second: str
    score: float
    entailment: str = ""

    @property
    def is_negation(self) -> bool:
        """Whether the two contradict each other, and differ by a negation only: their words are the
        same in the same order, but for "not" or "no" in one of them, and for articles, "there" and
        forms of "be"."""
        first, second = (
            text.lower().replace("n't", " not").split() for text in (self.first, self.second)
        )
        kept = [[word for word in words if word not in _CHANGED] for words in (first, second)]
        negated = [bool(_NEGATIONS.intersection(words)) for words in (first, second)]
        return (
            self.entailment == "CONTRADICTION" and kept[0] == kept[1] and negated[0] != negated[1]
        )


@dataclass
class Sick:
    """The pairs of each split."""

    train: list[Pair]
    trial: list[Pair]
    test: list[Pair]

    def unexpected_sizes(self) -> list[str]:
        """In words, which splits have another size than the released ones; empty if none."""
        return [
            f"{split}: {len(getattr(self, split)):,} pairs, not {size:,}"
            for split, size in SIZES.items()
            if len(getattr(self, split)) != size
        ]


def read_sick(path: Path) -> Sick:
    """Read SICK.

    Args:
        path: A folder or .zip with SICK_train.txt, SICK_trial.txt and SICK_test_annotated.txt
            (SemEval 2014), or with SICK.txt, which names the split of each pair; or that file.

    Raises:
        ValueError: Names the missing column or split, or the line with a bad score.
    """
    pairs: dict[str, list[Pair]] = {split: [] for split in SPLITS}
    names = []
    for name, text in _open_files(path):
        names.append(name)
        rows = csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE)
        columns = {"pair_ID", "sentence_A", "sentence_B", "relatedness_score"}
        if missing := columns - set(rows.fieldnames or ()):
            raise ValueError(f"{path}: {name} has no column {sorted(missing)[0]}, expected SICK's.")
        stem = Path(name).stem.lower()
        split = next((split for split in SPLITS if f"_{split}" in stem), None)
        for line, row in enumerate(rows, start=2):
            try:
                where = split or str(row["SemEval_set"]).lower()
                score = float(row["relatedness_score"])
                if not (1 <= score <= 5 and where in pairs and row["sentence_B"]):
                    raise ValueError
            except (KeyError, TypeError, ValueError):
                raise ValueError(
                    f"{path}: line {line} of {name} has no pair with a score of 1 to 5 and a split."
                ) from None
            # Called so by SemEval, and in the release on Zenodo.
            entailment = row.get("entailment_judgment") or row.get("entailment_label") or ""
            sentences = row["sentence_A"], row["sentence_B"]
            pairs[where].append(Pair(row["pair_ID"], *sentences, score, entailment))
    if empty := [split for split in SPLITS if not pairs[split]]:
        raise ValueError(
            f"{path} has no pairs of the split {empty[0]} (read: {names or 'nothing'}). Expected "
            "SICK_train.txt, SICK_trial.txt and SICK_test_annotated.txt, or SICK.txt."
        )
    return Sick(**pairs)


def _open_files(path: Path) -> Iterator[tuple[str, str]]:
    """The names and texts of SICK's files in a folder or .zip, or of the one file."""
    if path.is_dir():
        files = {file.name: file.read_bytes() for file in sorted(path.glob("*.txt"))}
    elif path.suffix == ".zip":
        try:
            with zipfile.ZipFile(path) as archive:
                files = {n: archive.read(n) for n in archive.namelist() if n.endswith(".txt")}
        except zipfile.BadZipFile as error:
            raise ValueError(f"{path} is not a whole .zip ({error}): download it again.") from error
    else:
        files = {path.name: path.read_bytes()}
    for name, data in files.items():
        stem = Path(name).stem.lower()
        # The test split is released with scores and without.
        if len(files) > 1 and not (stem.startswith("sick") and stem != "sick_test"):
            continue
        yield name, data.decode("utf-8-sig")
