import pyarrow

from spacy_thematic.scale.store import find_starts, iter_blocks


def test_blocks_are_whole_texts(collection, embed, tmp_path, monkeypatch):
    monkeypatch.setattr("spacy_thematic.scale.embedding._BATCH_UNITS", 50)
    store = embed(collection, tmp_path / "store")
    blocks = [block.column("id").to_pylist() for block in iter_blocks(store.part(0), ["id"])]
    assert sum(map(len, blocks)) == sum(store.count_rows())
    assert len({one for ids in blocks for one in ids}) == sum(len({*ids}) for ids in blocks) == 40
    longest = max(ids.count(one) for ids in blocks for one in ids)
    assert len(blocks) > 5
    assert all(50 <= len(ids) < 50 + longest for ids in blocks[:-1])


def test_starts_of_texts():
    block = pyarrow.record_batch({"id": list("aabca")})
    assert find_starts(block).tolist() == [2, 3, 4]
