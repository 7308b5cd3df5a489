"""What the rows of the tables were trained on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import srsly
from thinc.api import Config

from spacy_thematic.pipeline.training_record import read_records
from spacy_thematic.pretrained import find_path
from spacy_thematic.pretrained.finding import CONFIG
from spacy_thematic.pretrained.source import FACTORY

_OURS = re.compile(r"en_thematic_(sm|md|lg)\b")
_CONCATENATE = "spacy-thematic.Concatenate.v1"
_COLUMNS = ("net", "articles", "triplets", "updates", "hidden width", "dropout")


def describe_pipeline(name: str) -> dict[str, Any]:
    """What is known of the training of a pipeline, without loading it.

    Args:
        name: As `load_pipeline` takes it.

    Returns:
        "bundled": whether it is one of this package's trained models, or contains one. "encoders":
        for each encoder its net, articles, triplets, updates, hidden width, dropout and seed, as
        far as they are known.

    Raises:
        ValueError: If there is no such pipeline.
    """
    path = find_path(name)
    if path.name != CONFIG:
        return {"bundled": bool(_OURS.fullmatch(path.stem)), "encoders": []}
    config = Config().from_disk(path, interpolate=True)
    meta = srsly.read_json(path.with_name("meta.json"))
    components = config["components"].values()
    embedder: dict = next((c for c in components if c.get("factory") == FACTORY), {})
    model = embedder.get("model")
    records = read_records(meta)
    names = [f"{meta['lang']}_{meta['name']}", model or embedder.get("pretrained"), records]
    return {
        "bundled": bool(_OURS.search(json.dumps(names))),
        "encoders": list(_describe_encoders(model or {}, records)),
    }


def _describe_encoders(
    model: Mapping[str, Any], records: Sequence[dict[str, Any]]
) -> Iterable[dict[str, Any]]:
    joined = model.get("@architectures") == _CONCATENATE
    blocks = list(model["*"].values()) if joined else [model]
    if len(records) != len(blocks):
        records = [{}] * len(blocks)
    for block, record in zip(blocks, records):
        net = block.get("@architectures", "").split(".")
        yield {
            "net": net[1] if len(net) > 1 else None,
            "hidden width": block.get("hidden_width"),
            "dropout": block.get("dropout"),
            **record,
        }


def may_have_seen(pipelines: Iterable[Mapping[str, Any]]) -> bool:
    """Whether a row, by what is known of its pipelines, may have been trained on the articles that
    it is measured on: the bundled models learned from Wikipedia."""
    return any(pipeline["bundled"] for pipeline in pipelines)


def make_training_table(
    trained: Mapping[str, Sequence[dict[str, Any]]], rows: Iterable[str]
) -> list[dict[str, Any]]:
    """A line for each row that is a pipeline. Those of joined encoders stand with a plus between
    them; those of other seeds follow if they differ.

    Args:
        trained: What `describe_pipeline` returned for each seed of a row.
        rows: In their order.
    """
    lines = []
    for row in rows:
        pipelines = trained.get(row, ())
        found = [pipeline["encoders"] for pipeline in pipelines if pipeline["encoders"]]
        line = {"row": row, **{name: _merge(found, name, " / ") for name in _COLUMNS}}
        if found:
            lines.append({**line, "seeds": _merge(found, "seed", ", ")})
        elif pipelines:
            kind = "bundled model" if may_have_seen(pipelines) else "model file"
            lines.append({"row": row, "net": kind})
    return lines


def _merge(seeds: Sequence[Sequence[dict[str, Any]]], name: str, separator: str) -> str:
    values = [" + ".join(_show(encoder.get(name)) for encoder in encoders) for encoders in seeds]
    return separator.join(dict.fromkeys(values))


def _show(value: Any) -> str:
    if value is None:
        return "?"
    return f"{value:,}" if isinstance(value, int) else str(value)
