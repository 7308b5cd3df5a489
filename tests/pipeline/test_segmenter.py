import pickle
from itertools import pairwise

import numpy as np
import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin, Span, SpanGroup
from spacy.training import Example

import spacy_thematic
from benchmarks.text_tiling import text_tiling
from spacy_thematic.segmentation.passage import Cuts
from spacy_thematic.segmentation.settings import SegmentSettings
from tests.pipeline.test_clusterer import first_word_vectors  # noqa: F401

TEXT = " ".join(f"{word} number{i} go on." for word in ("Bees", "Ships", "Kings") for i in range(7))


def make_nlp(**config):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("first_word_vectors")
    nlp.add_pipe("thematic_segmenter", config=config)
    return nlp


@pytest.fixture(scope="module")
def nlp():
    return make_nlp()


@pytest.fixture(scope="module")
def embedding_nlp():
    nlp = spacy.blank("en")
    for name in ("sentencizer", "thematic_embedder", "thematic_segmenter"):
        nlp.add_pipe(name)
    return nlp


def sizes(doc):
    return [len(list(segment.span.sents)) for segment in doc._.thematic_segments]


def joined(doc):
    return "".join(segment.span.text_with_ws for segment in doc._.thematic_segments)


@pytest.mark.parametrize("n", [3, "auto"])
def test_segments_of_plain_themes(n):
    doc = make_nlp(n=n)(TEXT)
    segments = doc._.thematic_segments
    assert sizes(doc) == [7, 7, 7]
    assert [segment.keywords[0] for segment in segments] == ["Bees", "Ships", "Kings"]
    assert [segment.number for segment in segments] == [1, 2, 3]
    assert [segment.label for segment in segments] == [span.label_ for span in segment_spans(doc)]
    assert segments[0].strength is None
    attrs = doc.spans["thematic_segments"].attrs
    assert (attrs["method"], attrs["n"], attrs["levels"]) == ("kernel_change_points", 3, [1] * 3)
    assert [segment.strength for segment in segments[1:]] == attrs["scores"][1:]
    assert (attrs["penalty"] is None) == (n == 3)
    assert n == 3 or min(attrs["scores"][1:]) > attrs["penalty"]


def segment_spans(doc):
    return list(doc.spans["thematic_segments"])


@pytest.mark.parametrize("text, n", [("", 0), (" ", 1), ("\n \n", 1), ("Bees hum.", 1)])
def test_short_texts(text, n):
    doc = make_nlp(n=4)(text)
    assert len(doc._.thematic_segments) == n
    assert joined(doc) == text


@given(st.text(), st.integers(1, 6), st.integers(1, 40))
@settings(max_examples=60, deadline=None)
def test_nothing_is_lost_whatever_the_characters(embedding_nlp, text, n, largest):
    segmenter = embedding_nlp.get_pipe("thematic_segmenter")
    segmenter.settings = SegmentSettings(n=n, max_size=largest, unit="characters")
    doc = embedding_nlp(text)
    assert joined(doc) == text
    for segment in doc._.thematic_segments:
        whole = segment.span
        starts = {sentence.start for sentence in doc.spans["thematic_sentences"]}
        several = len(starts & set(range(whole.start, whole.end))) > 1
        assert not several or len(whole.text_with_ws) <= largest


@given(
    st.lists(
        st.sampled_from(["Bees hum. ", "Ships sink fast.\n", "Kings! ", " ", "a"]), max_size=30
    ),
    st.sampled_from(["sentences", "tokens", "characters"]),
    st.integers(1, 12),
    st.integers(0, 30),
)
@settings(max_examples=40, deadline=None)
def test_sizes_are_never_overrun(nlp, parts, unit, least, more):
    nlp.get_pipe("thematic_segmenter").settings = SegmentSettings(
        unit=unit, min_size=least, max_size=least + more
    )
    text = "".join(parts)
    doc = nlp(text)
    assert joined(doc) == text
    starts = [sentence.start for sentence in doc.spans["thematic_sentences"]]
    for segment in doc._.thematic_segments:
        inside = [start for start in starts if segment.span.start <= start < segment.span.end]
        measure = {
            "sentences": len(inside),
            "tokens": len(segment.span),
            "characters": len(segment.span.text_with_ws),
        }
        assert len(inside) <= 1 or measure[unit] <= least + more


