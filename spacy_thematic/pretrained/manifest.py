"""What the bundled models were learned from, and the SHA-256 of their files, in manifest.json.

`python -m spacy_thematic.pretrained.manifest` writes the digests again."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import srsly

_PACKAGE = Path(__file__).parents[1]
MANIFEST = Path(__file__).parent / "manifest.json"


def read_manifest() -> dict[str, dict[str, Any]]:
    """Return the `sha256`, and the `sources`, of each file, by its path in the package."""
    return srsly.read_json(MANIFEST)


def digest(name: str) -> str:
    """Return the SHA-256 of a file of the package, "" if it is not there."""
    path = _PACKAGE / name
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


if __name__ == "__main__":
    new = {name: {**entry, "sha256": digest(name)} for name, entry in read_manifest().items()}
    MANIFEST.write_text(srsly.json_dumps(new, indent=2) + "\n", encoding="utf8")
