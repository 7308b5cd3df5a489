"""`thematic adapt`, in this process."""

import re

import numpy as np
import pytest
import spacy
import srsly

import spacy_thematic
from spacy_thematic.evaluation import encoders
from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.training import adapting
from tests.cli.conftest import run
from tests.conftest import make_article
from tests.evaluation.test_protocols import make_mixed_article

SENTENCES = "The river meets the coast. A bank pays a tax. The island has a lake."


@pytest.fixture(autouse=True)
def few_steps(monkeypatch):
    monkeypatch.setattr(adapting, "STEPS", 30)


def write_articles(path, numbers, make=make_article):
    records = [make(number).to_dict() for number in numbers]
    path.write_text("".join(srsly.json_dumps(record) + "\n" for record in records))
    return path


def test_a_model_is_adapted_and_compared_on_documents_it_has_not_learned(tmp_path, monkeypatch):
    monkeypatch.setattr(adapting, "is_gain", lambda differences: True)
    wiki = write_articles(tmp_path / "wiki.jsonl", range(24), make_mixed_article)
    out = tmp_path / "adapted"
    np.savez(tmp_path / "v.npz", words=np.array(["river", "opera"]), vectors=np.eye(2, dtype="f"))
    printed = run(
        "adapt",
        wiki,
        "--output",
        out,
        "--from",
        "en_thematic_sm",
        "--vectors",
        tmp_path / "v.npz",
    )
    assert "24 of 24 documents have sections to compare" in printed
    assert "it scores higher than en_thematic_" in printed
    models = [f"en_thematic_{size}" for size in ("sm", "md", "lg")]
    for row in ("adapted", *models, "mean vectors", "chance"):
        number = r"-?[01]\.\d+"
        estimate = rf"{number} \({number} to {number}\)"
        assert re.search(rf"{row} {estimate} {estimate}", printed), row
    assert "Too few" not in printed
    assert "on these 24 documents" in printed
    assert "compared by their difference on each document" in " ".join(printed.split())
    nlp = spacy.load(out)
    changed = nlp(SENTENCES)._.thematic_vectors
    plain = spacy.blank("en")
    plain.add_pipe("sentencizer")
    plain.add_pipe("thematic_embedder")
    original = plain(SENTENCES)._.thematic_vectors
    assert np.isfinite(changed).all() and changed.shape == original.shape
    assert find_embedder(nlp).model.name == "linear_map"
    assert nlp.pipe_names == spacy_thematic.load("en_thematic_sm").pipe_names
    assert "nothing changed" not in printed
    monkeypatch.chdir(tmp_path)
    again = run("adapt", wiki, "-o", "again", "--from", "adapted", "--no-bundled")
    assert re.search(r"adapted again [01]\.\d+ .* adapted [01]\.\d+ ", again)
    assert "it scores higher than adapted" in again
    assert "en_thematic_lg takes about seven times as long as en_thematic_md" in printed
    assert not np.allclose(changed, original)


def test_what_does_not_help_is_not_done(tmp_path, monkeypatch):
    monkeypatch.setattr(adapting, "is_gain", lambda differences: False)
    monkeypatch.setattr(encoders, "MAX_SLOW_SENTENCES", 10)
    # Each of the texts is there twice.
    wiki = write_articles(tmp_path / "wiki.jsonl", [*range(20), *range(10)])
    printed = run("adapt", wiki, "-o", tmp_path / "out", "--from", "en_thematic_sm")
    assert "20 of 30 documents have sections to compare" in printed
    assert "title or text seen before: 10" in printed
    assert "not clearly better than en_thematic_sm, so nothing changed" in printed
    assert re.search(r"What was learned scored: accuracy -?[01]\.", printed)
    assert not re.search(r"adapted -?[01]\.", printed)
    assert not re.search(r"en_thematic_lg -?[01]\.", printed)
    assert "--from en_thematic_lg compares it" in printed
    nlp = spacy.load(tmp_path / "out")
    assert nlp.pipe_names == spacy_thematic.load("en_thematic_sm").pipe_names
    assert "en_thematic_sm, as it is" in nlp.meta["description"]
    assert nlp.config["components"]["thematic_embedder"]["pretrained"] == "en_thematic_sm"


def test_the_bundled_models_can_be_left_out(tmp_path):
    wiki = write_articles(tmp_path / "wiki.jsonl", range(20))
    out = tmp_path / "out"
    printed = run("adapt", wiki, "-o", out, "--from", "en_thematic_sm", "--no-bundled")
    assert "en_thematic_md" not in printed
    assert "--seed" in run("adapt", wiki, "-o", out, "--seed", -1, status=2)


def test_too_few_documents_are_an_error_and_nothing_is_written(tmp_path):
    wiki = write_articles(tmp_path / "wiki.jsonl", range(5))
    printed = run("adapt", wiki, "-o", tmp_path / "out", status=1)
    assert "holds 5 documents with two sections to compare, and at least 20 are needed" in printed
    (tmp_path / "a.md").write_text("# A\n\nOne is told.\n\n## B\n\n- item\n\n## C\n\n- item\n")
    printed = run("adapt", tmp_path / "a.md", "-o", tmp_path / "out", status=1)
    assert "lists, quotations and code do not count" in printed
    assert not (tmp_path / "out").exists()
    other = tmp_path / "other"
    other.mkdir()
    (other / "file").write_text("mine")
    assert "name a new folder" in run("adapt", wiki, "-o", other, status=1)
    missing = run("adapt", wiki, "-o", tmp_path / "out", "--from", "en_thematic_xl", status=1)
    assert "en_thematic_xl" in missing


def test_adapting_returns_the_pipeline_and_what_it_scored(tmp_path, monkeypatch):
    monkeypatch.setattr(adapting, "is_gain", lambda differences: True)
    wiki = write_articles(tmp_path / "wiki.jsonl", range(24), make_mixed_article)
    found = spacy_thematic.adapt(wiki, start="en_thematic_sm", bundled=False)
    assert found.is_changed and found.n_documents == 24
    assert [row[""] for row in found.comparison.make_table()] == [
        "adapted",
        "en_thematic_sm",
        "chance",
    ]
    assert found.nlp(SENTENCES)._.thematic_clusters
    scores = spacy_thematic.evaluate("en_thematic_sm", wiki, bundled=False, min_sections=2)
    assert scores.summary["data"]["articles"] == 24
    assert scores.comparison.judge().advice
