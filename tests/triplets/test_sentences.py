from collections import Counter

import pytest

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.triplets.article_docs import make_sentence_splitter
from spacy_thematic.triplets.rules import CorpusSettings
from spacy_thematic.triplets.sentences import (
    all_sentences,
    opening_sentences,
)


@pytest.fixture(scope="module")
def nlp():
    return make_sentence_splitter()


def texts_of(sentences):
    return [sentence.text for sentence in sentences]


def test_openers_and_all_sentences_are_mended(nlp):
    paragraph = "The area was made a province through Act No. 42 of 1901. It has two rivers."
    article = Article("Area", "test", [Section("History", 2, [paragraph])])
    expected = ["The area was made a province through Act No. 42 of 1901."]
    assert texts_of(opening_sentences(article, nlp, Counter())) == expected
    assert texts_of(all_sentences(article, nlp)) == [*expected, "It has two rivers."]


def test_other_sentences_are_prose_of_5_to_50_tokens_that_opens_no_paragraph(nlp):
    long = " ".join(["word"] * 50)
    sections = [
        Section("Course", 2, ["Short. The wide river floods.", f"{long}. {long}. Too short."]),
        Section("Use", 2, ["The king drank from it. 12:3, 4:5, 6:7, 8:9. His army drank too."]),
        Section("Fish", 2, ["The wide river has fish."]),
    ]
    found = []
    opening_sentences(Article("River", "", sections), nlp, Counter(), others=found)
    assert texts_of(found) == ["The wide river floods.", "His army drank too."]
    assert [(one.section, one.paragraph) for one in found] == [(0, 0), (1, 0)]


def test_an_overlong_paragraph_gives_its_beginning(nlp):
    article = Article("River", "", [Section("Course", 2, ["The wide river floods. " * 60_000])])
    found = texts_of(all_sentences(article, nlp))
    assert set(found) == {"The wide river floods."}
    assert 4_000 < len(found) < 5_000


@pytest.mark.parametrize(
    "lang, sentence",
    [
        ("bg", "През 1878 г. градът имаше ок. 5 хил. жители, напр. на ул. Витоша и др. места."),
        ("de", "Am 3. Mai 1905 kam z. B. Dr. Müller mit ca. 5 Mio. Euro nach St. Gallen."),
        ("es", "El Sr. García viajó a EE. UU. en el s. XIX, p. ej. a Nueva York."),
        ("fr", "M. Dupont comptait env. 300 hab. au XIXe s. selon Mgr. Martin."),
        ("it", "Il sig. Rossi e il dott. Bianchi abitavano a nord, cfr. p. 3, ecc. e partirono."),
        ("nl", "Dhr. Jansen woonde o.a. in Den Haag, d.w.z. ca. 5 km verder, enz. en vertrok."),
        ("pl", "W XIX w. ks. Nowak mieszkał przy ul. Długiej, ok. 5 km od m.in. Krakowa."),
        ("pt", "O Sr. Silva e a Dra. Costa viveram no séc. XIX em Lisboa."),
        ("ru", "В XIX в. на ул. Ленина жили ок. 5 тыс. чел. и т. д., т. е. мало."),
        ("sv", "Hr. Svensson och dr. Berg bodde bl.a. i Lund, t.ex. ca. 5 km bort."),
    ],
)
def test_no_sentence_is_cut_short_in_another_language(lang, sentence):
    article = Article("", "", [Section("", 2, [f"{sentence} «Nota» Alfa beta."])])
    nlp = make_sentence_splitter(CorpusSettings(lang=lang))
    assert texts_of(all_sentences(article, nlp)) == [sentence, "«Nota» Alfa beta."]
