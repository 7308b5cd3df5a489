"""Tables as Markdown."""

from collections.abc import Sequence
from typing import Any


def render(table: Sequence[dict[str, Any]]) -> str:
    """Lines as a Markdown table, with a column for every key of any of them."""
    columns = list(dict.fromkeys(key for line in table for key in line))
    rows = [columns, ["---"] * len(columns)]
    rows += [[_cell(line.get(column)) for column in columns] for line in table]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}"
    return str(value).replace("|", "\\|")