def test_smallest_sizes_are_inside_the_optimisation():
    doc = make_nlp(n=3, min_size=9)(TEXT)
    assert len(sizes(doc)) == 2 and min(sizes(doc)) >= 9
    tokens = make_nlp(n="auto", max_size=20, unit="tokens")(TEXT)
    assert max(len(segment.span) for segment in tokens._.thematic_segments) <= 20
    assert {7, 14} <= set(np.cumsum(sizes(tokens)).tolist())


def test_levels():
    doc = make_nlp(n=2, levels=2)(TEXT)
    assert [segment.level for segment in doc._.thematic_segments].count(1) == 2
    assert doc.spans["thematic_segments"].attrs["n"] == len(doc._.thematic_segments) == 3


@pytest.mark.parametrize("found", [None, [0, 1], ([0], [0.0]), Cuts(np.array([0]), np.zeros(2))])
def test_an_algorithm_that_returns_no_cuts_is_named(found):
    def mine(passage, n, seed, scale=1.0):
        return found

    nlp = make_nlp()
    nlp.get_pipe("thematic_segmenter").algorithm = mine
    with pytest.raises(ValueError, match=r'"mine" returned .*: expected .*Cuts\(starts, gains\)'):
        nlp(TEXT)


def test_another_algorithm():
    nlp = make_nlp(n=3)
    nlp.get_pipe("thematic_segmenter").algorithm = text_tiling
    doc = nlp(TEXT)
    assert len(doc._.thematic_segments) == 3
    assert joined(doc) == TEXT


@pytest.mark.parametrize(
    "config, message",
    [
        ({"n": 0}, "at least 1, found 0"),
        ({"min_size": -1}, "min_size to be a whole number of at least 0"),
        ({"min_size": 5, "max_size": 4}, "at least min_size, 5, found 4"),
        ({"max_size": 2.5}, "None or a whole number of at least min_size, 1, found 2.5"),
        ({"min_size": 0, "max_size": 0}, "at least 1, found 0"),
        ({"levels": 0}, "levels to be a whole number of at least 1"),
        ({"unit": "words"}, "unit"),
    ],
)
def test_settings_are_checked(config, message):
    with pytest.raises(ValueError, match=message):
        make_nlp(**config)


def test_missing_vectors_name_the_component_to_add():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("thematic_segmenter")
    with pytest.raises(ValueError, match='"thematic_embedder" before .* "thematic_segmenter"'):
        nlp(TEXT)


def test_units_that_do_not_follow_each_other_are_an_error():
    nlp = make_nlp()
    doc = nlp(TEXT)
    doc.spans["thematic_sentences"] = [doc[5:9], doc[0:5]]
    doc._.thematic_vectors = np.ones((2, 4), "f")
    with pytest.raises(ValueError, match="found one at token 0 after one at token 5"):
        nlp.get_pipe("thematic_segmenter")(doc)


def describe(doc):
    return [
        (s.number, s.label, s.keywords, s.strength, s.level, s.span.start, s.span.end)
        for s in doc._.thematic_segments
    ]


def test_segments_survive_every_way_of_keeping_a_doc():
    nlp = make_nlp(levels=2)
    doc = nlp(TEXT)
    stored = DocBin(docs=[doc]).to_bytes()
    again = [
        Doc(nlp.vocab).from_bytes(doc.to_bytes()),
        next(DocBin().from_bytes(stored).get_docs(nlp.vocab)),
        pickle.loads(pickle.dumps(doc)),
        *nlp.pipe([TEXT, TEXT], n_process=2, batch_size=1),
    ]
    for other in again:
        assert describe(other) == describe(doc)
    assert nlp.make_doc(TEXT)._.thematic_segments is None


