import numpy as np
import pytest
import spacy

from spacy_thematic.clustering.headings import (
    HeadingScores,
    choose_headings,
    expect_likeness,
    pick_phrases,
)
from spacy_thematic.clustering.vectors import SentenceVectors

SEEN = ["Early life", "Life", "Sailing"]


@pytest.fixture
def groups():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    doc = nlp("Bees make wax. We saw the wax of bees. Ships cross seas. Old ships sink.")
    sentences = list(doc.sents)
    return [sentences[:2], sentences[2:]]


def scorer(fit, log_shares=(0.0, 0.0, 0.0)):
    """Knows how well the three seen headings fit each group, and that phrases fit badly."""

    def score(means, origin, phrases):
        rows = np.full((len(means), 3 + len(phrases)), -50.0)
        rows[:, :3] = fit
        return HeadingScores([*SEEN, *phrases], np.array(log_shares), np.eye(rows.shape[1]), rows)

    return score


def choose(groups, score, taken=()):
    labels = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    vectors = SentenceVectors(np.eye(len(groups), 4)[labels])
    found = choose_headings(groups, vectors, labels, score, taken)
    return [heading and heading.text for heading in found]


def test_the_surest_group_chooses_first(groups):
    assert choose(groups, scorer([[5, 0, 4], [9, 0, -9]])) == ["Sailing", "Early life"]


def test_a_heading_is_not_repeated_in_part(groups):
    assert choose(groups, scorer([[9, 0, 0], [0, 8, 2]])) == ["Early life", "Sailing"]


def test_names_that_are_taken_are_not_given(groups):
    fit = [[5, 4, -9], [-9, -9, 8]]
    assert choose(groups, scorer(fit), taken=["early life"]) == ["Life", "Sailing"]


def test_where_nothing_fits_there_is_no_heading(groups):
    assert choose(groups, scorer([[5, 0, 0], [-9, -9, -9]])) == ["Early life", None]
    assert choose(groups, None) == [None, None]
    assert choose(groups, lambda *_: None) == [None, None]
    assert choose([], scorer([[0, 0, 0]])) == []


def test_of_two_that_fit_alike_the_commoner_is_likelier(groups):
    fit = [[5, -9, 5], [-9, 5, -9]]
    assert choose(groups, scorer(fit, log_shares=[-9, -2, -2]))[0] == "Sailing"


def test_phrases_count_for_the_groups_that_have_them(groups):
    counts = pick_phrases(groups)
    assert counts[0]["wax"] == 2 and "wax" not in counts[1]

    def score(means, origin, phrases):
        """Every phrase of the text fits every group."""
        fit = np.full((len(means), len(phrases)), 10.0)
        return HeadingScores(list(phrases), np.zeros(0), np.eye(len(phrases)), fit)

    first, second = choose(groups, score)
    assert first in ("Wax", "Bees") and second == "Ships"


def test_likeness_is_that_of_the_regression():
    scores = HeadingScores(["History", "wax", "old wax"], np.array([-4.0]), np.eye(3), np.eye(3))
    found = expect_likeness(np.array([6.0, 10.0, 10.0]), scores, {"wax": 2, "old wax": 1})
    odds = np.array([6 - 0.7 * 4 + 7.5, 10 + np.log(2), 10 - 1])
    assert np.allclose(found, 0.075 * odds - 0.51)


def test_what_every_group_has_is_no_phrase(groups):
    first, second = pick_phrases([[*groups[0], groups[1][0]], groups[1]])
    assert first["wax"] == 2 and second["sink"] == 1
    assert not {"ships", "cross seas", "seas"} & {phrase.lower() for phrase in [*first, *second]}


def test_the_best_phrases_come_first(groups):
    (first,), (second,) = pick_phrases(groups, most=1)
    assert "wax" in first and second.lower() in ("ships", "cross seas")
