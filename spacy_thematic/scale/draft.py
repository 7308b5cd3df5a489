"""What is being made of a store: a folder beside the one to write, so that work that was stopped
resumes."""

from pathlib import Path
from typing import Any

from spacy_thematic.files import (
    MADE_FROM,
    hidden_beside,
    remove_unfinished,
    replace_folder,
    resume_folder,
)


class Draft:
    """A folder that becomes `out` when all is written to it. A draft that was made from something
    else is thrown away."""

    def __init__(self, out: Path, made_from: dict[str, Any]) -> None:
        self.out = out.resolve()
        self.folder = hidden_beside(self.out, "unfinished")
        resume_folder(self.folder, made_from)

    def finish(self) -> None:
        """Put the folder in the place of `out`."""
        (self.folder / MADE_FROM).unlink()
        remove_unfinished(self.folder)  # A worker may have been killed, and its work done again.
        replace_folder(self.folder, self.out)
