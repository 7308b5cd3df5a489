"""Files of every kind that is loaded, damaged in many ways: each is read, or is an error that names
the file or its folder. Nothing runs code of a file."""

import bz2
import gzip
import lzma
import pickle
import random
import zipfile
import zlib

import numpy as np
import pytest
import srsly
from pyarrow import parquet

import spacy_thematic
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.clustering.corpus import CorpusThemes
from spacy_thematic.engines import LocalEngine
from spacy_thematic.models.vector_tables import load_word_vectors
from spacy_thematic.pipeline.exporting import export_encoder
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.scale.embedding import embed_files
from spacy_thematic.scale.store import SentenceStore, get_vectors, iter_blocks
from spacy_thematic.training.checkpoints import CHECKPOINT, load_checkpoint
from spacy_thematic.triplets.compiled import FOLDER, HEADER, compile_shards, open_compiled
from spacy_thematic.triplets.docbin import read_shards, write_shard
from tests.conftest import article_doc, make_article
from tests.pretrained.conftest import TEXT, restore

ARTICLES = [make_article(number) for number in range(12)]
TEXTS = [" ".join(text for s in one.sections for text in s.paragraphs) for one in ARTICLES]


class Bomb:
    """Unpickled, it makes a file."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return open, (self.path, "w")


def make_model(folder, nlp):
    export_encoder(restore("mean"), folder / "mine.safetensors")


def make_pipeline(folder, nlp):
    pipeline = restore("mean")
    for name in ("thematic_segmenter", "thematic_clusterer"):
        pipeline.add_pipe(name)
    pipeline.to_disk(folder)


def make_shards(folder, nlp):
    write_shard([article_doc(article, nlp) for article in ARTICLES], folder / "00000.spacy")


def make_themes(folder, nlp):
    make_model(folder, nlp)
    docs = list(spacy_thematic.load(folder / "mine.safetensors").pipe(TEXTS))
    (folder / "mine.safetensors").unlink()
    spacy_thematic.cluster_docs(docs, 3).save(folder)


def make_articles(folder, nlp):
    lines = "".join(srsly.json_dumps(article.to_dict()) + "\n" for article in ARTICLES).encode()
    pages = "".join(
        f"<page><title>{one.title}</title><ns>0</ns><revision><text>"
        + "".join(f"\n== {s.title} ==\n" + "\n\n".join(s.paragraphs) for s in one.sections[1:])
        + "</text></revision></page>"
        for one in ARTICLES
    )
    dump = f"<mediawiki>{pages}</mediawiki>".encode()
    for name, content in (("articles.jsonl", lines), ("dump.xml", dump)):
        for suffix, pack in (("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress)):
            (folder / f"{name}{suffix}").write_bytes(pack(content))
    (folder / "articles.jsonl.xz").write_bytes(lzma.compress(lines))


def make_vectors(folder, nlp):
    np.savez(folder / "v.npz", words=np.array(["river", "king", "sea"]), vectors=np.eye(3, 5))
    (folder / "v.txt").write_text("river 1 2 3\nking 3 4 5\n")
    (folder / "v.txt.bz2").write_bytes(bz2.compress((folder / "v.txt").read_bytes()))
    with zipfile.ZipFile(folder / "v.zip", "w") as archive:
        archive.write(folder / "v.txt", "v.txt")


def make_store(folder, nlp):
    make_model(folder, nlp)
    srsly.write_jsonl(folder / "texts.jsonl", [{"text": text} for text in TEXTS])
    with LocalEngine(1) as engine:
        paths = [folder / "texts.jsonl"]
        embed_files(paths, folder / "store", engine, model=str(folder / "mine.safetensors"))
    for name in ("texts.jsonl", "mine.safetensors"):
        (folder / name).unlink()


def make_checkpoint(folder, nlp):
    progress = {"step": 3, "best_score": 0.5}
    state = {"progress": progress, "weights": {"embedder": np.eye(9, dtype="f").tobytes()}}
    (folder / CHECKPOINT).write_bytes(srsly.msgpack_dumps(state))


def read_store(folder):
    store = SentenceStore.open(folder / "store")
    store.count("texts")
    for number in range(store.record.n_partitions):
        for block in iter_blocks(store.part(number), ["id", "text", "words", "vector"]):
            get_vectors(block)


# How files of a kind are made in a folder, and how one of them is read.
KINDS = {
    "model": (make_model, lambda file: load_pipeline(file)(TEXT)),
    "pipeline": (make_pipeline, None),
    "shards": (make_shards, lambda file: list(read_shards(file.parent, restore("mean").vocab))),
    "themes": (make_themes, lambda file: CorpusThemes.load(file.parent)),
    "articles": (make_articles, lambda file: list(read_articles(file))),
    "vectors": (make_vectors, load_word_vectors),
    "store": (make_store, lambda file: read_store(file.parents[1])),
    "checkpoint": (make_checkpoint, load_checkpoint),
}


def damage(content: bytes, rng: random.Random, rounds: int):
    """Yield damaged forms of a file."""
    yield from (b"", b"[]", b"[" * 200_000, bytes(range(256)))
    for _ in range(rounds):
        start, end = sorted(rng.randrange(len(content) + 1) for _ in range(2))
        yield content[:start]
        yield content[:start] + content[end:]
        for reach in (len(content), 200):
            changed = bytearray(content)
            for _ in range(rng.choice([1, 1, 5, 30])):
                changed[rng.randrange(min(len(content), reach))] = rng.randrange(256)
            yield bytes(changed)


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_is_read_or_named(kind, tmp_path, nlp):
    make, read = KINDS[kind]
    folder = tmp_path / kind
    folder.mkdir()
    make(folder, nlp)
    read = read or (lambda file: load_pipeline(folder)(TEXT))
    rng = random.Random(0)
    bomb = pickle.dumps(Bomb(tmp_path / "exploded"))
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    refused = 0
    for file in files:
        whole = file.read_bytes()
        read(file)
        for content in (bomb, *damage(whole, rng, rounds=3)):
            file.write_bytes(content)
            try:
                read(file)
            except (ValueError, OSError) as error:
                refused += 1
                said = f"{error} {getattr(error, 'filename', '')}"
                assert str(folder) in said or file.name in said, said
        file.write_bytes(whole)
    assert refused > 5 * len(files)
    assert not (tmp_path / "exploded").exists()


def test_a_shard_that_would_fill_the_memory_is_refused(tmp_path, nlp):
    (tmp_path / "0.spacy").write_bytes(zlib.compress(bytes(3 * 10**8)))
    assert (tmp_path / "0.spacy").stat().st_size < 10**6
    with pytest.raises(ValueError, match="0.spacy is not .* more than 268,435,456 bytes when dec"):
        list(read_shards(tmp_path, nlp.vocab))


def test_a_compiled_corpus_with_changed_numbers_is_not_used(tmp_path, nlp):
    """Neither by chance nor by someone who keeps all sizes."""
    make_shards(tmp_path, nlp)
    compile_shards(tmp_path, nlp.vocab)
    folder = tmp_path / FOLDER
    expected = open_compiled(tmp_path, nlp.vocab).take([3]).triplets.tolist()
    unchecked = {"spaces", "sections", "paragraphs", "sizes"}
    for file in sorted(set(folder.iterdir()) - {folder / name for name in unchecked}):
        whole = file.read_bytes()
        for content in (whole[:-8] + b"\xff" * 8, b"\x7f" * len(whole)):
            file.write_bytes(content)
            found = open_compiled(tmp_path, nlp.vocab)
            assert found.folder != folder, file.name
            assert found.take([3]).triplets.tolist() == expected
        file.write_bytes(whole)
    for change in ({"forms": ["a"]}, {"forms": [1] * 999}, {"headings": []}, {"sizes": {}}):
        header = srsly.read_json(folder / HEADER)
        srsly.write_json(folder / HEADER, {**header, **change})
        assert open_compiled(tmp_path, nlp.vocab).folder != folder
        srsly.write_json(folder / HEADER, header)
    assert open_compiled(tmp_path, nlp.vocab).folder == folder


def test_a_partition_of_a_store_that_breaks_off_inside_is_named(tmp_path, nlp):
    make_store(tmp_path, nlp)
    part = tmp_path / "store/part-00000.parquet"
    whole = part.read_bytes()
    column = parquet.ParquetFile(part).metadata.row_group(0).column(6)
    place = column.data_page_offset + 60
    part.write_bytes(whole[:place] + b"\xff" * 40 + whole[place + 40 :])
    assert SentenceStore.open(tmp_path / "store").count_rows()
    with pytest.raises(ValueError, match="part-00000.parquet is not a readable Parquet file"):
        read_store(tmp_path)
