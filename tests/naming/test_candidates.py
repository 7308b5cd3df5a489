import numpy as np
import pytest
from spacy.tokens import Doc

from spacy_thematic.naming.candidates import HeadingScores, find_candidates, find_phrases
from spacy_thematic.naming.content import read_content
from spacy_thematic.trees import Trees


def count(sentences):
    """How often each phrase of one group occurs."""
    found = find_phrases([read_content(sentences)])
    counts = np.exp(found.features["count"])
    return dict(zip(found.texts, counts.round().astype(int).tolist()))


def test_phrases_are_runs_of_content_words(nlp):
    found = count(nlp("Sweet honey from the tall old wax tree.").sents)
    assert {"Sweet honey", "tall old wax", "wax tree", "tree"} <= set(found)
    assert not {"tall old wax tree", "honey from"} & set(found)


def test_two_may_be_joined_by_a_short_word(nlp):
    found = count(nlp("They read a history of art. Of course it is.").sents)
    assert found["history of art"] == 1
    assert not any(phrase.lower().startswith("of ") for phrase in found)


def test_two_may_be_linked_by_a_preposition(nlp):
    found = count(nlp("They lost all access to the cold lake. Ships that sink in time.").sents)
    assert found["access to the cold lake"] == 1
    assert not {"lost all access to the cold lake", "Ships that sink"} & set(found)


def test_whose_it_is_to_those_who_speak_is_in_no_phrase(nlp):
    found = count(nlp("The visit of my ministers to their lake. A visit of the minister.").sents)
    assert {"visit", "ministers", "lake", "visit of the minister"} <= set(found)
    assert not {"visit of my ministers", "ministers to their lake"} & set(found)


def test_what_says_one_thing_twice_is_no_phrase(nlp):
    found = count(nlp("Storms and storm. A summer storm and storms. Rain and storms.").sents)
    assert "Rain and storms" in found
    assert not {"Storms and storm", "storm and storms"} & set(found)


def test_a_part_of_a_phrase_is_not_whole(nlp):
    sentences = nlp("Sweet honey is good. Honey is good.").sents
    found = find_phrases([read_content(sentences)])
    assert dict(zip(found.texts, found.features["whole"].tolist())) == {
        "Sweet honey": 1,
        "honey": 0.5,
    }


def test_forms_of_one_phrase_are_counted_together(nlp):
    found = count(nlp("We saw an old bee. We saw old bees. We saw Old Bees. I saw old bees.").sents)
    assert found["old bees"] == 4


def test_capitals_of_a_shouted_sentence_tell_nothing(nlp):
    found = count(
        nlp("RAW HONEY IN USA. MAGNA CARTA. We sell honey in the USA. RAW HONEY IN USA.").sents
    )
    assert {"RAW honey in USA", "honey", "MAGNA CARTA", "USA"} <= set(found)
    found = count(nlp("SECRET DEFEAT. It was a defeat. SECRET DEFEAT.").sents)
    assert "secret defeat" in found


def test_a_hyphen_before_i_is_a_dash(nlp):
    found = count(nlp("They wrote the history of politics-I said so. A well-known X-ray.").sents)
    assert "politics" in found and not any("politics-I" in phrase for phrase in found)
    assert any("X-ray" in phrase for phrase in found)


def test_verbs_are_of_no_phrase_where_parts_of_speech_are_known(nlp):
    words = ["Water", "levels", "fast", "."]
    assert "Water levels" in count([Doc(nlp.vocab, words)[:]])
    doc = Doc(nlp.vocab, words, pos=["NOUN", "VERB", "ADV", "PUNCT"])
    assert count([doc[:]]) == {"Water": 1}


def test_phrases_of_a_parsed_doc_are_noun_chunks(nlp):
    doc = Doc(
        nlp.vocab,
        ["The", "old", "bees", "like", "sweet", "honey", "."],
        heads=[2, 2, 3, 3, 5, 3, 3],
        deps=["det", "amod", "nsubj", "ROOT", "amod", "dobj", "punct"],
        pos=["DET", "ADJ", "NOUN", "VERB", "ADJ", "NOUN", "PUNCT"],
    )
    assert count(doc.sents) == {"old bees": 1, "sweet honey": 1}


def test_what_stands_in_any_text_is_no_phrase_by_itself(nlp):
    found = count(
        nlp('Many people see the VIII. We saw old people or td class="col-value here.').sents
    )
    assert set(found) == {"old people", "td", "value"}


def test_an_abbreviation_is_no_phrase_by_itself(nlp):
    assert set(count(nlp("St. is it. U.N. is it, Rev. Lee").sents)) == {"U.N.", "Rev. Lee", "Lee"}


def test_a_curse_is_in_no_phrase(nlp):
    assert set(count(nlp("The shit bus has a shitty lamp.").sents)) == {"bus", "lamp"}


def test_nothing_has_no_phrase(nlp):
    assert not count([]) and not count(nlp("It is.").sents)


@pytest.fixture
def groups(nlp):
    doc = nlp("Bees make wax. We saw the wax of bees. Ships cross seas. Old ships sink.")
    sentences = read_content(doc.sents)
    return [sentences[:2], sentences[2:]]


