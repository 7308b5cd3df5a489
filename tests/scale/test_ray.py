"""Ray as an engine, where it is installed."""

import signal
import subprocess
import sys

import pytest

from spacy_thematic.articles.sources import SourceError
from spacy_thematic.clustering import ThemeSettings
from spacy_thematic.engines import LocalEngine, WorkerLost, make_engine
from spacy_thematic.scale.clustering import cluster_store
from spacy_thematic.scale.embedding import embed_files

SIZE = 10_000


@pytest.fixture(scope="module")
def engine():
    pytest.importorskip("ray")
    with make_engine("ray", "local", 2) as engine:
        yield engine


@pytest.mark.slow
@pytest.mark.ray
def test_the_same_bytes_as_without_ray(collection, embed, engine, tmp_path):
    one = embed(collection, tmp_path / "one", partition_bytes=SIZE)
    two = embed_files([collection], tmp_path / "two", engine, partition_bytes=SIZE)
    assert one.record.n_partitions == two.record.n_partitions > 2
    for number in range(one.record.n_partitions):
        assert one.part(number).read_bytes() == two.part(number).read_bytes()
    with LocalEngine(1) as local:
        first = cluster_store(one, tmp_path / "first", ThemeSettings(), local)
    second = cluster_store(two, tmp_path / "second", ThemeSettings(), engine)
    assert second.themes == first.themes
    for file in (tmp_path / "first" / "sentences").iterdir():
        assert file.read_bytes() == (tmp_path / "second" / "sentences" / file.name).read_bytes()


@pytest.mark.slow
@pytest.mark.ray
def test_an_error_is_that_of_the_work(collection, engine, tmp_path):
    with (collection / "a.jsonl").open("a") as file:
        file.write("[\n")
    with pytest.raises(SourceError, match=r"a\.jsonl, line 26: not JSON"):
        embed_files([collection], tmp_path / "store", engine, partition_bytes=SIZE)


@pytest.mark.slow
@pytest.mark.ray
def test_work_that_kills_its_workers_ends_with_an_error(engine):
    with pytest.raises(WorkerLost, match="corpus and embed keep what is finished"):
        list(engine.map(signal.raise_signal, [0, signal.SIGKILL]))


def test_missing_ray_is_named_with_its_extra():
    code = "import sys; sys.modules['ray'] = None; import spacy_thematic.engines.ray_engine"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "spacy-thematic[ray]" in done.stderr


def test_the_core_does_not_know_ray():
    code = (
        "import sys, spacy_thematic, spacy_thematic.cli, spacy_thematic.scale.embedding, "
        "spacy_thematic.scale.clustering; print('ray' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_an_address_without_ray_is_an_error():
    with pytest.raises(ValueError, match="add --engine ray"):
        make_engine("local", "auto")


@pytest.mark.ray
@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("nonsense", "is no address of a Ray cluster"),
        ("127.0.0.1:99999", "is no address of a Ray cluster"),
        ("http://127.0.0.1:1", "is no address of a Ray cluster"),
        ("127.0.0.1:1", "No Ray cluster answers at"),
        ("ray://127.0.0.1:1", "No Ray cluster answers at"),
    ],
)
def test_an_address_that_is_no_cluster_is_an_error(address, message):
    pytest.importorskip("ray")
    with pytest.raises((ValueError, OSError), match=message), make_engine("ray", address):
        pass
