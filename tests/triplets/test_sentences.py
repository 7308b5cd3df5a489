from collections import Counter

import pytest
import spacy

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.triplets.article_docs import make_sentence_splitter
from spacy_thematic.triplets.rules import CorpusSettings
from spacy_thematic.triplets.sentences import (
    all_sentences,
    mended_sentences,
    opening_sentences,
    other_sentences,
)


@pytest.fixture(scope="module")
def nlp():
    return make_sentence_splitter()


def split(nlp, text: str) -> list[str]:
    return [sentence.text for sentence in mended_sentences(nlp(text))]


@pytest.mark.parametrize(
    "sentence",
    [
        # Abbreviations.
        "It was founded through Republic Act No. 4221 enacted on June 19, 1965.",
        "The newspaper (est. 1908) is the oldest of the three in the town.",
        "Zen (Chinese: Chan; Korean: Seon, translit. Seon) is a school of Buddhism.",
        "Goodridge v. Dept. of Public Health was decided in the same year.",
        "They sell fruit, flour, rice, etc. and other goods at the market.",
        "The Bachelor of Education (B.Ed.) is a professional degree.",
        "The study of Smith et al. (2014) found nothing of the kind.",
        "According to Dr. Lee the river floods the valley each spring.",
        "The units under the now Maj. Gen. Buell and Lt. Col. Smith came from the north.",
        # Initials.
        "Cecil B. DeMille and J. R. R. Tolkien never met in the United States.",
        "The Master of Laws (LL. M.) is the standard degree taught in the U.S. today.",
        # Decimals.
        "The region covers 10.4% of the area and 3.5 million people live there.",
        # Quotations and names.
        'The game shows "Jeopardy!" and "Wheel of Fortune" were made on the campus.',
        '"Who goes there?" asked the guard at the gate of the town.',
        "The reviewer praised the film (but was it good?) at some length.",
    ],
)
def test_no_sentence_is_cut_short(nlp, sentence):
    assert split(nlp, f"{sentence} The next one follows.") == [sentence, "The next one follows."]


@pytest.mark.parametrize(
    "first, second",
    [
        ("He fought in World War I.", "The war left him blind."),
        ("The state was admitted into the U.S.", "In 1820 it had few people."),
        ('The building was called "The U."', "The style is Gothic."),
        ("The plan was dropped.", '"Astro Boy" became the model.'),
        ("The word has another sense.", "(See the next chapter.)"),
        ("The town had 500 people.", "24 of them were farmers."),
        ("It is no store for data.", "npm makes no guarantee of that."),
        ("The answer was no.", "Many had asked for more."),
    ],
)
def test_no_sentence_runs_on(nlp, first, second):
    assert split(nlp, f"{first} {second}") == [first, second]


def test_text_without_capitals_keeps_its_sentences(nlp):
    assert split(nlp, "the river rises. it floods the valley.") == [
        "the river rises.",
        "it floods the valley.",
    ]


@pytest.mark.parametrize("text", ["", " ", ".", '"', "((", "The", "? ? ?", "No."])
def test_every_token_is_in_one_sentence(nlp, text):
    doc = nlp(text)
    assert [token.i for sentence in mended_sentences(doc) for token in sentence] == [
        token.i for token in doc
    ]


def test_openers_and_all_sentences_are_mended(nlp):
    paragraph = "The area was made a province through Act No. 42 of 1901. It has two rivers."
    article = Article("Area", "test", [Section("History", 2, [paragraph])])
    expected = ["The area was made a province through Act No. 42 of 1901."]
    assert opening_sentences(article, nlp, Counter()).texts() == expected
    assert all_sentences(article, nlp).texts() == [*expected, "It has two rivers."]


def test_other_sentences_are_prose_of_5_to_50_tokens_that_opens_no_paragraph(nlp):
    long = " ".join(["word"] * 50)
    sections = [
        Section("Course", 2, ["Short. The wide river floods.", f"{long}. {long}. Too short."]),
        Section("Use", 2, ["The king drank from it. 12:3, 4:5, 6:7, 8:9. His army drank too."]),
        Section("Fish", 2, ["The wide river has fish."]),
    ]
    found = other_sentences(Article("River", "", sections), nlp)
    assert found.texts() == ["The wide river floods.", "His army drank too."]
    assert (found.sections, found.paragraphs) == ([0, 1], [0, 0])


def test_boundaries_of_a_trained_pipeline_are_left_alone():
    nlp = spacy.blank("en")
    nlp.add_pipe("senter")
    nlp.initialize()
    nlp.add_pipe("sentencizer", config={"overwrite": True})
    paragraph = "The area was made a province through Act No. 42 of 1901."
    article = Article("Area", "test", [Section("History", 2, [paragraph])])
    assert all_sentences(article, nlp).texts()[0].endswith("No.")


def test_an_overlong_paragraph_gives_its_beginning(nlp):
    article = Article("River", "", [Section("Course", 2, ["The wide river floods. " * 60_000])])
    found = all_sentences(article, nlp).texts()
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
    assert all_sentences(article, nlp).texts() == [sentence, "«Nota» Alfa beta."]
