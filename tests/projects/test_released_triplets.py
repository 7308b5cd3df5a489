"""The released triplets as a corpus."""

import pytest
import srsly

from released_triplets import (
    build_released,
    find_components,
    main,
    make_released_doc,
    read_groups,
    read_triplets,
)
from spacy_thematic.articles.sources import ReadLog, SourceError
from spacy_thematic.triplets.compiled import FOLDER
from spacy_thematic.triplets.docbin import get_rows, get_triplets, read_shards
from spacy_thematic.triplets.rules import CorpusSettings
from tests.cli.conftest import invoke
from tests.conftest import make_article

HEADER = "Sentence1,Sentence2,Sentence3\r\n"
TRIPLETS = [
    ("He sang.", "He danced well.", "It rained."),
    ("It rained.", "It snowed too.", "He sang."),
    ("He danced well.", "He won.", "It snowed too."),
]


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "released"
    folder.mkdir()
    train = HEADER + '"a, b",c,d\r\nc,e,f\r\nk,l,m\r\n'
    (folder / "train.csv").write_text(train)
    (folder / "validation.csv").write_text(HEADER + "v,w,x\r\n")
    (folder / "test.csv").write_text(HEADER + "y,z,x\r\n")
    (folder / "README.txt").write_text("The released triplets.")
    return folder


def texts_of(doc) -> list[tuple[str, ...]]:
    rows = get_rows(doc)
    return [tuple(rows[row].text for row in triplet) for triplet in get_triplets(doc)]


def test_each_sentence_is_stored_once_in_the_section_that_its_triplets_tell(nlp):
    doc = make_released_doc("train.csv 1", TRIPLETS, nlp, CorpusSettings())
    assert texts_of(doc) == TRIPLETS
    sections: dict[int, list[str]] = {}
    for span in doc.spans["sentences"]:
        sections.setdefault(span.id, []).append(span.text)
    assert sections == {
        0: ["He sang.", "He danced well.", "He won."],
        1: ["It rained.", "It snowed too."],
    }


def test_components_follow_chains():
    assert find_components(6, [(4, 5), (1, 3), (3, 4)]) == (3, [0, 1, 2, 1, 1, 1])


def test_groups_share_sentences(source):
    assert list(read_groups(source, "train")) == [
        ("train.csv 1", [("a, b", "c", "d"), ("c", "e", "f")]),
        ("train.csv 2", [("k", "l", "m")]),
    ]
    assert list(read_groups(source, "test")) == [("test.csv 1", [("y", "z", "x")])]


def test_all_triplets_stay_in_the_split_they_were_released_in(nlp, source, tmp_path):
    out = tmp_path / "corpus"
    main(source, out, limit=0)
    statistics = srsly.read_json(out / "statistics.json")
    assert [statistics[split]["triplets"] for split in ("train", "dev", "test")] == [3, 1, 1]
    assert statistics["read"]["articles read"] == 4
    first, second = read_shards(out / "train", nlp.vocab)
    assert texts_of(first) + texts_of(second) == [
        ("a, b", "c", "d"),
        ("c", "e", "f"),
        ("k", "l", "m"),
    ]
    assert (out / "train" / FOLDER).is_dir()
    assert build_released(source, out, limit=1)["train"]["articles"] == 1


def test_a_file_that_is_not_there_and_an_empty_sentence_are_named(source):
    (source / "validation.csv").unlink()
    with pytest.raises(ValueError, match=r"no file of triplets called validation\.csv"):
        list(read_groups(source, "dev"))
    (source / "train.csv").write_text(HEADER + "a,b,c\r\na, ,c\r\n")
    with pytest.raises(SourceError, match=r"train\.csv, row 2: a sentence is empty"):
        list(read_triplets(source / "train.csv", ReadLog()))
    assert len(list(read_triplets(source / "train.csv", ReadLog(skip_bad=True)))) == 1


def test_they_can_be_trained_on(tmp_path):
    data, out = tmp_path / "data", tmp_path / "corpus"
    data.mkdir()
    for number, name in enumerate(("train", "validation", "test")):
        rows = [HEADER]
        for article in (make_article(100 * number + n) for n in range(10)):
            for here, other in zip(article.sections[1:], article.sections[2:]):
                a, b, *_ = here.paragraphs
                rows.append(f'"{a}","{b}","{other.paragraphs[0]}"\r\n')
        (data / f"{name}.csv").write_text("".join(rows), newline="")
    statistics = build_released(data, out)
    assert [statistics[split]["triplets"] for split in ("train", "dev", "test")] == [40, 40, 40]
    model = tmp_path / "training"
    invoke(
        "train", "configs/fast.cfg", "-o", model, "--paths.train", out / "train", "--paths.dev",
        out / "dev", "--training.max_steps", 2, "--training.eval_frequency", 1,
    )  # fmt: skip
    metrics = tmp_path / "metrics.json"
    assert "40 triplets" in invoke("evaluate", model / "model-best", out, "-o", metrics)
    assert "released_triplets.py" in invoke(
        "evaluate", model / "model-best", data, "-o", metrics, status=1
    )
