import spacy
from spacy.tokens import Doc

from spacy_thematic.clustering.keywords import content_words, find_keywords, make_labels


def test_weights_are_those_of_the_equation():
    # A = 3; weights: bee 2 ln(1 + 3/2), wax ln(1 + 3/1), sea ln(1 + 3/3) in the second group
    assert find_keywords([["bee", "bee", "wax"], ["sea", "sea", "ship"]], 3) == [
        ["bee", "wax"],
        ["sea", "ship"],
    ]


def test_words_of_every_theme_come_last():
    groups = [["the", "the", "hive", "bee", "bee"], ["the", "the", "sail", "ship", "ship"]]
    assert find_keywords(groups, 3)[0] == ["bee", "hive", "the"]


def test_singular_and_plural_are_one_keyword():
    words = ["bees", "bees", "bee", "hives", "wax"]
    assert find_keywords([words, ["sea"]], 3) == [["bees", "hives", "wax"], ["sea"]]


def test_a_theme_without_words_has_no_keywords():
    assert find_keywords([[], ["bee"]], 3) == [[], ["bee"]]
    assert find_keywords([[], []], 3) == [[], []]
    assert find_keywords([], 3) == []


def test_content_words_are_lower_case_without_stop_words_and_numbers():
    doc = spacy.blank("en")("The Bees of 1999 made x https://a.example wax , and 20% more Honey2 !")
    assert content_words(doc[:]) == ["bees", "wax", "honey2"]


def test_lemmas_are_taken_where_there_are_some():
    doc = Doc(spacy.blank("en").vocab, words=["Bees", "hum"], lemmas=["bee", ""])
    assert content_words(doc[:]) == ["bee", "hum"]


def test_labels_are_unique():
    same = ["bee", "wax", "hive"]
    assert make_labels([same, [*same, "comb"], same, [], []]) == [
        "bee, wax, hive",
        "bee, wax, hive, comb",
        "bee, wax, hive (3)",
        "theme 4",
        "theme 5",
    ]
    assert make_labels([["bee"], ["bee"]]) == ["bee", "bee (2)"]
