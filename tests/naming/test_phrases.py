from itertools import chain

from spacy.tokens import Doc

from spacy_thematic.naming.content import read_content
from spacy_thematic.naming.phrases import count_phrases


def count(sentences):
    return count_phrases(chain.from_iterable(one.phrases for one in read_content(sentences)))


def test_phrases_are_runs_of_content_words(nlp):
    found = count(nlp("Sweet honey from the tall old wax tree.").sents)
    assert {"Sweet honey", "tall old wax", "wax tree", "tree"} <= set(found)
    assert not {"tall old wax tree", "honey from"} & set(found)


def test_two_may_be_joined_by_a_short_word(nlp):
    found = count(nlp("They read a history of art. Of course it is.").sents)
    assert found["history of art"] == 1
    assert not any(phrase.lower().startswith("of ") for phrase in found)


def test_forms_of_one_phrase_are_counted_together(nlp):
    found = count(nlp("We saw an old bee. We saw old bees. We saw Old Bees. I saw old bees.").sents)
    assert found["old bees"] == 4


def test_what_a_sentence_begins_with_counts_twice(nlp):
    found = count(nlp("The old bee flies. We saw an old bee.").sents)
    assert found["old bee"] == 3 and found["bee"] == 2


def test_verbs_are_of_no_phrase_where_parts_of_speech_are_known(nlp):
    words = ["River", "rises", "fast", "."]
    assert "River rises" in count([Doc(nlp.vocab, words)[:]])
    doc = Doc(nlp.vocab, words, pos=["NOUN", "VERB", "ADV", "PUNCT"])
    assert count([doc[:]]) == {"River": 2}


def test_phrases_of_a_parsed_doc_are_noun_chunks(nlp):
    doc = Doc(
        nlp.vocab,
        ["The", "old", "bees", "like", "sweet", "honey", "."],
        heads=[2, 2, 3, 3, 5, 3, 3],
        deps=["det", "amod", "nsubj", "ROOT", "amod", "dobj", "punct"],
        pos=["DET", "ADJ", "NOUN", "VERB", "ADJ", "NOUN", "PUNCT"],
    )
    assert count(doc.sents) == {"old bees": 2, "sweet honey": 1}


def test_nothing_has_no_phrase(nlp):
    assert not count([]) and not count(nlp("It is.").sents)
