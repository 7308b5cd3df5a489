"""A Ray cluster of three nodes on this machine, of which one is killed during each job."""

import hashlib
import os
import signal
from pathlib import Path

import pytest

from spacy_thematic.clustering import ThemeSettings
from spacy_thematic.engines import LocalEngine, make_engine
from spacy_thematic.scale.clustering import cluster_store
from spacy_thematic.scale.embedding import embed_files
from spacy_thematic.triplets.corpus_builder import build_corpus
from spacy_thematic.triplets.rules import CorpusSettings
from tests.conftest import make_article

pytestmark = [pytest.mark.slow, pytest.mark.ray]
SIZE = 3_000
NODE = {"num_cpus": 1, "object_store_memory": 80_000_000}


@pytest.fixture(scope="module")
def cluster():
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    cluster.add_node(**NODE)
    yield cluster
    cluster.shutdown()


class Killer:
    """A third node, whose processes all get SIGKILL when this is called for the third time."""

    def __init__(self, cluster):
        self.node = cluster.add_node(**NODE)
        cluster.wait_for_nodes()
        self.calls = 0
        self.killed = 0

    def __call__(self, *_):
        self.calls += 1
        if self.calls == 3:
            raylet = self.node.all_processes["raylet"][0].process.pid
            found = Path(f"/proc/{raylet}/task/{raylet}/children").read_text().split()
            for pid in [raylet, *map(int, found)]:
                os.kill(pid, signal.SIGKILL)
                self.killed += 1


@pytest.fixture
def run(cluster):
    """Runs a job on three nodes, of which one is killed in the middle."""

    def run(job):
        killer = Killer(cluster)
        with make_engine("ray", cluster.address) as engine:
            job(engine, killer)
        assert killer.killed > 1
        assert killer.calls > 5
        cluster.remove_node(killer.node)

    return run


def digest(folder):
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    parts = [f"{path.relative_to(folder)}".encode() + path.read_bytes() for path in files]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def test_a_node_killed_while_it_embeds_changes_nothing(collection, embed, run, tmp_path):
    embed(collection, tmp_path / "whole", partition_bytes=SIZE)
    out = tmp_path / "killed"
    run(
        lambda engine, killer: embed_files(
            [collection], out, engine, partition_bytes=SIZE, on_partition=killer
        )
    )
    assert digest(out) == digest(tmp_path / "whole")


def test_a_node_killed_while_it_clusters_changes_nothing(collection, embed, run, tmp_path):
    store = embed(collection, tmp_path / "store", partition_bytes=SIZE)
    settings = ThemeSettings(k=4)
    with LocalEngine(1) as engine:
        cluster_store(store, tmp_path / "whole", settings, engine)
    out = tmp_path / "killed"
    run(lambda engine, killer: cluster_store(store, out, settings, engine, on_part=killer))
    assert digest(out) == digest(tmp_path / "whole")


def test_a_node_killed_while_a_corpus_is_built_changes_nothing(run, tmp_path):
    def build(out, engine, on_record=lambda: None):
        articles = (make_article(number) for number in range(400))
        settings = CorpusSettings(shard_size=10)
        build_corpus(articles, out, settings, engine=engine, on_record=on_record)

    build(tmp_path / "whole", LocalEngine(1))

    def build_and_kill(engine, killer):
        made = tmp_path / ".killed.building" / "blocks"

        def kill_when_blocks_are_made():
            if any(made.glob("*.json")):
                killer()

        build(tmp_path / "killed", engine, kill_when_blocks_are_made)

    run(build_and_kill)
    assert digest(tmp_path / "killed") == digest(tmp_path / "whole")
