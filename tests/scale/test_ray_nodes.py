"""A Ray cluster of several nodes on this machine, of which one is killed during the work."""

import pytest

from spacy_thematic.clustering import ThemeSettings
from spacy_thematic.scale.clustering import cluster_store
from spacy_thematic.scale.embedding import embed_files
from spacy_thematic.scale.engines import LocalEngine, make_engine

SIZE = 3_000


@pytest.fixture
def cluster():
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    yield cluster
    cluster.shutdown()


class Killer:
    """Kills a node when it is called for the second time."""

    def __init__(self, cluster):
        self.cluster = cluster
        self.node = cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        self.calls = 0

    def __call__(self, *_):
        self.calls += 1
        if self.calls == 2:
            self.cluster.remove_node(self.node, allow_graceful=False)


@pytest.mark.slow
def test_a_node_that_is_killed_changes_nothing(collection, embed, cluster, tmp_path):
    one = embed(collection, tmp_path / "one", partition_bytes=SIZE)
    cluster.add_node(num_cpus=1)
    killers = [Killer(cluster)]
    with make_engine("ray", cluster.address) as engine:
        two = embed_files(
            [collection], tmp_path / "two", engine, partition_bytes=SIZE, on_partition=killers[0]
        )
        killers.append(Killer(cluster))
        second = cluster_store(
            two, tmp_path / "second", ThemeSettings(k=4), engine, on_part=killers[1]
        )
    assert [killer.node.any_processes_alive() for killer in killers] == [False, False]
    assert min(killer.calls for killer in killers) > 5
    for number in range(one.record.n_partitions):
        assert one.part(number).read_bytes() == two.part(number).read_bytes()
    with LocalEngine(1) as local:
        first = cluster_store(one, tmp_path / "first", ThemeSettings(k=4), local)
    assert second.themes == first.themes
    for file in (tmp_path / "first" / "sentences").iterdir():
        assert file.read_bytes() == (tmp_path / "second" / "sentences" / file.name).read_bytes()
