"""The version is stated in three files."""

import re
from pathlib import Path

import srsly

from spacy_thematic.about import __version__

ROOT = Path(__file__).parent.parent


def test_all_files_state_the_same_version():
    assert srsly.read_yaml(ROOT / "CITATION.cff")["version"] == __version__
    changes = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    release, _, is_development = __version__.partition(".dev")
    assert changes[0] == (f"{release}, not released yet" if is_development else release)