def test_the_text_says_where_phrases_stand_and_how_often(groups):
    found = find_phrases(groups)
    rows = [*zip(found.groups.tolist(), found.texts)]
    bees, seas = rows.index((0, "bees")), rows.index((1, "seas"))
    of = {name: values[[bees, seas]].tolist() for name, values in found.features.items()}
    assert of["share"] == [1, 0.5] and of["first"] == [0, 0] and of["spread"] == [0.5, 0]
    assert of["leads"] == [0.5, 0] and of["opened"] == [1, 1]
    assert np.exp(of["count"]).tolist() == np.exp(of["total"]).tolist() == pytest.approx([2, 1])
    assert of["odds"] == pytest.approx([np.log(5), np.log(3)])


def test_the_best_phrases_of_each_group_are_found(groups):
    found = find_phrases(groups, most=1)
    assert found.groups.tolist() == [0, 1]
    assert found.texts[0] in ("bees", "wax") and "ships" in found.texts[1].lower()
    assert find_phrases([]).texts == [] == find_phrases([[], []]).texts


def test_sentences_are_known_that_hold_a_phrase_whatever_its_group(groups):
    found = find_phrases([[groups[0][0], groups[1][0]], [groups[0][1]]])
    row, phrase = found.holders
    held = {text: row[phrase == found.texts.index(text)].tolist() for text in ("bees", "seas")}
    assert held == {"bees": [0, 2], "seas": [1]}


@pytest.mark.parametrize("least", [2, 3])
def test_few_sentences_are_called_by_their_phrases_alone(groups, least, monkeypatch):
    monkeypatch.setattr("spacy_thematic.naming.candidates._LEAST_OF_SEEN", least)
    phrases = find_phrases(groups, most=1)
    n = 1 + len(phrases.texts)
    texts = ["Life", *phrases.texts]
    none, units = np.zeros((n, 3)), np.eye(n)
    scores = HeadingScores(texts, np.zeros(1), units, np.ones((2, n)), none, np.eye(n, 4))
    rows = np.eye(4, dtype="f")[[0, 0, 1, 1]]
    found = find_candidates(groups, rows, phrases, scores, seen=True)
    assert (0 in found.columns) == (least == 2)


@pytest.mark.usefixtures("rank_by_fit")
def test_what_the_encoder_knows_is_that_of_each_candidate(groups):
    rows = np.eye(4, dtype="f")[[0, 0, 1, 1]]
    phrases = find_phrases(groups, most=2)
    texts = [*dict.fromkeys(phrases.texts)]
    n = len(texts)
    vectors = np.tile(np.eye(4)[2], (1 + n, 1))
    vectors[1] = rows[0]
    scores = HeadingScores(
        ["Life", *texts],
        np.array([-2.0]),
        np.eye(1 + n),
        np.vstack([np.arange(1.0 + n), np.zeros(1 + n)]),
        np.arange(3.0 * (1 + n)).reshape(-1, 3),
        vectors,
    )
    found = find_candidates(groups, rows, phrases, scores, seen=True)
    assert found.groups.tolist() == [*phrases.groups.tolist(), 0, 1]
    features = {name: values.tolist() for name, values in found.features.items()}
    own = found.columns.tolist()
    assert features["fit"] == [n * (g == 0) for g, n in zip(found.groups, own)]
    assert features["fit_apart"][0] == own[0] and features["l_first"] == [3 * n + 1 for n in own]
    assert features["query_whole"][0] == 1 and features["query_whole"][1] == 0
    assert features["context"][:2] == pytest.approx([1, 1])
    assert features["known"][-1] == -2 and np.isnan(features["known"][:-2]).all()
    assert np.isnan(features["count"][-2:]).all()
    within = np.array(features["fit_within"])[found.groups == 0]
    assert within.mean() == pytest.approx(0) and within.std() == pytest.approx(1, abs=1e-4)
    alone = find_candidates(groups, rows, phrases, scores, seen=False)
    assert alone.columns.tolist() == own[:-2]


def test_words_count_in_the_sentences_of_their_group(nlp):
    doc = nlp("Old bees fly. Bees make wax. Ships sink.")
    first, second, third = read_content(doc.sents)
    groups = [[first, second], [third]]
    phrases = find_phrases(groups)
    n = len(phrases.texts)
    nothing = HeadingScores(
        phrases.texts, np.zeros(0), np.eye(n), np.zeros((2, n)), np.zeros((n, 3)), np.eye(n, 3)
    )
    rows = np.eye(3, dtype="f")
    found = find_candidates(groups, rows, phrases, nothing, seen=False).features
    old, wax = phrases.texts.index("Old bees"), phrases.texts.index("wax")
    assert found["w_most"][[old, wax]].tolist() == [1, 0.5]
    assert found["w_last"][[old, wax]].tolist() == [1, 0.5]
    assert found["words"][[old, wax]].tolist() == [2, 1]
    assert found["characters"][[old, wax]].tolist() == [8, 3]


def test_a_ranker_adds_the_leaves_of_its_trees():
    ranker = Trees(
        ["first", "second"],
        # The first tree has three leaves, the second has two.
        features=np.array([[0, 1], [1, 0]]),
        values=np.array([[0.5, 7], [7, np.inf]]),
        unknown=np.array([[True, False], [False, False]]),
        leaves=np.array([[0b110, 0b10], [0b101, 0]], np.uint8),
        marks=np.array([[1, 2, 3], [10, 20, 0]]),
    )
    rows = {"second": np.array([8, 7, np.nan, 8]), "first": np.array([0.5, 0.6, np.nan, 0.6])}
    assert ranker(rows).tolist() == [21, 12, 12, 23]
    assert ranker({name: values[:0] for name, values in rows.items()}).tolist() == []
