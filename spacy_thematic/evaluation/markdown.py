"""Tables as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spacy_thematic.evaluation import paper

TITLES = {
    "3": "Table 3: thematic distance, accuracy",
    "4": "Table 4: clustering, against the sections",
    "5": "Table 5: relatedness of sentences (SICK)",
    "6": "Table 6: example pairs of SICK",
}


def to_markdown(made: dict[str, Any], introduction: str) -> str:
    """All tables as Markdown.

    Args:
        made: As `make_tables` returns it.
        introduction: What the tables were measured on, and how.
    """
    parts = [introduction]
    for number, table in made["tables"].items():
        if table:
            parts += [f"## {TITLES[number]}", render(table), paper.NOTES[number]]
    if made["findings"]:
        lines = [
            {
                "the paper found": line["claim"],
                "rows": _versus(line["first"], line["second"]),
                "measure": _versus(line["measure"], line["second measure"]),
                "difference": "{:+.3f} ({:+.3f} to {:+.3f})".format(
                    line["value"], *line["interval"]
                ),
                "here": line["verdict"],
            }
            for line in made["findings"]
        ]
        parts += ["## The paper's findings", render(lines)]
    return "\n\n".join(parts) + "\n"


def _versus(first: str, second: str) -> str:
    return first if first == second else f"{first}; {second}"


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
