"""The progress bar of long work."""

import os
import sys
from typing import Any

from tqdm import tqdm


def show_bar(*, is_shown: bool = True, **options: Any) -> tqdm:
    """Make a progress bar that is hidden if stderr is not a terminal or `is_shown` is false, and
    goes when it is done."""
    columns, lines = _measure_terminal()
    disable = None if is_shown else True
    return tqdm(**options, disable=disable, leave=False, ncols=columns, nrows=lines)


def _measure_terminal() -> tuple[int, int]:
    """The columns and lines of the terminal; 80 and 24 if it reports zero, as under `script` or in
    a container, where tqdm would print nothing."""
    try:
        size = os.get_terminal_size(sys.stderr.fileno())
    except (OSError, ValueError):
        return 80, 24
    return size.columns or 80, size.lines or 24
