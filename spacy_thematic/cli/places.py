"""Places that commands for large collections read and write: paths, and object storage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer


def as_place(text: str) -> Any:
    """A path, or for s3://, gs:// and az:// what behaves like one.

    Raises:
        typer.BadParameter: If the storage cannot be used.
    """
    if "://" not in text:
        return Path(text)
    from cloudpathlib import CloudPath
    from cloudpathlib.exceptions import CloudPathException

    try:
        return CloudPath(text)  # type: ignore[abstract]
    except (CloudPathException, ImportError) as error:
        raise typer.BadParameter(
            f"{text} cannot be used ({error}). Expected a path, or a place that begins with s3://, "
            'gs:// or az://, for which there is pip install "spacy-thematic[cloud]".'
        ) from error
