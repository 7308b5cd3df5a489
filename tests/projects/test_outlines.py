import numpy as np
import pytest
import srsly

import gap_trees
import pair_shapes
import spacy_thematic
from gap_trees import (
    BEGINS,
    OUTLINE_FOLDS,
    UNKNOWN,
    WITHIN,
    find_fold,
    label_gap,
    read_records,
    write,
)
from spacy_thematic.pipeline.text_encoder import find_boundaries, find_embedder
from tests.conftest import make_article
from tune_boundaries import main as tune
from tune_boundaries import read_outlined

SMALL, WIDTH = "en_thematic_sm", 256
NAMES = ["report_a_1.txt", "report_a_2.txt", "report_b_1.txt", "report_d_1.txt"]


@pytest.fixture(scope="module")
def outlined(tmp_path_factory):
    """Texts of two articles each, and an outline of each by its sections."""
    texts, folder = tmp_path_factory.mktemp("texts"), tmp_path_factory.mktemp("outlines")
    for number, name in enumerate(NAMES):
        articles = make_article(2 * number), make_article(2 * number + 1)
        sections = [section.paragraphs for article in articles for section in article.sections]
        (texts / name).write_text("\n\n".join(map("\n\n".join, sections)))
    write([texts / name for name in NAMES], folder)
    with (folder / "outlines.txt").open("w") as outlines:
        for text in srsly.read_jsonl(folder / "texts.jsonl"):
            outlines.write(f"##### {text['name']}\n1 | -\n")
            for start in range(2, len(text["starts"]) + 1, 4):
                end = min(start + 3, len(text["starts"]))
                outlines.write(f"{start}-{end} | Theme {start}\n")
    return folder


def test_texts_of_one_source_are_of_one_fold(outlined):
    assert [text["name"] for text, _ in read_records(outlined)] == NAMES
    folds = [find_fold(name) for name in NAMES]
    assert folds[0] == folds[1]
    assert {*folds} == {*range(OUTLINE_FOLDS)}


def test_what_is_known_of_outlines_is_read(outlined):
    texts = [*read_outlined(SMALL, [outlined], None)]
    assert len(texts) == len(NAMES)
    for text in texts:
        assert text.vectors.shape == (len(text.begins), WIDTH)
        # Nothing is known of the aside, nor of the first sentence that has a theme.
        assert text.begins[:2].tolist() == [-1, -1]
        assert np.flatnonzero(text.begins == 1).tolist() == [*range(5, len(text.begins), 4)]
    others = [*read_outlined(SMALL, [outlined], find_fold(NAMES[0]))]
    assert 0 < len(others) < len(NAMES) - 1


def test_nets_score_outlines_that_they_have_not_learned_from(
    whole, outlined, tmp_path, monkeypatch, capsys
):
    for script in (gap_trees, pair_shapes):
        monkeypatch.setattr(script, "MODELS", [SMALL])
    for fold in range(OUTLINE_FOLDS):
        tune(
            SMALL, SMALL, [whole / "train"], [whole / "train"], SMALL,
            tmp_path / str(fold) / f"{SMALL}.safetensors",
            outlines=[outlined], fold=fold, n_articles=20, steps=10, rate=1e-2, seed=0,
        )  # fmt: skip
    nlp = spacy_thematic.load(tmp_path / "0" / f"{SMALL}.safetensors")
    embedder = find_embedder(nlp)
    embedder.fill()
    assert find_boundaries(embedder.model, WIDTH) is not None

    for collect in (gap_trees.collect, pair_shapes.collect):
        columns = []
        for models in (None, tmp_path):
            collect([outlined], [], 1, models, tmp_path / "marks.npz")
            with np.load(tmp_path / "marks.npz") as marks:
                assert marks["is_outline"].all()
                columns.append(marks["learned" if "learned" in marks else "rows"])
        assert columns[0].shape == columns[1].shape
        assert not np.array_equal(*columns)


def test_a_theme_begins_although_its_first_sentence_is_an_aside(outlined, tmp_path, monkeypatch):
    def measure(pipelines, text):
        starts = next(own["starts"] for own, _ in read_records(outlined) if own["text"] == text)
        # The first sentence, and the first one of each theme, are left out.
        places = [start for number, start in enumerate(starts) if number % 4 not in (0, 1)]
        nothing = np.zeros(len(places) - 1)
        return places, [{"learned": nothing, "ends": nothing}]

    monkeypatch.setattr(gap_trees, "measure", measure)
    gap_trees.collect([outlined], [], 1, None, tmp_path / "marks.npz")
    with np.load(tmp_path / "marks.npz") as marks:
        labels = marks["labels"]
    assert {*labels.tolist()} == {BEGINS, WITHIN}
    assert np.count_nonzero(labels == BEGINS) == (len(labels) + len(NAMES)) // 2 - len(NAMES)


@pytest.mark.parametrize(
    "before, after, known",
    [
        ("A", "B", BEGINS),
        ("A", "A", WITHIN),
        ("-", "A", UNKNOWN),
        ((1, 1), (2, 2), BEGINS),
        ((1, 1), (1, 2), UNKNOWN),
        ((1, 1), (1, 1), WITHIN),
    ],
)
def test_what_is_known_of_a_gap(before, after, known):
    assert label_gap(before, after) == known
