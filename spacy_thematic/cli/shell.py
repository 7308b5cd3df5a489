"""What the commands share: errors as one clear line, progress bars, loading."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from click import ClickException
from spacy.language import Language
from tqdm import tqdm
from wasabi import msg

from spacy_thematic.articles.reading import ReadLog


@contextmanager
def clear_errors() -> Iterator[None]:
    """Print errors of bad input as one message and end with status 1, without a traceback."""
    try:
        yield
    except (ValueError, OSError, ImportError, ClickException) as error:
        text = error.format_message() if isinstance(error, ClickException) else str(error)
        msg.fail(text, exits=1)
    except KeyboardInterrupt:
        msg.fail("Interrupted; what was there before stands")
        raise SystemExit(130) from None


def check_output_file(path: Path) -> None:
    """Raise an error now if a file cannot be written at the end of a long command."""
    if path.is_dir():
        raise ValueError(f"{path} is a folder: name the file to write.")
    folder = path.resolve().parent
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise ValueError(f"{path} cannot be written: choose another place, or change its rights.")


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
    """Load a pipeline by name or path; for the name of a bundled model, an English pipeline of
    `sentencizer` and this model. Raises ValueError if there is none."""
    import spacy

    from spacy_thematic.pretrained import BUNDLED

    if name in BUNDLED:
        nlp = spacy.blank("en")
        nlp.add_pipe("sentencizer")
        nlp.add_pipe("thematic_embedder", config={"pretrained": name})
        return nlp
    try:
        return spacy.load(name)
    except OSError as error:
        kind = "a folder, but not of a pipeline" if Path(name).exists() else "not installed"
        raise ValueError(
            f'Cannot load the pipeline "{name}": it is {kind} ({str(error).split(". ")[0]}). Give '
            f"the folder of a trained pipeline, or one of {', '.join(sorted(BUNDLED))}."
        ) from error
