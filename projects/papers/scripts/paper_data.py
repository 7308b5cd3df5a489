"""The downloaded data of the paper, checked and unpacked.

python scripts/paper_data.py ASSETS
"""

import hashlib
import io
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import typer
from wasabi import msg

from released_triplets import COLUMNS as TRIPLET_COLUMNS
from released_triplets import read_triplets
from sick import find_unexpected_sizes, read_sick
from spacy_thematic.articles.csv_records import OF_BENCHMARK
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.cli.shell import clear_errors
from spacy_thematic.files import open_whole

# MD5 of GloVe, SHA-512 of IBM's benchmark: as its catalogue, the Data Asset eXchange, states it.
GLOVE = "glove.840B.300d.zip", "md5", "2ffafcc9f9ae46fc8c95f32372976137"
BENCHMARK = (
    "thematic-clustering-of-sentences.tar.gz",
    "sha512",
    "08a3f1a9dc06083eb51874e90d7241f67b676af2cbc28fe6a312694051f53391"
    "fc95de70fdcdce404de3578fa389558220ea38d34f70265ed88220d0b14f1aba",
)
TRIPLETS = "wikipedia-sections-triplets.zip"
# Of the release, as those count them who have mirrored it.
TRIPLET_ROWS = {"train": 1_779_417, "validation": 220_400, "test": 222_957}
SICK = "SICK.zip"

_BLOCK = 1 << 20


def main(assets: Path = typer.Argument(..., help="Folder with the downloaded files")):
    """Check each file, and unpack the triplets and the clustering benchmark."""
    with clear_errors():
        check_hash(assets / GLOVE[0], *GLOVE[1:])
        check_hash(assets / BENCHMARK[0], *BENCHMARK[1:])
        unpack_benchmark(assets / BENCHMARK[0], assets / "dataset.csv")
        unpack_triplets(assets / TRIPLETS, assets / Path(TRIPLETS).stem)
        is_counted = count_triplets(assets / Path(TRIPLETS).stem)
        if problems := find_unexpected_sizes(read_sick(assets / SICK)):
            raise ValueError(f"{assets / SICK} is not SICK as released: {'; '.join(problems)}.")
    if is_counted:
        msg.good(f"All four files in {assets} are as expected")
    else:
        msg.warn("The other files are as expected; the numbers of triplets are not, see above")


def check_hash(path: Path, algorithm: str, expected: str) -> None:
    """Raise ValueError if a file does not have the expected hash."""
    digest = hashlib.new(algorithm)
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    if digest.hexdigest() != expected:
        raise ValueError(
            f"{path} has the {algorithm} {digest.hexdigest()}, expected {expected}: the download "
            "stopped early, or the file has changed. Delete it and fetch it again."
        )


def count_triplets(folder: Path) -> bool:
    """Warn of files that do not have as many triplets as were released, or rows that are none.
    Whether all have."""
    is_counted = True
    for split, expected in TRIPLET_ROWS.items():
        path, log = folder / f"{split}.csv", ReadLog(skip_bad=True)
        found = sum(1 for _ in read_triplets(path, log))
        if found != expected:
            problems = "\n".join(log.problems)
            msg.warn(f"{path} has {found:,} triplets, and the release {expected:,}", problems)
            is_counted = False
    return is_counted


def unpack_benchmark(archive: Path, target: Path) -> None:
    """Write the archive's dataset.csv. Raises ValueError if it has none with the known columns."""
    with _clear_damage(archive), tarfile.open(archive) as tar:
        found = next((member for member in tar if Path(member.name).name == "dataset.csv"), None)
        file = tar.extractfile(found) if found else None
        _unpack_csv(archive, file or io.BytesIO(), target, OF_BENCHMARK)


def unpack_triplets(archive: Path, target: Path) -> None:
    """Write train.csv, validation.csv and test.csv. Raises ValueError if one is missing, or does
    not have the columns of triplets."""
    with _clear_damage(archive), zipfile.ZipFile(archive) as files:
        names = {Path(name).name: name for name in files.namelist()}
        for name in (f"{split}.csv" for split in TRIPLET_ROWS):
            with files.open(names[name]) if name in names else io.BytesIO() as file:
                _unpack_csv(archive, file, target / name, TRIPLET_COLUMNS)


def _unpack_csv(archive: Path, file: IO[bytes], target: Path, columns: tuple[str, ...]) -> None:
    """Write a file of an archive block by block, if its first line names the columns."""
    first = file.readline(_BLOCK)
    head = first.decode("utf8", "replace").rstrip("\r\n")
    if missing := [column for column in columns if column not in head]:
        raise ValueError(
            f"{archive} does not hold the expected CSV: no column {missing[0]!r} in its first line "
            f"({head[:80]!r}). Fetch it again."
        )
    with open_whole(target) as out:
        out.write(first)
        shutil.copyfileobj(file, out, _BLOCK)


@contextmanager
def _clear_damage(archive: Path) -> Iterator[None]:
    """Raise ValueError for an archive that is cut off or damaged."""
    try:
        yield
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error) as error:
        raise ValueError(
            f"{archive} is cut off or damaged ({error}). Delete it and fetch it again."
        ) from error


if __name__ == "__main__":
    typer.run(main)
