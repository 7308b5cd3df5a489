"""The golden rules of sentence boundaries in English, of the Pragmatic Segmenter and pySBD
(https://github.com/nipunsadvilkar/pySBD), each by a fact of our own; "|" is where one ends."""

import pytest
import spacy

from spacy_thematic.pipeline.texts import NamedText, make_doc
from spacy_thematic.sentences.mending import mended_sentences

RULES = {
    "full stop": "The river rises. | It floods the valley.",
    "question mark": "Where does it rise? | It rises here.",
    "exclamation mark": "It floods! | The valley is wet.",
    "initial of a name": "It was found by Ann E. Lee.",
    "page": "The map is on p. 55.",
    "company in a sentence": "Were Ann and co. at the sea?",
    "company with &": "They sold it to Lee, Ann & Co. at noon.",
    "company at the end": "He asked Ann and co. | They knew the way.",
    "company with & at the end": "They sold it to Lee & Co. | It closed in May.",
    "mountain": "One sees Mt. Ararat from here.",
    "title in a possessive": "This is Lee Jr.'s map.",
    "country at the end of letters": "She saw the U.S.A. last year.",
    "union and question": "I live in the E.U. | How about you?",
    "country and question": "I live in the U.S. | How about you?",
    "country and noun": "I work for the U.S. Government in Ohio.",
    "country and number": "I have lived in the U.S. for 20 years.",
    "price": "The map costs $10.50 in town.",
    "price at the end": "The map costs $10.50. | It is old.",
    "sentence in brackets": "He teaches (He was a smith before.) at a school.",
    "address of mail": "Write to ann.lee@example.org. | She will answer.",
    "address of a page": "It is at https://www.example.50.com/a/b_c.html. | Read it.",
    "single quotation marks": "She said, 'This is a river.' she said.",
    "double quotation marks": 'She said, "This is a river." she said.',
    "quotation at the end": 'She said, "This is a river." | She pointed at it.',
    "two exclamation marks": "Hello!! | The river rises.",
    "two question marks": "Hello?? | Who is there?",
    "exclamation and question": "Hello!? | Is it you?",
    "question and exclamation": "Hello?! | Is it you?",
    "number in bracket and stop": "1.) The first river.",
    "numbered item": "1. The first river.",
    "numbered item with a bullet": "• 9. The first river",
    "numbered item with a hyphen bullet": "⁃9. The first river",
    "number sign": "It stands under N°. 1026.253. | There it is.",
    "name with an exclamation mark": "She works at Yahoo! in the town.",
    "pronoun and initial": "We are a team, you and I. | Did you see Ann I. Lee?",
    "dots in a quotation": "He said that “the laws will seem less complex. . . .”",
    "dots in square brackets": '"Bohr [...] used the stairs [...]" (Lee 55).',
    "four dots and a stop": "It ends with a period . . . . | The next one follows.",
    "four dots": "I never meant that.... | She left the town.",
    "sentences as items in one line": "1. The river rises. | 2. The valley floods.",
    "items in one line, with brackets and stops": "1.) The first river | 2.) The second river",
    "items in one line, with brackets": "1) The first river | 2) The second river",
    "items in one line": "1. The first river | 2. The second river",
    "items in one line, with bullets": "• 9. The first river | • 10. The second river",
    "items in one line, with letters": "a. The first river | b. The second river",
    # What stood in texts of ours.
    "footnote": "The delta lies north.[1] | It floods.",
    "footnotes": "It is “long.”[2][note 3] | “It floods” he said.",
    "citation needed": "It floods.[citation needed] | The town lies below.",
    "footnote after a space": "The delta lies north. [1] | It floods.",
    "footnote within": "It floods[1] the valley, i.e.[2] the town.",
    "authors": "It was found by Lee et al. in 1990. | The cave is deep.",
    "authors and year": "It is said by Lee et al. (1990) and Lee et al. [4] too.",
    "figure": "As Fig. 2 and Eq. 7 show, it rises.",
    "Roman numerals": "It is in Vol. I, p. 4, Chap. XII. | It says so in Pt. II of it.",
    "no and I": "Is it in Vol. 2? | No. | I saw it.",
    "emoji": "It floods! 😀😀 | The town is wet.❤️ | It dries. 😀",
    "emoji within": "It floods 😀 here. | The 😀 town is wet.",
    "street": "St. Ann's is on 5th st. near the light.",
    "article of a law": "The law says so in Art. 5 Abs. 2 of it.",
    "degree": "She holds a Psy.D. from the college. | He holds a Ph.D. too.",
    "three dots": "He waited... | Then he left.",
    "a sign of three dots": "He waited… | Then he left.",
    "reference in brackets": "He was amazed [Pro 24. 9]: they are patient. | So he said.",
    "spaced dots": "Those who are . . .as we say . . . | The door closed.",
    "number after a name": "Ann Lee: 2. We moved to town. | It was cold.",
    "three dots and on": "He waited… then he left... I think.",
}
# Rare: see benchmarks/results/reading.md.
UNMET = {
    "time and title": "At 5 a.m. Mr. Lee left. | He was back at 6 P.M. | Mr. Lee then slept.",
    "spaced dots before I": "What I see . . . what I say is . . . I did not mean it.",
    "spaced dots begin a sentence": "It was left. | . . . The habit was kept. . . .",
    "figure with a letter": "It is in Fig. A of the book.",
}


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    return nlp


@pytest.mark.parametrize(
    "text",
    [
        *(pytest.param(text, id=rule) for rule, text in RULES.items()),
        *(
            pytest.param(text, id=rule, marks=pytest.mark.xfail(strict=True))
            for rule, text in UNMET.items()
        ),
    ],
)
def test_rules(nlp, text):
    sentences = text.split(" | ")
    found = mended_sentences(nlp(" ".join(sentences)))
    assert [sentence.text for sentence in found] == sentences


def test_articles_of_laws_in_german():
    nlp = spacy.blank("de")
    nlp.add_pipe("sentencizer")
    text = "Das steht in Art. 5 Abs. 2 und auf Abb. 3 von Bd. 4."
    assert [sentence.text for sentence in mended_sentences(nlp(text))] == [text]


@pytest.mark.parametrize("language", ["en", "xx", "zh", "ja"])
def test_sentences_that_no_space_divides(language):
    pytest.importorskip("sudachipy") if language == "ja" else None
    nlp = spacy.blank(language)
    nlp.add_pipe("thematic_sentencizer")
    sentences = ["河流很长。", "它流过山谷！」", "是吗？"]
    doc = nlp(make_doc(nlp, NamedText("a", ["".join(sentences)])))
    assert [sentence.text for sentence in doc.sents] == sentences
