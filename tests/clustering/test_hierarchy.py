from collections import Counter

import numpy as np
import pytest
import spacy

from spacy_thematic.clustering.hierarchy import find_parents
from spacy_thematic.clustering.vectors import SentenceVectors
from spacy_thematic.naming.content import read_content
from spacy_thematic.naming.headings import HeadingFinder, HeadingScores

CENTRES = np.array([[1, 0.1, 0], [0, 0, 1], [1, -0.1, 0]])
TERMS = [["bees", "wax"], ["ships"], ["wasps", "wax"]]
SIZES = np.array([2, 1, 2])


def test_near_clusters_have_one_parent():
    for terms in (TERMS, [Counter(group) for group in TERMS]):
        parents = find_parents(CENTRES, terms, SIZES, 2)
        assert parents == ["wax, bees, wasps", "ships", "wax, bees, wasps"]


def test_parents_have_headings_and_no_name_of_a_theme():
    def score(means, origin, phrases):
        """Knows one heading, which fits what begins as bees and wasps do."""
        fit = np.full((len(means), 1 + len(phrases)), -50.0)
        fit[:, 0] = np.where(means[:, 0] > 0.5, 10, -50)
        none = np.zeros(len(phrases))
        return HeadingScores(["insects", *phrases], np.zeros(1), np.eye(len(fit[0])), fit, none)

    nlp = spacy.blank("en")
    groups = [read_content([nlp(" ".join(["old", *terms]))[:]]) for terms in TERMS]
    finder = HeadingFinder(groups, SentenceVectors(CENTRES), np.arange(3), score)
    parents = find_parents(CENTRES, TERMS, SIZES, 2, finder, taken=["ships"])
    assert parents == ["Insects", "Old ships", "Insects"]
    parents = find_parents(CENTRES, TERMS, SIZES, 2, finder, taken=["ships", "Insects"])
    assert parents[0] == parents[2] not in ("ships", "Insects") and parents[1] == "Old ships"


@pytest.mark.parametrize("n_broader", [0, 3, 9])
def test_no_parents_where_there_is_nothing_to_group(n_broader):
    assert find_parents(CENTRES, TERMS, SIZES, n_broader) == [None] * 3


def test_nothing_has_no_parent():
    assert find_parents(np.zeros((0, 3)), [], np.zeros(0, int), 2) == []
