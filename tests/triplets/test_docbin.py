import pytest
import spacy
from spacy.tokens import Doc

from spacy_thematic.triplets.docbin import (
    SENTENCES,
    TITLES,
    TRIPLETS,
    find_shards,
    get_rows,
    get_triplets,
    read_shards,
    write_shard,
)
from tests.conftest import article_doc, make_article


def test_an_article_survives_a_shard(nlp, tmp_path):
    doc = article_doc(make_article(1), nlp)
    write_shard([doc], tmp_path / "train" / "00000.spacy")
    (read,) = read_shards(tmp_path, spacy.blank("en").vocab)
    assert read.text == doc.text
    for key in (SENTENCES, TITLES):
        assert [(s.text, s.label_, s.id) for s in read.spans[key]] == [
            (s.text, s.label_, s.id) for s in doc.spans[key]
        ]
    assert read.spans[SENTENCES].attrs == doc.spans[SENTENCES].attrs
    assert read.spans[TRIPLETS].attrs == doc.spans[TRIPLETS].attrs
    assert [sent.text for sent in read.sents][:3] == [s.text for s in doc.spans[SENTENCES]][:3]


def test_rows_are_sentences_then_titles(nlp):
    article = make_article(2)
    doc = article_doc(article, nlp)
    rows = get_rows(doc)
    assert len(rows) == 20 + 5
    assert rows[0].text == article.sections[1].paragraphs[0]
    assert rows[0].label_ == article.sections[1].title
    assert rows[-1].text == f"Land 2 {article.sections[-1].title}"
    assert all(max(triplet) < 20 for triplet in get_triplets(doc))


def test_an_ordinary_doc_is_refused_with_advice(nlp):
    with pytest.raises(ValueError, match='no span group "sentences".*thematic corpus'):
        get_rows(nlp("Some text."))


def test_missing_and_empty_folders_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such file or folder"):
        find_shards(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError, match=r"no \.spacy file in it"):
        find_shards(tmp_path)


def test_a_damaged_shard_is_named(tmp_path, nlp):
    shard = tmp_path / "00000.spacy"
    write_shard([Doc(nlp.vocab, words=["a"])], shard)
    shard.write_bytes(shard.read_bytes()[:-20])
    with pytest.raises(ValueError, match="00000.spacy is not a readable DocBin"):
        list(read_shards(tmp_path, nlp.vocab))
