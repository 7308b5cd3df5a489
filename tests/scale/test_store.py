from itertools import groupby, pairwise

import pyarrow
import pytest
from pyarrow import parquet

from spacy_thematic.scale.store import find_starts, iter_whole_texts


@pytest.mark.parametrize("block", [1, 2, 3, 5, 100])
@pytest.mark.parametrize("ids", ["aaabbc", "a", "abcdef", "aaaaaaab", "abbbbbbb", "aabbaa"])
def test_blocks_are_whole_texts(ids, block, tmp_path, monkeypatch):
    monkeypatch.setattr("spacy_thematic.scale.store._BLOCK", block)
    table = pyarrow.table({"id": list(ids), "row": list(range(len(ids)))})
    parquet.write_table(table, tmp_path / "part.parquet")
    blocks = list(iter_whole_texts(tmp_path / "part.parquet", ["id", "row"]))
    assert [row for one in blocks for row in one.column("row").to_pylist()] == [*range(len(ids))]
    for one, following in pairwise(blocks):
        assert one.column("id")[len(one) - 1] != following.column("id")[0]
    # No block is larger than it has to be.
    longest = max(len(list(run)) for _, run in groupby(ids))
    assert max(map(len, blocks)) < longest + block


def test_starts_of_texts():
    block = pyarrow.record_batch({"id": list("aabca")})
    assert find_starts(block).tolist() == [2, 3, 4]
