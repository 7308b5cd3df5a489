"""What spaCy imports of us at each of its starts is light."""

import subprocess
import sys
from pathlib import Path

import pytest

import spacy_thematic

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


def test_public_names_have_types(tmp_path):
    (tmp_path / "own.py").write_text(
        "import spacy_thematic\n\n"
        "for name in spacy_thematic.__all__:\n    print(name)\n"
        "spacy_thematic.chunk(3)\n"
        "reveal_type(spacy_thematic.load('en_thematic_sm'))\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--ignore-missing-imports", tmp_path / "own.py"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert 'own.py:5: error: Argument 1 to "chunk"' in done.stdout
    assert 'own.py:6: note: Revealed type is "spacy.language.Language"' in done.stdout


def test_each_public_name_is_imported_for_types():
    source = Path(spacy_thematic.__file__).read_text()
    for name in spacy_thematic.__all__[1:]:
        module = getattr(spacy_thematic, name).__module__
        assert f"    from {module} import {name} as {name}\n" in source
