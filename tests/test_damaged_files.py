"""Files of every kind that is loaded, damaged in many ways: each is read, or is an error that names
the file or its folder. Nothing runs code of a file."""

import bz2
import gzip
import json
import lzma
import os
import pickle
import random
import re
import subprocess
import sys
import time
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pyarrow
import pytest
import spacy
import srsly
from pyarrow import parquet

import spacy_thematic
from joining import join_encoders
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.engines import LocalEngine
from spacy_thematic.models.vector_tables import load_word_vectors
from spacy_thematic.pipeline.corpus_themes import CorpusThemes
from spacy_thematic.pipeline.loading import export_encoder, load_pipeline
from spacy_thematic.scale.embedding import embed_files
from spacy_thematic.scale.store import SentenceStore, get_vectors, iter_blocks
from spacy_thematic.training.checkpoints import CHECKPOINT, load_checkpoint
from spacy_thematic.training.runner import _read_log
from spacy_thematic.triplets.docbin import read_shards, write_shard
from tests.conftest import article_doc, make_article
from tests.pretrained.conftest import TEXT, restore

ARTICLES = [make_article(number) for number in range(12)]
TEXTS = [" ".join(text for s in one.sections for text in s.paragraphs) for one in ARTICLES]


LIMIT = 6 * 2**30


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


def make_log(folder, nlp):
    lines = [{"step": step, "score": step / 7, "losses": {"a": 0.5}} for step in range(9)]
    srsly.write_jsonl(folder / "log.jsonl", lines)


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
    "log": (make_log, _read_log),
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


ODD = [None, True, -1, 0, 3.5, 10**6, 10**9, 2**63, 10**30, 1e308, float("nan"), "", "x"]
ODD += ["/dev/zero", "9" * 5000, [], {}, [[]], {"a": None}, [10**12] * 3]


def swap(value, rng):
    """A copy of a record in which one value or key, at any depth, is an odd one."""
    if isinstance(value, (dict, list)) and value and rng.random() < 0.9:
        changed = dict(value) if isinstance(value, dict) else list(value)
        key = rng.choice(list(changed)) if isinstance(value, dict) else rng.randrange(len(value))
        if isinstance(value, dict) and rng.random() < 0.1:
            changed[rng.choice(["x", "format", "/x"])] = changed.pop(key)
        else:
            changed[key] = swap(changed[key], rng)
        return changed
    return rng.choice(ODD)


def swap_header(content, rng):
    """The header of a model file, or the JSON that it has in it, with an odd value."""
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    if rng.random() < 0.7:
        (name, text), *_ = header["__metadata__"].items()
        header["__metadata__"] = {name: json.dumps(swap(json.loads(text), rng))}
    else:
        header = swap(header, rng)
    data = json.dumps(header).encode()
    return len(data).to_bytes(8, "little") + data + content[8 + size :]


def mutate(file, content: bytes, rng: random.Random) -> bytes:
    """One of many ways to damage a file, some of which know its format."""
    way = rng.randrange(5)
    place = rng.randrange(len(content) + 1)
    if way == 0:
        return content[:place]
    if way == 1:
        changed = bytearray(content)
        for _ in range(rng.choice([1, 1, 5, 30]) if changed else 0):
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        return bytes(changed)
    if way == 2:
        huge = rng.choice([b"\xff" * 8, b"\x7f" * 8, b"\0" * 8, b"9" * 20])
        return content[:place] + huge + content[place + len(huge) :]
    try:
        if file.suffix == ".safetensors":
            return swap_header(content, rng)
        if file.suffix == ".jsonl":
            lines = content.splitlines()
            number = rng.randrange(len(lines))
            lines[number] = json.dumps(swap(json.loads(lines[number]), rng)).encode()
            return b"\n".join(lines) + b"\n"
        if file.suffix == ".cfg":
            parts = re.split(rb"(?<== )(.+)", content)
            number = rng.randrange(1, len(parts), 2)
            parts[number] = json.dumps(rng.choice(ODD)).encode()
            return b"".join(parts)
        if file.suffix in ("", ".msgpack") and file.name != "cfg":
            return srsly.msgpack_dumps(swap(srsly.msgpack_loads(content), rng))
        return json.dumps(swap(json.loads(content), rng)).encode()
    except (ValueError, TypeError, LookupError, OverflowError, StopIteration):
        # It has no such form, or holds what its form cannot.
        return content[:place] + content[place + rng.randrange(1, 50) :]


