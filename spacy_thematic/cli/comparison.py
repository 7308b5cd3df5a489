"""What the commands print that compare a model with others: a table and a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from spacy_thematic.cli.shell import msg, say_what_is_missing

if TYPE_CHECKING:
    from spacy_thematic.articles.sources import ReadLog
    from spacy_thematic.evaluation.comparison import Comparison, Verdict


def show_dropped(log: ReadLog, counts: Mapping[str, int], min_sections: int) -> None:
    """Print what was left out of the documents that were read, and which option would keep it."""
    from spacy_thematic.triplets.reasons import describe_dropped

    say_what_is_missing(log)
    for line in describe_dropped(counts, min_sections):
        msg.text(line)


def show_table(comparison: Comparison) -> None:
    """Print the scores of all rows, with intervals."""
    from spacy_thematic.evaluation.encoders import MEAN_VECTORS
    from spacy_thematic.pretrained.paths import SLOW

    lines = comparison.make_table()
    header = tuple(lines[0])
    rows = [tuple(line.values()) for line in lines]
    msg.table(rows, header=header, aligns=tuple("l" for _ in header))
    msg.text(
        "In brackets: 95 per cent intervals. Two models are compared by their difference on each "
        "document, so one can be better even if their intervals overlap"
    )
    if comparison.others:
        msg.text(
            "The bundled models learned from Wikipedia and other public text: their scores on "
            "articles that they have read are too high"
        )
    for name in SLOW.intersection(comparison.others):
        msg.text(f"{name} takes about seven times as long as en_thematic_md")
    if MEAN_VECTORS not in comparison.baselines:
        msg.text("For a row of mean vectors, name a pipeline with word vectors: --vectors")


def show_verdict(verdict: Verdict) -> None:
    """Print what to use, with a tick only if the model is shown to be better."""
    for fault in verdict.faults:
        msg.warn(fault)
    say = {"good": msg.good, "info": msg.info, "warn": msg.warn}[verdict.level]
    say(verdict.advice)
