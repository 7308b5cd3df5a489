import numpy as np
import pytest

from spacy_thematic.segmentation.passage import Passage


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"sizes": [1, 2]}, r"Expected 3 finite sizes for the passage, found .* shape \(2,\)"),
        ({"sizes": [1, 2, -1]}, "sizes of at least 0, found -1"),
        ({"weights": [1, np.nan, 1]}, "3 finite weights .* with NaN"),
        ({"gap_scores": [1, 2, 3]}, "Expected 2 finite gap scores"),
        ({"smallest": 3, "largest": 2}, "at most the largest, found 3 and 2"),
    ],
)
def test_bad_passages_say_what_is_wrong(settings, message):
    with pytest.raises(ValueError, match=message):
        Passage(np.ones((3, 2)), **settings)


def test_a_part_has_what_belongs_to_its_sentences():
    passage = Passage(
        np.arange(8).reshape(4, 2), sizes=[1, 2, 3, 4], largest=9, gap_scores=[0.1, 0.2, 0.3]
    )
    part = passage.part(1, 3)
    assert part.vectors.tolist() == [[2, 3], [4, 5]]
    assert (part.sizes.tolist(), part.gap_scores.tolist(), part.largest) == ([2, 3], [0.2], 9)
    assert passage.part(3, 4).gap_scores.tolist() == []
    assert passage.replace(largest=np.inf).largest == np.inf
