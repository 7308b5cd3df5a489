"""The set of hashes that tells duplicates."""

import random

from spacy_thematic.triplets import hashes as hashes
from spacy_thematic.triplets.hashes import SeenHashes


def test_seen_hashes_are_those_that_were_added(monkeypatch):
    monkeypatch.setattr(hashes, "_RECENT", 7)
    rng = random.Random(0)
    values = [
        rng.choice([0, 2**64 - 1, rng.randrange(2**64), rng.randrange(50)]) for _ in range(500)
    ]
    seen, expected = SeenHashes(), set()
    for value in values:
        assert (value in seen) == (value in expected)
        seen.add(value)
        expected.add(value)
    assert all(value in seen for value in expected)
