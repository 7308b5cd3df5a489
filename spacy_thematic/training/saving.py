"""Writing the same pipeline again and again."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from spacy.language import Language

from spacy_thematic.files import write_folder


class PipelineWriter:
    """Writes a pipeline to folders, whole or not at all. Word vectors, which training does not
    change and which may take gigabytes, are written once to each folder."""

    def __init__(self, nlp: Language):
        self.nlp = nlp
        self._written: set[Path] = set()

    def write(self, path: Path) -> None:
        """Write the pipeline as it is now. An earlier one at `path` is replaced."""
        write_folder(path, lambda folder: self._fill(folder, path))
        self._written.add(path)

    def _fill(self, folder: Path, path: Path) -> None:
        if path not in self._written:
            self.nlp.to_disk(folder)
            return
        self.nlp.to_disk(folder, exclude=["vocab"])
        self.nlp.vocab.to_disk(folder / "vocab", exclude=["vectors"])
        for file in (path / "vocab").iterdir():
            new = folder / "vocab" / file.name
            if not new.exists():
                _link(file, new)


def _link(file: Path, new: Path) -> None:
    try:
        os.link(file, new)
    except OSError:  # a file system without links
        shutil.copyfile(file, new)
