import pytest
import spacy

import spacy_thematic

STORY = 'He slept. "Aunt," I said, "it is nine." She did not answer Dr. Lee.\n\nThe end\n\n'


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_sentencizer")
    return nlp


def split(nlp, text):
    return [sentence.text.strip() for sentence in nlp(text).sents]


def test_quotation_marks_open_sentences_and_blank_lines_end_them(nlp):
    assert split(nlp, STORY) == [
        "He slept.",
        '"Aunt," I said, "it is nine."',
        "She did not answer Dr. Lee.",
        "The end",
    ]


def test_no_sentence_begins_with_space(nlp):
    doc = nlp("The river rises.\n\nIt floods. \n It ends.")
    assert [sentence.text[0] for sentence in doc.sents] == ["T", "I", "I"]


def test_what_was_set_before_stays(nlp):
    doc = nlp.make_doc('The river. It floods the "valley. Then" it ends.')
    doc[2].is_sent_start = True
    doc[3].is_sent_start = False
    assert [sentence.start for sentence in nlp(doc).sents][:2] == [0, 2]


@pytest.mark.parametrize("text", ["", " ", "\n\n", ".", "\n\n.", '"', "a\n\n\n", "。。"])
def test_any_text_has_sentences(nlp, text):
    doc = nlp(text)
    assert [token.i for sentence in doc.sents for token in sentence] == list(range(len(doc)))


def test_it_is_saved_and_loaded(tmp_path):
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_sentencizer", config={"punct_chars": ["|"]})
    nlp.to_disk(tmp_path)
    assert split(spacy.load(tmp_path), "The river | It floods. Then") == [
        "The river |",
        "It floods. Then",
    ]


def test_bundled_models_come_with_it():
    nlp = spacy_thematic.load("en_thematic_sm")
    assert nlp.pipe_names[:2] == ["thematic_layout", "thematic_sentencizer"]
    assert len(nlp(STORY).spans["thematic_sentences"]) == 4
