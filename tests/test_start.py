"""What spaCy imports of us at each of its starts is light."""

import subprocess
import sys

import pytest

HEAVY = (
    "torch", "sklearn", "scipy", "pandas", "pyarrow", "lxml", "jinja2", "matplotlib", "ray",
    "tokenizers", "transformers", "sentence_transformers",
)  # fmt: skip
CODE = """
import sys
import spacy
import spacy.cli

# spaCy imports some of them itself, so we are shown where one of ours imports them again.
for name in sys.argv[1:]:
    sys.modules[name] = None
"""
PARTS = {
    "the package": "import spacy_thematic",
    "all components": "spacy.blank('en').add_pipe('thematic_layout')",
    "the commands": """
from spacy_thematic.cli import app

for command in ("", *(command.name for command in app.registered_commands)):
    try:
        app([*command.split(), "--help"], standalone_mode=False)
    except SystemExit as done:
        assert not done.code
""",
}


@pytest.mark.parametrize("part", PARTS)
def test_nothing_heavy_is_imported_by(part):
    done = subprocess.run(
        [sys.executable, "-c", CODE + PARTS[part], *HEAVY],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
