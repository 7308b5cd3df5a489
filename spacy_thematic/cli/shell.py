"""What the commands share: errors as one clear line, progress bars, loading."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from spacy.language import Language
from tqdm import tqdm
from wasabi import msg

from spacy_thematic.articles.reading import ReadLog


@contextmanager
def clear_errors() -> Iterator[None]:
    """Print errors of bad input as one message and end with status 1, without a traceback."""
    try:
        yield
    except (ValueError, OSError) as error:
        msg.fail(str(error), exits=1)


def bytes_bar(log: ReadLog, description: str) -> tqdm:
    """A progress bar over the compressed bytes of a source; silent where stderr is no terminal."""
    return tqdm(
        total=log.total_bytes,
        desc=description,
        unit="B",
        unit_scale=True,
        disable=None,
        leave=False,
    )


def update_bytes_bar(bar: tqdm, log: ReadLog) -> None:
    """Move the bar to where the reader stands."""
    bar.total = log.total_bytes
    bar.update(log.bytes_read - bar.n)


def load_pipeline(name: str) -> Language:
    """Load a pipeline by name or path. Raises ValueError if there is none."""
    import spacy

    try:
        return spacy.load(name)
    except OSError as error:
        kind = "a folder, but not of a pipeline" if Path(name).exists() else "not installed"
        raise ValueError(
            f'Cannot load the pipeline "{name}": it is {kind} ({str(error).split(". ")[0]}). Give '
            "the folder of a trained pipeline, such as training/model-best."
        ) from error
