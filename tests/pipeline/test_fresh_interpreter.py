"""The components in a Python of their own, which has imported nothing of ours."""

import json
import subprocess
import sys

import pytest
import spacy

WORDS = "river king school market opera league church harbour forest engine".split()
TEXT = " ".join(
    f"The {a} was near the {b} of the {WORDS[(i + 3) % 10]}."
    for i, a in enumerate(WORDS)
    for b in WORDS[i % 3 :: 2]
)
CODE = """
import json, sys
import spacy
nlp = spacy.blank("en")
for name in ("sentencizer", "thematic_embedder", "thematic_clusterer"):
    problems = nlp.add_pipe(name) and nlp.analyze_pipes()["problems"]
modules = list(sys.modules)
doc = nlp(sys.argv[1])
themes = [span.id for span in doc.spans["thematic_clusters"]], str(doc._.thematic_clusters)
print(json.dumps({"problems": problems, "modules": modules, "themes": themes}))
"""


@pytest.fixture(scope="module")
def fresh():
    command = [sys.executable, "-W", "error", "-c", CODE, TEXT]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_components_are_added_by_name_without_a_warning(fresh):
    assert list(fresh["problems"].values()) == [[], [], []]


def test_adding_them_imports_nothing_heavy(fresh):
    assert "spacy_thematic.pipeline.clusterer" in fresh["modules"]
    assert not {"sklearn", "scipy", "pandas", "matplotlib"} & set(fresh["modules"])


def test_every_run_gives_the_themes_of_another_process(fresh):
    nlp = spacy.blank("en")
    for name in ("sentencizer", "thematic_embedder", "thematic_clusterer"):
        nlp.add_pipe(name)
    for _ in range(5):
        doc = nlp(TEXT)
        themes = [span.id for span in doc.spans["thematic_clusters"]], str(doc._.thematic_clusters)
        assert list(themes) == fresh["themes"]
    assert len(doc._.thematic_clusters) > 1
