"""What a pipeline says of its training in its meta.json: what its config does not know."""

from collections.abc import Mapping
from typing import Any

_KEY = "thematic"


def write_records(meta: dict[str, Any], *records: Mapping[str, Any]) -> None:
    """Keep the records of a pipeline's encoders, one for each, in its meta data.

    Args:
        records: "articles" and "triplets" that the encoder was trained on, "updates" of its
            weights, the "seed", and "pretrained", the encoder that it began with; as far as they
            are known.
    """
    meta[_KEY] = list(records)


def read_records(meta: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The records that `write_records` kept; one empty record if there are none."""
    return meta.get(_KEY) or [{}]
