"""Configs of the scripts, with settings overridden on the command line."""

from __future__ import annotations

from pathlib import Path

from spacy.cli._util import parse_config_overrides
from spacy.util import load_config

OVERRIDABLE = {"allow_extra_args": True, "ignore_unknown_options": True}
"""For a command that takes overrides, in `ctx.args`."""


def load_settings(config: Path, overrides: list[str]) -> dict:
    """overrides: as `["--paths.sentences", "corpus"]`."""
    return load_config(config, overrides=parse_config_overrides(overrides), interpolate=True)
