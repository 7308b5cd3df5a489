"""SICK: pairs of sentences, and how related people found them (Marelli et al. 2014)."""

import csv
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SIZES = {"train": 4500, "trial": 500, "test": 4927}
COLUMNS = {"pair_ID", "sentence_A", "sentence_B", "relatedness_score"}


class Pair(NamedTuple):
    """Two sentences and their score, 1 to 5."""

    number: str
    first: str
    second: str
    score: float


def read_sick(path: Path) -> dict[str, list[Pair]]:
    """Read the pairs of each split, from a folder or .zip with SICK_train.txt, SICK_trial.txt and
    SICK_test_annotated.txt (SemEval 2014), or with SICK.txt, which names the split of each pair; or
    from that file. Raises ValueError if a column, a split, or a line's score is missing."""
    pairs: dict[str, list[Pair]] = {split: [] for split in SIZES}
    for name, text in _open_files(path):
        rows = csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE)
        if missing := COLUMNS - set(rows.fieldnames or ()):
            raise ValueError(f"{path}: {name} has no column {sorted(missing)[0]}, expected SICK's.")
        split = next((split for split in pairs if f"_{split}" in name.lower()), None)
        for line, row in enumerate(rows, start=2):
            try:
                score = float(row["relatedness_score"])
                sentences = row["sentence_A"], row["sentence_B"]
                if not (1 <= score <= 5 and all(sentences)):
                    raise ValueError
                pairs[split or row["SemEval_set"].lower()].append(
                    Pair(row["pair_ID"], *sentences, score)
                )
            except (AttributeError, KeyError, TypeError, ValueError):
                raise ValueError(
                    f"{path}: line {line} of {name} has no pair with a score of 1 to 5 and a split."
                ) from None
    if empty := [split for split in pairs if not pairs[split]]:
        raise ValueError(
            f"{path} has no pairs of the split {empty[0]}. Expected SICK_train.txt, SICK_trial.txt "
            "and SICK_test_annotated.txt, or SICK.txt."
        )
    return pairs


def find_unexpected_sizes(pairs: dict[str, list[Pair]]) -> list[str]:
    """In words, which splits have another size than the released ones."""
    return [
        f"{split}: {len(pairs[split]):,} pairs, not {size:,}"
        for split, size in SIZES.items()
        if len(pairs[split]) != size
    ]


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
        if len(files) == 1 or (stem.startswith("sick") and stem != "sick_test"):
            yield Path(name).name, data.decode("utf-8-sig")
