"""The faces against the packages that they are for, where these are installed."""

import copy
import importlib
import pickle
import subprocess
import sys

import pytest

import spacy_thematic

TEXT = "# Guide\n\n## Rivers\n\n" + "The river rises in the mountains. " * 9
TEXT += "\n\n## Kings\n\n" + "The king fought a war. " * 40
EXPECTED = spacy_thematic.chunk(TEXT, 70)
SETTINGS = {"max_tokens": 70}


def n_words(text):
    return len(text.split())


def test_the_core_imports_no_face():
    code = (
        "import sys, spacy_thematic; spacy_thematic.chunk('A text.'); "
        "print({name.split('.')[0] for name in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not any(name in done.stdout for name in ("langchain", "llama_index", "haystack"))


def test_langchain():
    pytest.importorskip("langchain_text_splitters")
    from langchain_core.documents import Document
    from langchain_text_splitters import TextSplitter

    from spacy_thematic.chunking.langchain import ThematicTextSplitter

    splitter = ThematicTextSplitter(**SETTINGS, add_start_index=True)
    assert isinstance(splitter, TextSplitter)
    assert splitter.split_text(TEXT) == [chunk.text for chunk in EXPECTED]
    made = splitter.split_documents([Document(TEXT, metadata={"source": "a"})])
    assert made == splitter.transform_documents([Document(TEXT, metadata={"source": "a"})])
    for document, chunk in zip(made, EXPECTED, strict=True):
        assert document.page_content == chunk.text
        place = {"heading": chunk.heading, "path": chunk.path, "start_index": chunk.start}
        assert document.metadata == {"source": "a", **place}
    words = ThematicTextSplitter(12, n_words).create_documents([TEXT])
    assert max(n_words(document.page_content) for document in words) <= 12
    assert "start_index" not in words[0].metadata
    assert splitter.create_documents([" \n", "A.", ""]) == splitter.create_documents(["A."])

    class Tokenizer:
        encode = staticmethod(str.split)

    made = ThematicTextSplitter.from_huggingface_tokenizer(
        Tokenizer(), chunk_size=40, chunk_overlap=10
    )
    expected = spacy_thematic.chunk(TEXT, 40, n_words, overlap=10)
    assert made.split_text(TEXT) == [chunk.text for chunk in expected]


def test_settings_of_langchain_are_described_in_tokens_and_unknown_ones_are_an_error():
    pytest.importorskip("langchain_text_splitters")
    from spacy_thematic.chunking.langchain import ThematicTextSplitter

    shown = ThematicTextSplitter.__init__.__doc__
    assert "tokens of the sentences before" in shown
    assert "length_function" not in shown
    with pytest.raises(TypeError, match="no setting length_function: give .* as tokenizer="):
        ThematicTextSplitter(length_function=n_words)
    with pytest.raises(TypeError, match=r"no setting separators\."):
        ThematicTextSplitter(separators=[])


def test_llama_index():
    pytest.importorskip("llama_index.core")
    from llama_index.core.ingestion import IngestionPipeline
    from llama_index.core.node_parser import NodeParser
    from llama_index.core.schema import Document, MetadataMode, NodeRelationship

    from spacy_thematic.chunking.llama_index import ThematicNodeParser

    parser = ThematicNodeParser(**SETTINGS)
    assert isinstance(parser, NodeParser)
    document = Document(
        text=TEXT, metadata={"source": "a"}, excluded_embed_metadata_keys=["source"]
    )
    for nodes in (
        parser.get_nodes_from_documents([document]),
        IngestionPipeline(transformations=[parser]).run(documents=[document]),
    ):
        for node, chunk in zip(nodes, EXPECTED, strict=True):
            assert node.text == chunk.text
            assert (node.start_char_idx, node.end_char_idx) == (chunk.start, chunk.end)
            place = {"heading": chunk.heading, "path": " > ".join(chunk.path)}
            assert "path" not in node.get_content(MetadataMode.EMBED)
            assert node.metadata == {"source": "a", **place}
            assert node.ref_doc_id == document.doc_id
        following = nodes[0].relationships[NodeRelationship.NEXT]
        assert following.node_id == nodes[1].node_id
    assert parser.to_dict()["max_tokens"] == 70
    words = ThematicNodeParser(max_tokens=12, tokenizer=n_words)
    assert max(n_words(node.text) for node in words([document])) <= 12
    own = Document(text=TEXT, metadata={"source": "a b c d"})
    embedded = [n_words(node.get_content(MetadataMode.EMBED)) for node in words([own])]
    assert 6 < max(embedded) <= 12
    assert words([Document(text=" \n")]) == []
    with pytest.raises(ValueError, match="has 13 tokens, which leaves no room"):
        words([Document(text=TEXT, metadata={"source": "a " * 12})])


def test_the_cache_of_llama_index_tells_tokenizers_and_models_apart():
    pytest.importorskip("llama_index.core")
    tokenizers = pytest.importorskip("tokenizers")
    from llama_index.core.ingestion.pipeline import get_transformation_hash
    from llama_index.core.schema import Document

    from spacy_thematic.chunking.llama_index import ThematicNodeParser

    def digest(**settings):
        parser = ThematicNodeParser(**settings)
        return get_transformation_hash([Document(text=TEXT)], parser)

    def make_tokenizer(word):
        return tokenizers.Tokenizer(tokenizers.models.WordLevel({word: 0}, unk_token=word))

    class Counter:
        def encode(self, text):
            return text.split()

    nlp = spacy_thematic.load("en_thematic_sm")
    known = [
        {},
        {"model": "en_thematic_md"},
        {"tokenizer": n_words},
        {"tokenizer": len},
        {"tokenizer": make_tokenizer("a")},
        {"tokenizer": make_tokenizer("b")},
    ]
    assert len({digest(**settings) for settings in known}) == len(known)
    assert [digest(**settings) for settings in known] == [digest(**settings) for settings in known]
    assert digest(tokenizer=make_tokenizer("a")) == digest(tokenizer=make_tokenizer("a"))
    for settings in (
        {"tokenizer": Counter()},
        {"tokenizer": Counter().encode},
        {"tokenizer": lambda text: len(text)},
        {"model": nlp},
    ):
        assert digest(**settings) != digest(**settings)
        parser = ThematicNodeParser(**settings)
        assert parser.to_json() == parser.to_json()


def test_settings_of_llama_index_have_the_names_of_its_own_parsers_and_no_others():
    pytest.importorskip("llama_index.core")
    from spacy_thematic.chunking.llama_index import ThematicNodeParser

    made = ThematicNodeParser.from_defaults(
        chunk_size=70, chunk_overlap=5, tokenizer=None, callback_manager=None
    )
    assert (made.max_tokens, made.overlap) == (70, 5)
    again = ThematicNodeParser.from_json(made.to_json(), id_func=made.id_func)
    assert again.to_dict() == made.to_dict()
    counted = ThematicNodeParser(max_tokens=40, tokenizer=n_words).to_dict()
    again = ThematicNodeParser.from_dict(counted, tokenizer=n_words, id_func=made.id_func)
    assert again._chunker(TEXT) == spacy_thematic.chunk(TEXT, 40, n_words)
    with pytest.raises(ValueError, match="max_token\n.*Extra inputs are not permitted"):
        ThematicNodeParser(max_token=70)


def test_haystack():
    pytest.importorskip("haystack")
    from haystack import Document, Pipeline

    from spacy_thematic.chunking.haystack import ThematicDocumentSplitter

    pipeline = Pipeline()
    pipeline.add_component("splitter", ThematicDocumentSplitter(**SETTINGS))
    document = Document(content=TEXT, meta={"source": "a"})
    trusted = {"allowed_modules": [ThematicDocumentSplitter.__module__]}
    for runner in (pipeline, Pipeline.loads(pipeline.dumps(), **trusted)):
        made = runner.run({"splitter": {"documents": [document]}})["splitter"]["documents"]
        for number, (part, chunk) in enumerate(zip(made, EXPECTED, strict=True)):
            assert part.content == chunk.text
            place = {"heading": chunk.heading, "path": chunk.path, "split_idx_start": chunk.start}
            origin = {"source": "a", "source_id": document.id, "split_id": number}
            origin["page_number"] = 1
            assert part.meta == {**origin, **place}
    words = ThematicDocumentSplitter(12, n_words)
    assert words.to_dict()["init_parameters"]["tokenizer"] == f"{__name__}.n_words"
    assert max(n_words(part.content) for part in words.run([document])["documents"]) <= 12
    paged = Document(content="The river floods.\n\f\nThe king fought.\n", meta={"heading": "Mine"})
    made = ThematicDocumentSplitter(4, n_words, 0).run([paged])["documents"]
    assert [part.meta["page_number"] for part in made] == [1, 2]
    assert made[0].meta["heading"] == "Mine"
    with pytest.raises(ValueError, match="has no content"):
        words.run([Document(meta={"source": "a"})])


@pytest.mark.parametrize("tokenizer", [None, n_words])
@pytest.mark.parametrize(
    ("name", "face"),
    [
        ("langchain", "ThematicTextSplitter"),
        ("llama_index", "ThematicNodeParser"),
        ("haystack", "ThematicDocumentSplitter"),
    ],
)
def test_a_copied_or_pickled_face_cuts_as_the_first(name, face, tokenizer):
    package = {"langchain": "langchain_text_splitters", "llama_index": "llama_index.core"}
    pytest.importorskip(package.get(name, name))
    module = importlib.import_module(f"spacy_thematic.chunking.{name}")
    made = getattr(module, face)(max_tokens=40, tokenizer=tokenizer)
    for splitter in (copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        cut = splitter._chunker(TEXT)
        assert cut == spacy_thematic.chunk(TEXT, 40, tokenizer)


@pytest.mark.parametrize("name", ["langchain", "llama_index", "haystack"])
def test_a_missing_package_is_named_with_its_extra(name):
    module = {"langchain": "langchain_core.documents", "llama_index": "llama_index.core"}
    code = (
        f"import sys; sys.modules[{module.get(name, name)!r}] = None; "
        f"import spacy_thematic.chunking.{name}"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"spacy-thematic[{name.replace('_', '-')}]" in done.stderr
