"""`thematic verify`: whether the bundled models are what was released."""

from __future__ import annotations

from spacy_thematic.cli.app import MODELS, command
from spacy_thematic.cli.shell import msg


@command(
    MODELS,
    "verify",
    short_help="Check the bundled models, and show what they learned from.",
)
def verify_cli():
    """
    Check the SHA-256 of the bundled models, and show what they learned from.

    If a file is missing or changed, the exit status is 1.
    """
    from spacy_thematic.pretrained.manifest import digest, read_manifest

    is_bad = False
    for name, entry in read_manifest().items():
        found = digest(name)
        if found == entry["sha256"]:
            msg.good(f"{name}: {found}")
        else:
            is_bad = True
            msg.fail(f"{name}: {found or 'missing'}, expected {entry['sha256']}")
        for source in entry["sources"]:
            msg.text(f"  {source}")
    if is_bad:
        msg.fail("The package is not the one that was released: install it again.", exits=1)