def fuzz(kind, n, folder, nlp, seed=0):
    """Read the files of a kind, damaged in n ways, and return how many of them were refused."""
    make, read = KINDS[kind]
    make(folder, nlp)
    read = read or (lambda file: load_pipeline(folder)(TEXT))
    rng = random.Random(seed)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    whole = {file: file.read_bytes() for file in files}
    refused = 0
    for number in range(n):
        file = files[number % len(files)]
        content = mutate(file, whole[file], rng)
        file.write_bytes(content)
        try:
            read(file)
        except (ValueError, OSError) as error:
            refused += 1
            said = f"{error} {getattr(error, 'filename', '')}"
            # Weights may be any numbers, and a setting any name: what they make of a text is
            # looked at when it is made.
            at_use = "the encoder that made them is broken" in said or "which the setting" in said
            is_named = str(folder) in said or file.name in said or at_use
            assert is_named, (number, file, content[:300], said)
        except BaseException as error:
            raise AssertionError((number, file, content[:3000])) from error
        file.write_bytes(whole[file])
    return refused


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"articles", "vectors"}))
def test_files_that_lie_are_read_or_named_and_take_little_memory(kind):
    command = [sys.executable, "-m", "tests.test_damaged_files", kind, "90"]
    path = os.pathsep.join(sys.path)  # With the scripts of projects.
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path}
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert " 0 refused" not in done.stdout


def main(kind, n):
    import resource
    import tempfile

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    start = time.time()
    with tempfile.TemporaryDirectory() as folder:
        refused = fuzz(kind, int(n), Path(folder), nlp)
    print(f"{kind}: {n} damaged, {refused} refused, {time.time() - start:.0f} s", flush=True)


@pytest.mark.parametrize("kind", sorted(KINDS))
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
        for content in (bomb, *damage(whole, rng, rounds=1)):
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


def test_a_partition_of_a_store_that_breaks_off_inside_is_named(tmp_path, nlp):
    make_store(tmp_path, nlp)
    (part,) = (tmp_path / "store").glob("part-00000-*.parquet")
    whole = part.read_bytes()
    column = parquet.ParquetFile(part).metadata.row_group(0).column(6)
    place = column.data_page_offset + 60
    part.write_bytes(whole[:place] + b"\xff" * 40 + whole[place + 40 :])
    assert SentenceStore.open(tmp_path / "store").count_rows()
    with pytest.raises(ValueError, match=r"part-00000-\w+\.parquet is not a readable Parquet file"):
        read_store(tmp_path)


def test_a_component_is_saved_inside_the_folder_of_its_pipeline(tmp_path):
    for name in (str(tmp_path / "elsewhere"), "../elsewhere", "a/b", ".."):
        nlp = restore("mean")
        nlp.rename_pipe("thematic_embedder", name)
        with pytest.raises(ValueError, match="has a component called"):
            join_encoders({"one": nlp, "two": nlp})
    make_pipeline(tmp_path / "saved", None)
    config = tmp_path / "saved/config.cfg"
    config.write_text(config.read_text().replace("thematic_clusterer", "/elsewhere"))
    with pytest.raises(ValueError, match="has a component called '/elsewhere'"):
        load_pipeline(tmp_path / "saved")
    assert not (tmp_path / "elsewhere").exists()


def test_a_store_whose_rows_lack_values_is_refused(tmp_path, nlp):
    make_store(tmp_path, nlp)
    (part,) = (tmp_path / "store").glob("part-00000-*.parquet")
    table = parquet.read_table(part)
    for name in ("text", "words", "vector"):
        column = pyarrow.array([None] * len(table), table.schema.field(name).type)
        place = table.schema.names.index(name)
        parquet.write_table(table.set_column(place, table.schema.field(name), column), part)
        with pytest.raises(ValueError, match=r"part-00000-\w+\.parquet has rows without a value"):
            list(iter_blocks(part, [name]))


if __name__ == "__main__":
    main(*sys.argv[1:])
