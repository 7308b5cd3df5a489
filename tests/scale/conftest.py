"""Collections on disk, and stores of them."""

import gzip

import pyarrow
import pytest
import srsly
from pyarrow import parquet

from spacy_thematic.engines import LocalEngine
from spacy_thematic.scale.embedding import embed_files
from tests.conftest import make_article


def make_records(n):
    """Texts of two paragraphs, each of its own themes."""
    for number in range(n):
        paragraphs = [text for s in make_article(number).sections for text in s.paragraphs]
        yield {"title": f"Land {number}", "text": "\n\n".join(paragraphs)}


@pytest.fixture
def collection(tmp_path):
    """Texts in every kind of file that is read."""
    folder = tmp_path / "collection"
    folder.mkdir()
    records = list(make_records(40))
    srsly.write_jsonl(folder / "a.jsonl", records[:25])
    lines = "".join(f"{srsly.json_dumps(record)}\n\n" for record in records[25:30])
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    table = pyarrow.Table.from_pylist(records[30:38])
    parquet.write_table(table, folder / "c.parquet", row_group_size=3)
    for number in (38, 39):
        (folder / f"d{number}.txt").write_text(records[number]["text"])
    return folder


@pytest.fixture
def embed():
    """Embeds in this process."""

    def run(path, out, **settings):
        with LocalEngine(1) as engine:
            return embed_files([path], out, engine, **settings)

    return run
