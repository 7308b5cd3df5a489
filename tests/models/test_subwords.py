import numpy as np
import pytest
import spacy
from spacy.tokens import Doc
from thinc.api import NumpyOps

from spacy_thematic.models.spans import make_doc_spans
from spacy_thematic.models.tables import open_table, quantize_rows, take_rows
from spacy_thematic.models.word_pieces import (
    WordPieces,
    build_word_piece_vectors,
    split_punctuation,
)
from spacy_thematic.models.word_tables import build_learned_vectors, hash_subwords, set_vocabulary

PIECES = ["[UNK]", "river", "un", "##known", "##s", "n", "'", "t", "ecole", "a", "##a"]


@pytest.mark.parametrize(
    "word, expected",
    [
        ("river", ["river"]),
        ("Rivers", ["river", "##s"]),
        ("unknown", ["un", "##known"]),
        ("n't", ["n", "t"]),
        ("École", ["ecole"]),
        ("zzz", ["[UNK]"]),
        ("rivers-zzz", ["river", "##s", "[UNK]"]),
        ("\u200b", []),
        ("The", []),
        ("of-river", ["river"]),
        ("$", ["[UNK]"]),
        ("a" * 1000, ["a", "##a", "##a", "##a"]),
    ],
)
def test_words_are_cut_into_the_longest_pieces(word, expected):
    rows = WordPieces(PIECES, max_pieces=4)(word)
    assert [PIECES[row] for row in rows] == expected


def test_punctuation_stands_alone():
    assert split_punctuation("U.S.-led") == ["u", ".", "s", ".", "-", "led"]
    assert split_punctuation("日本") == ["日", "本"]


def test_vectors_of_pieces_belong_to_their_sentences():
    nlp = spacy.blank("en")
    doc = nlp("rivers river unknown")
    model = build_word_piece_vectors(width=3)
    model.attrs["pieces"] = PIECES
    table = np.arange(len(PIECES) * 3, dtype="f").reshape(-1, 3)
    model.set_param("E", table)
    inputs = make_doc_spans(NumpyOps(), [doc], [[doc[0:1], doc[1:1], doc[1:3]]])
    vectors = model.predict(inputs)
    assert vectors.lengths.tolist() == [2, 0, 3]
    assert np.array_equal(vectors.dataXd, table[[1, 4, 1, 2, 3]])


def test_a_whole_span_has_its_punctuation_between_marks():
    pieces = ["[CLS]", "[SEP]", "[UNK]", ",", "the", "river", "bank", "##s"]
    model = build_word_piece_vectors(width=1, whole=True)
    model.attrs["pieces"] = pieces
    model.set_param("E", np.arange(len(pieces), dtype="f")[:, None])
    docs = [
        Doc(spacy.blank("en").vocab, words=["The", "banks", ",", "river", " "]),
        Doc(spacy.blank("en").vocab, words=[" "]),
        Doc(spacy.blank("en").vocab, words=["river"]),
    ]
    found = []
    for doc in docs:
        inputs = make_doc_spans(NumpyOps(), [doc], [[doc[:]]])
        found.append(model.predict(inputs))
    assert [rows.dataXd.ravel().tolist() for rows in found] == [
        [0, 4, 6, 7, 3, 5, 1], [], [0, 5, 1],
    ]  # fmt: skip
    assert [rows.lengths.tolist() for rows in found] == [[7], [0], [3]]


def test_unknown_words_share_the_rows_of_their_parts():
    rows = hash_subwords(["hydrology", "hydrologist", "geology"], 4096)
    assert rows.shape == (3, 4)
    assert (rows[:, 0] < 1024).all() and (rows[:, 1:] >= 1024).all() and (rows < 4096).all()
    assert (rows[0, 1:3] == rows[1, 1:3]).all()  # hydr, hydrol
    assert rows[0, 3] == rows[2, 3]  # logy
    assert rows[0, 0] != rows[1, 0]
    assert (hash_subwords(["a", "b"], 1) == 0).all()


def test_similar_unknown_words_are_similar():
    nlp = spacy.blank("en")
    doc = nlp("hydrology hydrologist geology known")
    model = build_learned_vectors(width=50, min_count=1, unknown_rows=400)
    known = np.asarray([doc[3].lower], dtype="uint64")
    set_vocabulary(model, nlp.vocab, known, np.asarray([5]))
    vectors = model.predict(make_doc_spans(NumpyOps(), [doc], [[doc[:]]])).dataXd
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    assert unit[0] @ unit[1] > 0.3 > abs(unit[0] @ unit[3])
    assert unit[0] @ unit[2] > 0.1


def test_rows_are_rounded_by_at_most_half_a_step():
    table = np.random.default_rng(0).standard_normal((50, 8)).astype("f")
    table[7] = 0
    rows, scales = quantize_rows(table)
    assert rows.dtype == np.int8
    assert (np.abs(rows * scales[:, None] - table) <= scales[:, None] * 0.5001).all()


def test_quantized_rows_become_trainable_without_a_change():
    model = build_learned_vectors(width=8, unknown_rows=10)
    floats = np.random.default_rng(0).standard_normal((50, 8)).astype("f")
    rows, model.attrs["scales"] = quantize_rows(floats)
    model.set_param("E", rows)
    before = take_rows(model, np.arange(50))
    open_table(model, is_train=True)
    assert model.get_param("E").dtype == np.float32
    assert np.array_equal(take_rows(model, np.arange(50)), before)


def test_a_table_without_shared_rows_is_refused():
    with pytest.raises(ValueError, match="unknown_rows is 0"):
        build_learned_vectors(unknown_rows=0)
