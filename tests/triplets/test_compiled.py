from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc, SpanGroup
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import NumpyOps

from spacy_thematic.pipeline.batching import Forms, make_batch, make_targets
from spacy_thematic.triplets import compiled, corpus_builder
from spacy_thematic.triplets.compiled import (
    CompiledCorpus,
    compile_docs,
    compile_shards,
    compile_temporarily,
    join_compiled,
    open_compiled,
)
from spacy_thematic.triplets.corpus import create_triplet_corpus
from spacy_thematic.triplets.corpus_builder import build_corpus
from spacy_thematic.triplets.docbin import OTHERS, SENTENCES, write_shard
from spacy_thematic.triplets.rules import CorpusSettings
from tests.conftest import article_doc, make_article


@pytest.fixture(scope="module")
def docs(articles, nlp):
    return [article_doc(article, nlp) for article in articles]


@pytest.fixture(scope="module")
def corpus(docs):
    return compile_temporarily(docs)


def test_articles_come_with_their_sources(docs, corpus):
    (numbers,) = corpus.read_columns("sources")
    sources = [doc.spans[SENTENCES].attrs["source"] for doc in docs]
    assert [corpus.sources[number] for number in numbers] == sources


def texts_of(corpus: CompiledCorpus, batch) -> list[str]:
    ends = np.cumsum(batch.lengths)
    words = [corpus.forms[word] for word in batch.words]
    return [" ".join(words[e - n : e]) for n, e in zip(batch.lengths, ends)]


def rows_of(docs) -> list[str]:
    return [" ".join(t.text for t in span) for doc in docs for span in doc.spans[SENTENCES]]


def test_articles_come_back_in_any_order(docs, corpus):
    numbers = [7, 0, 11, 3]
    batch = corpus.take(numbers)
    chosen = [docs[number] for number in numbers]
    assert texts_of(corpus, batch) == rows_of(chosen)
    examples = [Example(doc.copy(), doc) for doc in chosen]
    _, expected = make_batch(NumpyOps(), examples)
    found = make_targets(NumpyOps(), batch.triplets, batch.sections, batch.articles)
    assert np.array_equal(found.triplets, expected.triplets)
    assert np.array_equal(found.articles, expected.articles)
    same = expected.sections[:, None] == expected.sections
    assert np.array_equal(found.sections[:, None] == found.sections, same)
    assert corpus.sizes[numbers].tolist() == [len(doc) for doc in chosen]


def test_rows_that_no_triplet_names_can_be_left_out(corpus):
    batch = corpus.take(range(len(corpus)))
    batch = batch._replace(triplets=batch.triplets[::7])
    chosen = batch.select(batch.is_in_triplet)
    assert len(chosen.lengths) == len(np.unique(batch.triplets)) < len(batch.lengths)
    assert len(chosen.triplets) == len(batch.triplets)
    texts, every = texts_of(corpus, chosen), texts_of(corpus, batch)
    for found, expected in zip(chosen.triplets.ravel(), batch.triplets.ravel()):
        assert texts[found] == every[expected]


def test_a_limit_draws_articles_from_all(tmp_path, docs, nlp):
    (tmp_path / "train").mkdir()
    write_shard(docs, tmp_path / "train" / "000000.spacy")
    reader = create_triplet_corpus(tmp_path / "train", limit=4)
    _, numbers = reader(nlp).compile()
    assert len(numbers) == 4 and numbers == sorted(numbers) and max(numbers) > 3
    titles = [e.reference.spans[SENTENCES].attrs["title"] for e in reader(nlp)]
    assert titles == [docs[number].spans[SENTENCES].attrs["title"] for number in numbers]
    assert reader(nlp).compile()[1] == numbers


def test_encoders_read_the_same_words_as_in_the_docs(docs, corpus, nlp):
    batch = corpus.take(range(len(docs)))
    ops = NumpyOps()
    found = Forms(corpus.forms, nlp.vocab).to_doc_spans(ops, batch.words, batch.lengths)
    expected, _ = make_batch(ops, [Example(doc.copy(), doc) for doc in docs])
    for ours, theirs in zip(found.words, expected.words):
        assert np.array_equal(ours, theirs)
    (doc,), spans = found.docs
    first, last = spans.dataXd[0], spans.dataXd[-1]
    assert doc[first[0] : first[1]].text == " ".join(t.text for t in docs[0].spans[SENTENCES][0])
    assert last[1] == len(doc)


def test_white_space_is_no_word(nlp):
    forms = Forms(["Rain", " \n", "falls"], nlp.vocab)
    spans = forms.to_doc_spans(NumpyOps(), np.array([0, 1, 2, 1, 2]), np.array([3, 1, 1]))
    assert spans.words.lengths.tolist() == [2, 0, 1]
    assert [nlp.vocab.strings[word] for word in spans.words.lower] == ["rain", "falls", "falls"]


