"""Messages that are not asked for beside what they are about: what was found, what was expected,
and what to do."""

import importlib
import sys

import pytest
import spacy
import srsly

import spacy_thematic
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.articles.sources import SourceError
from spacy_thematic.chunking.counting import TokenCounter
from spacy_thematic.pipeline.texts import NamedText, make_doc
from spacy_thematic.segmentation.settings import SegmentSettings
from tests.cli.conftest import run

CSV = "Article Title,Sentence,SectionTitle,Article Link\n"


class Truncating:
    """A tokenizer as those of `tokenizers`, set to truncate."""

    def __init__(self):
        self.truncation = {"max_length": 512}

    def encode(self, text):
        return text.split()


def call(function, *args, **kwargs):
    return lambda: function(*args, **kwargs)


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        (
            call(spacy_thematic.chunk, "A text.", 20, markup="rtf"),
            "Expected markup to be one of .*'markdown'.*, found 'rtf'",
        ),
        (
            call(spacy_thematic.chunk, "A text.", 3, tokenizer=lambda text: 9 * len(text)),
            "The character 'A' alone has more than max_tokens .* give a larger max_tokens",
        ),
        (
            call(TokenCounter, Truncating()),
            "is set to truncation, .*512.* call its no_truncation\\(\\) first",
        ),
        (
            call(SegmentSettings, unit="words"),
            "Expected unit to be one of .*'sentences'.*, found 'words'",
        ),
        (
            call(make_doc, spacy.blank("en"), NamedText("a.txt", ["x" * 1_000_001])),
            '"a.txt" has 1,000,001 characters, more than the 1,000,000 .*: split it',
        ),
    ],
)
def test_a_mistake_in_python(mistake, message):
    with pytest.raises(ValueError, match=message):
        mistake()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.jsonl", "", "is empty: expected articles"),
        ("a.jsonl", '{"title": "T", "sections": [3]}', "valid dictionary .*, found 3"),
        (
            "a.jsonl",
            '{"title": "T", "sections": [{"title": "S", "paragraphs": [3]}]}',
            '"sections.0.paragraphs.0": .* valid string, found 3',
        ),
        ("a.jsonl", '{"sections": []}', '"title": Field required'),
        ("a.jsonl", '{"title": 3, "sections": []}', '"title": .* valid string, found 3'),
        ("a.csv", f"{CSV}T,a\0b,S,L\n", "a NUL character"),
    ],
)
def test_a_mistake_in_articles(tmp_path, name, content, message):
    (tmp_path / name).write_text(content)
    with pytest.raises(SourceError, match=message):
        list(read_articles(tmp_path / name))


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("haystack", "haystack-ai", "haystack"),
        ("langchain", "langchain-text-splitters", "langchain"),
        ("llama_index", "llama-index-core", "llama-index"),
    ],
)
def test_a_face_names_the_package_that_it_needs(monkeypatch, module, package, extra):
    for name in ("haystack", "langchain_core", "langchain_text_splitters", "llama_index"):
        monkeypatch.setitem(sys.modules, name, None)
    name = f"spacy_thematic.chunking.{module}"
    monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(ImportError, match=rf'needs {package}: pip install ".*\[{extra}\]"'):
        importlib.import_module(name)


def test_themes_that_are_given_are_not_looked_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("The river floods.")
    output = run("cluster", "a.txt", "--themes", "themes", "--k", "3", status=1)
    assert "themes that already exist and have names: leave out" in output
    output = run("cluster", "a.txt", "--themes", "themes", "--update", "--explain", status=1)
    assert "there are no scores for their number: leave out --explain" in output


@pytest.mark.parametrize(
    ("settings", "message"),
    [([1], "Expected settings by their names, found"), ({"x": 1}, "Expected settings of .*'x'")],
)
def test_settings_that_a_component_does_not_have(tmp_path, settings, message):
    nlp = spacy_thematic.load("en_thematic_sm")
    nlp.to_disk(tmp_path)
    srsly.write_json(tmp_path / "thematic_clusterer/settings.json", settings)
    with pytest.raises(ValueError, match=message):
        spacy.load(tmp_path)
