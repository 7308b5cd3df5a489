"""Collections in object storage, which a local folder stands in for."""

import subprocess
import sys

import pytest
from cloudpathlib.local import LocalS3Client, LocalS3Path

from spacy_thematic.clustering import ThemeSettings
from spacy_thematic.engines import LocalEngine
from spacy_thematic.pipeline.corpus_themes import CorpusThemes
from spacy_thematic.scale.clustering import cluster_store
from spacy_thematic.scale.store import SentenceStore

SIZE = 3_000


@pytest.fixture
def bucket(tmp_path):
    """A bucket with nothing in it."""
    former = LocalS3Client._default_client
    LocalS3Client(local_storage_dir=tmp_path / "storage").set_as_default_client()
    yield LocalS3Path("s3://bucket")
    LocalS3Client._default_client = former


def read_files(folder):
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_the_same_bytes_as_on_disk(collection, embed, bucket, tmp_path):
    for file in collection.iterdir():
        (bucket / "in" / file.name).upload_from(file)
    local = embed(collection, tmp_path / "store", partition_bytes=SIZE)
    embed(bucket / "in", bucket / "store", partition_bytes=SIZE)
    remote = SentenceStore.open(bucket / "store")
    assert local.record.n_partitions == remote.record.n_partitions > 5
    assert local.count_rows() == remote.count_rows()
    with LocalEngine(1) as engine:
        for k in (3, 5):
            cluster_store(local, tmp_path / "themes", ThemeSettings(k=k), engine)
            cluster_store(remote, bucket / "themes", ThemeSettings(k=k), engine)
    themes = (tmp_path / "themes" / "themes.json").read_bytes()
    assert (bucket / "themes" / "themes.json").read_bytes() == themes
    assert len(CorpusThemes.load(tmp_path / "themes").themes) == 5
    assert read_files(bucket / "themes").keys() == read_files(tmp_path / "themes").keys()
    assert {path.name for path in bucket.iterdir()} == {"in", "store", "themes"}


def test_only_partitions_that_are_missing_are_made(collection, embed, bucket):
    reports = []
    store = embed(collection, bucket / "store", partition_bytes=SIZE)
    store.part(2).unlink()
    embed(collection, bucket / "store", partition_bytes=SIZE, on_partition=reports.append)
    assert len(reports) == 1
    (collection / "d38.txt").write_text("Another text.")
    with pytest.raises(ValueError, match="other settings .input"):
        embed(collection, bucket / "store", partition_bytes=SIZE)


@pytest.mark.parametrize("place", ["ftp://host/x", "zz://bucket/folder"])
def test_storage_that_cannot_be_used_is_named(tmp_path, place):
    command = [sys.executable, "-m", "spacy", "thematic", "embed", place, "--out", "y"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode
    said = " ".join(done.stderr.replace("\u2502", " ").split())
    assert f"{place} cannot be used" in said
    assert "spacy-thematic[cloud]" in said
    assert "Traceback" not in said