def test_a_segment_can_be_renamed_in_its_doc():
    doc = make_nlp(n=2)(TEXT)
    first, second = doc._.thematic_segments
    first.rename(" Hives\n")
    assert [s.name for s in doc._.thematic_segments] == ["Hives", second.name]
    assert first.name == "Hives" and len({first, *doc._.thematic_segments}) == 2
    with pytest.raises(ValueError, match="Expected a name"):
        first.rename(" ")
    with pytest.raises(AttributeError, match="another heading would be lost: segment.rename"):
        first.heading = "Hives"
    with pytest.raises(AttributeError, match="are read from the Doc each time"):
        first.span.doc._.thematic_segments = []


@pytest.mark.filterwarnings("ignore:.*W101")
def test_segments_that_did_not_survive_say_so():
    nlp = make_nlp(n=2)
    with pytest.raises(ValueError, match="Doc.from_docs"):
        Doc.from_docs([nlp(TEXT), nlp(TEXT)])._.thematic_segments
    doc = nlp(TEXT)
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[0:30])
    with pytest.raises(ValueError, match="retokenized since"):
        doc._.thematic_segments


def test_round_trips_keep_config_and_later_changes(tmp_path):
    nlp = make_nlp(n=3)
    nlp.get_pipe("thematic_segmenter").n_keywords = 1
    nlp.to_disk(tmp_path)
    for again in (spacy.load(tmp_path), make_nlp(n=3).from_bytes(nlp.to_bytes())):
        assert describe(again(TEXT)) == describe(nlp(TEXT))
        assert [len(segment.keywords) for segment in again(TEXT)._.thematic_segments] == [1] * 3
    clone = pickle.loads(pickle.dumps(nlp.get_pipe("thematic_segmenter")))
    assert (clone.n, clone.n_keywords) == (3, 1)
    assert describe(clone(nlp(TEXT))) == describe(nlp(TEXT))


def test_a_failing_doc_goes_to_the_error_handler():
    nlp = make_nlp()
    nlp.set_error_handler(lambda name, proc, docs, error: None)
    broken = nlp.make_doc("Bees hum.")
    assert len(list(nlp.get_pipe("thematic_segmenter").pipe([broken, nlp(TEXT)]))) == 1


def test_scores_against_segments_that_people_made():
    nlp = make_nlp(n=3)
    gold = nlp.make_doc(TEXT)
    starts = [i for i, token in enumerate(gold) if i == 0 or gold[i - 1].text == "."]
    bounds = [starts[0], starts[7], starts[14], len(gold)]
    gold.spans["thematic_segments"] = SpanGroup(
        gold, spans=[Span(gold, a, b) for a, b in pairwise(bounds)]
    )
    scores = nlp.evaluate([Example(nlp.make_doc(TEXT), gold)])
    assert scores["thematic_pk"] == scores["thematic_window_diff"] == 0
    assert scores["thematic_boundary_similarity"] == 1
    nlp.get_pipe("thematic_segmenter").n = 2
    assert nlp.evaluate([Example(nlp.make_doc(TEXT), gold)])["thematic_boundary_similarity"] == 0.5
    nothing = nlp.evaluate([Example(nlp.make_doc(TEXT), nlp.make_doc(TEXT))])
    assert nothing["thematic_pk"] is None


def test_segments_are_evaluated_beside_a_scorer_of_the_embedder():
    """It has nothing to score in a Doc that is no article of a corpus."""
    nlp = spacy_thematic.load("en_thematic_sm")
    nlp.add_pipe("thematic_segmenter", before="thematic_clusterer")
    text = "The river floods the valley. Boats sail it. The king fought two wars. His army lost."
    scores = nlp.evaluate([Example(nlp.make_doc(text), nlp(text).copy())])
    assert scores["thematic_pk"] == 0 and "thematic_accuracy" not in scores
