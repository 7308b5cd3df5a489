"""The paper's tables as Markdown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from spacy_thematic.evaluation.markdown import render
from spacy_thematic.papers import claims

TITLES = {
    "3": "Table 3: thematic distance, accuracy",
    "4": "Table 4: clustering, against the sections",
    "5": "Table 5: relatedness of sentences (SICK)",
    "6": "Table 6: example pairs of SICK",
}
_MARK = "(\\*)"


def to_markdown(made: dict[str, Any], introduction: str) -> str:
    """All tables as Markdown.

    Args:
        made: As `make_tables` returns it.
        introduction: What the tables were measured on, and how.
    """
    parts = [introduction]
    seen = set(made["may have seen"])
    for number, table in made["tables"].items():
        if table:
            # The others are measured on SICK.
            marked = seen if number in ("3", "4") else ()
            parts += [f"## {TITLES[number]}", _render_rows(table, marked), claims.NOTES[number]]
    if made["negations"]:
        parts += ["## SICK: pairs that differ by a negation", render(made["negations"])]
        parts.append(claims.NOTES["negations"])
    if made["trained"]:
        parts += ["## What the rows were trained on", _render_rows(made["trained"], seen)]
        parts.append(claims.NOTES["trained"])
    if seen:
        parts.append(
            f"{_MARK} A bundled model, or built on one: trained on Wikipedia, it may have seen the "
            "articles that it is measured on."
        )
    for size, found in groupby(made["findings"], key=itemgetter("size")):
        nets = "" if size is None else f": nets with h = {size}"
        parts += [f"## Findings of the paper, and ours{nets}", _render_findings(found)]
    return "\n\n".join(parts) + "\n"


def _render_rows(table: Sequence[dict[str, Any]], seen: Collection[str]) -> str:
    """A table in which the rows that may have seen the articles are marked."""
    return render(
        [
            {**line, "row": f"{line['row']} {_MARK}"} if line.get("row") in seen else line
            for line in table
        ]
    )


def _render_findings(found: Iterable[dict[str, Any]]) -> str:
    return render(
        [
            {
                "finding": line["claim"],
                "of": line["source"],
                "rows": _versus(line["first"], line["second"]),
                "measure": _versus(line["measure"], line["second measure"]),
                "difference": "{:+.3f} ({:+.3f} to {:+.3f})".format(
                    line["value"], *line["interval"]
                ),
                "here": line["verdict"],
            }
            for line in found
        ]
    )


def _versus(first: str, second: str) -> str:
    return first if first == second else f"{first}; {second}"
