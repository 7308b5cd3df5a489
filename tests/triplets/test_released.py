"""Released triplets as a corpus."""

import pytest

from spacy_thematic.articles.triplets_csv import SentenceTriplet, TripletGroup
from spacy_thematic.triplets.corpus_builder import build_corpus
from spacy_thematic.triplets.docbin import get_rows, get_triplets, read_shards
from spacy_thematic.triplets.released import find_components, make_released_doc
from spacy_thematic.triplets.rules import CorpusSettings

GROUP = TripletGroup(
    "train.csv 1",
    "train",
    [
        SentenceTriplet("He sang.", "He danced well.", "It rained."),
        SentenceTriplet("It rained.", "It snowed too.", "He sang."),
        SentenceTriplet("He danced well.", "He won.", "It snowed too."),
    ],
)


def texts_of(doc) -> list[tuple[str, ...]]:
    rows = get_rows(doc)
    return [tuple(rows[row].text for row in triplet) for triplet in get_triplets(doc)]


def test_each_sentence_is_stored_once_in_the_section_that_its_triplets_tell(nlp):
    doc = make_released_doc(GROUP, nlp, CorpusSettings())
    assert texts_of(doc) == GROUP.triplets
    sections: dict[int, list[str]] = {}
    for span in doc.spans["sentences"]:
        sections.setdefault(span.id, []).append(span.text)
    assert sections == {
        0: ["He sang.", "He danced well.", "He won."],
        1: ["It rained.", "It snowed too."],
    }


def test_components_follow_chains():
    assert find_components(6, [(4, 5), (1, 3), (3, 4)]) == (3, [0, 1, 2, 1, 1, 1])


def test_another_kind_is_refused(nlp):
    with pytest.raises(ValueError, match='"titles" needs articles'):
        make_released_doc(GROUP, nlp, CorpusSettings(kind="titles"))


def test_all_triplets_stay_in_the_split_they_were_released_in(nlp, tmp_path):
    test = TripletGroup("test.csv 1", "test", GROUP.triplets[:1])
    out = tmp_path / "corpus"
    statistics = build_corpus([GROUP, test, test], out, CorpusSettings())
    assert [statistics[split]["triplets"] for split in ("train", "dev", "test")] == [3, 0, 2]
    assert statistics["read"]["articles read"] == 3
    (doc,) = read_shards(out / "train", nlp.vocab)
    assert texts_of(doc) == GROUP.triplets