def test_other_sentences_are_rows_behind_the_rest_and_can_be_left_out(articles, nlp):
    doc = article_doc(articles[0], nlp)
    words = [token.text for token in doc]
    longer = Doc(doc.vocab, words=[*words, "It", "rains", "a", "lot", "."])
    for key in doc.spans:
        group = doc.spans[key]
        spans = [
            longer[span.start : span.end]
            if not span.id
            else spacy.tokens.Span(longer, span.start, span.end, span_id=span.id)
            for span in group
        ]
        longer.spans[key] = SpanGroup(longer, name=key, spans=spans, attrs=dict(group.attrs))
    other = spacy.tokens.Span(longer, len(words), len(words) + 5, span_id=2)
    longer.spans[OTHERS] = SpanGroup(longer, name=OTHERS, spans=[other], attrs={"paragraphs": [1]})
    corpus = compile_temporarily([longer])
    batch = corpus.take([0])
    assert texts_of(corpus, batch)[-1] == "It rains a lot ."
    assert batch.is_other.tolist() == [False] * (len(batch.lengths) - 1) + [True]
    openers = batch.select(~batch.is_other)
    assert np.array_equal(openers.triplets, batch.triplets)
    counts = corpus.count_words([0])
    assert counts[corpus.forms.index("rains")] == 0
    assert corpus.count_words([0], others=True)[corpus.forms.index("rains")] == 1


def test_rows_are_read_in_any_order(docs, corpus):
    rows = np.array([0, 1, 5, 130, 131, 3, 4, 4])
    rows = rows[rows < corpus.n_rows]
    words, _, lengths = corpus.read_rows(rows)
    texts = rows_of(docs)
    ends = np.cumsum(lengths)
    words = [corpus.forms[word] for word in words]
    assert [" ".join(words[e - n : e]) for n, e in zip(lengths, ends)] == [texts[r] for r in rows]


def test_a_compiled_folder_is_used_only_for_its_own_shards(docs, tmp_path, nlp):
    write_shard(docs, tmp_path / "0.spacy")
    compile_shards(tmp_path, nlp.vocab)
    assert open_compiled(tmp_path, nlp.vocab).folder == tmp_path / compiled.FOLDER
    write_shard(docs[:5], tmp_path / "0.spacy")
    other = open_compiled(tmp_path, nlp.vocab)
    assert other.folder != tmp_path / compiled.FOLDER
    assert len(other) == 5
    folder = other.folder
    del other
    assert not folder.exists()


def test_the_same_docs_give_the_same_bytes(docs, tmp_path):
    for name in ("first", "second"):
        compile_docs(docs, tmp_path / name)
    files = sorted(path.name for path in (tmp_path / "first").iterdir())
    for name in files:
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()
    keys = {CompiledCorpus(tmp_path / name).key for name in ("first", "second")}
    compile_docs(docs[1:], tmp_path / "third")
    assert len(keys | {CompiledCorpus(tmp_path / "third").key}) == 2


def read_folder(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_compiled_shards_that_are_joined_are_as_if_compiled_at_once(docs, nlp, tmp_path):
    parts = []
    for number, own in enumerate((docs[:4], docs[4:5], docs[5:])):
        write_shard(own, tmp_path / f"{number}.spacy")
        compile_docs(own, tmp_path / "parts" / str(number))
        parts.append(tmp_path / "parts" / str(number))
    join_compiled(parts, tmp_path)
    joined = read_folder(tmp_path / compiled.FOLDER)
    compile_shards(tmp_path, nlp.vocab)
    assert joined == read_folder(tmp_path / compiled.FOLDER)


@pytest.mark.parametrize(
    "kind, sentences", [("sen", "all"), ("rand-article", "openers"), ("titles", "openers")]
)
def test_a_corpus_is_built_with_its_compiled_form(tmp_path, kind, sentences):
    settings = CorpusSettings(kind, shard_size=10, shares=(60, 40, 0), sentences=sentences)
    articles = (make_article(number) for number in range(150))
    build_corpus(articles, tmp_path / "corpus", settings)
    for split in ("train", "dev"):
        folder = tmp_path / "corpus" / split
        assert len(list(folder.glob("*.spacy"))) > 5
        built = read_folder(folder / compiled.FOLDER)
        compile_shards(folder, Vocab())
        assert built == read_folder(folder / compiled.FOLDER)
    assert not (tmp_path / "corpus" / "blocks").exists()


def test_a_build_that_stops_while_it_joins_goes_on_there(tmp_path, monkeypatch):
    def build(name, **callbacks):
        articles = (make_article(number) for number in range(60))
        build_corpus(articles, tmp_path / name, CorpusSettings(shares=(60, 40, 0)), **callbacks)

    def stop(*_):
        raise OSError("no space")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="no space"):
        patch.setattr(corpus_builder, "join_compiled", stop)
        build("stopped")
    resumed = []
    build("stopped", on_resume=resumed.append)
    assert resumed == [60]
    build("whole")
    for split in ("train", "dev"):
        folders = [tmp_path / name / split / compiled.FOLDER for name in ("stopped", "whole")]
        assert read_folder(folders[0]) == read_folder(folders[1])
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
