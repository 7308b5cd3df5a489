"""Sentences that say nothing of a theme."""

import numpy as np
import pytest

import spacy_thematic
from spacy_thematic.clustering.asides import (
    compare_kinds,
    find_asides,
    measure_around,
    measure_sentences,
)
from spacy_thematic.pipeline.text_encoder import need_encoder

SPEECH = """(Applause)

Thank you. Thank you very much. Thank you all for coming.

The river floods the valley each year. The snow in the mountains melts in April and the water is
cold. Boats cannot pass under the bridge for weeks. Farmers wait until May before they plant.

Parliament passed a tax on boats. The owners protested in the capital. It costs forty euros a year.
The minister said that the money pays for the dikes.

Thank you, and God bless you all.

(Applause)"""


def measure(texts, ends=None):
    nothing = np.zeros(len(texts), bool)
    return measure_sentences(
        texts,
        ends=ends,
        headings=nothing,
        of_layout=nothing,
        is_speech=False,
    )


@pytest.mark.parametrize("model", ["en_thematic_sm", "en_thematic_md"])
def test_thanks_and_applause_belong_to_no_theme(model):
    doc = spacy_thematic.load(model)(SPEECH)
    in_themes = {s.start for theme in doc._.thematic_clusters for s in theme.sentences}
    aside = {
        sentence.text.strip()
        for sentence in doc.spans["thematic_sentences"]
        if sentence.start not in in_themes
    }
    assert {"(Applause)", "Thank you."} <= aside
    assert not any("boats" in text or "river" in text or "snow" in text for text in aside)


def test_a_heading_goes_with_what_it_heads():
    nlp = spacy_thematic.load("en_thematic_sm")
    reading = nlp.get_pipe("thematic_clusterer")._read(nlp(SPEECH))
    known, kinds = reading.measure_sentences(), reading.compare_kinds()
    assert find_asides(known, kinds)[:3].tolist() == [True, True, False]
    known["heading"][0] = 1
    assert find_asides(known, kinds)[:3].tolist() == [True, True, False]
    known["heading"][1] = 1
    assert find_asides(known, kinds)[:3].tolist() == [False, False, False]


def test_sentences_are_compared_with_those_of_a_kind_that_are_nearest():
    kinds = {"thanks": np.eye(4), "notices": -np.eye(4)[:2]}
    found = compare_kinds(np.eye(4)[:2], kinds)
    assert found["thanks"] == pytest.approx([1 / 3, 1 / 3])
    assert found["notices"] == pytest.approx([-0.5, -0.5])


def test_what_is_known_of_sentences():
    texts = ["Page 1", "Page 2", "www.example.com", "see HIM: there"]
    found = measure(texts, np.array([True, False, False]))
    assert found["repeats"].tolist() == pytest.approx([np.log(2), np.log(2), 0, 0])
    assert found["has_address"].tolist() == [0, 0, 1, 0]
    assert found["has_colon"].tolist() == [0, 0, 0, 1]
    assert found["starts_small"].tolist() == [0, 0, 1, 1]
    assert found["capitalized"].tolist() == [0.5, 0.5, 0, 1 / 3]
    assert found["ends_before"].tolist()[1:] == [1, 0, 0] and np.isnan(found["ends_before"][0])


def test_what_is_known_around_sentences():
    found = measure_around(np.array([1.0, 2, 3]))
    assert found["odds_1"].tolist()[:2] == [2, 3] and np.isnan(found["odds_1"][2])
    assert found["odds_-2"].tolist()[2:] == [1]
    assert found["odds_within_3"].tolist() == found["odds_of_all"].tolist() == [2, 2, 2]
    assert found["odds_until"].tolist() == [1, 1.5, 2]
    assert found["odds_from"].tolist() == [2, 2.5, 3]


def test_a_language_without_phrases_says_nothing_of_asides():
    nlp = spacy_thematic.load("en_thematic_sm")
    assert need_encoder(nlp, nlp("It rains.")).encode_asides()["thanks"].shape[0] > 5
    nlp.lang = "xx"
    assert need_encoder(nlp, nlp("It rains.")).encode_asides() is None
