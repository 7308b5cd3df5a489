import numpy as np
import pytest

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.triplets.article_docs import make_sentence_splitter
from spacy_thematic.triplets.paragraphs import read_paragraphs

PARAGRAPHS = [
    "One river rises. Two floods came.",
    "A single sentence stands here.",
    "The king fought. He lost. Peace came.",
]


def read(n: int = 20, max_length: int = 40, dev_share: float = 0.5):
    articles = [
        Article(
            f"Land {number}",
            "",
            [
                Section("", 1, ["This lead is left out. It is not read."]),
                Section("Plot", 2, PARAGRAPHS),
                Section("References", 2, ["Nobody reads notes. They are left out."]),
            ],
        )
        for number in range(n)
    ]
    return read_paragraphs(articles, make_sentence_splitter(), max_length, dev_share)


def texts(paragraphs, chosen) -> list[str]:
    words, lengths, _ = paragraphs.take(np.array(chosen))
    forms = [paragraphs.forms[word] for word in words]
    return [" ".join(part) for part in np.split(np.array(forms), np.cumsum(lengths)[:-1])]


def test_paragraphs_of_two_sentences_or_more_in_order():
    paragraphs = read()
    assert len(paragraphs.is_dev) == 2 * 20
    assert texts(paragraphs, [1, 0]) == [
        "The king fought .", "He lost .", "Peace came .", "One river rises .", "Two floods came .",
    ]  # fmt: skip


def test_which_sentences_another_follows():
    _, lengths, firsts = read().take(np.array([1, 0, 3]))
    assert lengths.tolist() == [4, 3, 3, 4, 4, 4, 3, 3]
    assert firsts.tolist() == [0, 1, 3, 5, 6]


def test_an_article_is_for_training_or_for_dev_as_a_whole():
    is_dev = read().is_dev.reshape(20, 2)
    assert (is_dev[:, 0] == is_dev[:, 1]).all()
    assert 4 <= is_dev[:, 0].sum() <= 16


def test_long_sentences_are_cut():
    assert texts(read(max_length=3), [0]) == ["One river rises", "Two floods came"]


def test_nothing_to_learn_from_is_an_error():
    with pytest.raises(ValueError, match="no paragraph of two sentences or more for dev"):
        read(dev_share=0.0)
    with pytest.raises(ValueError, match="for training"):
        read(n=0)
