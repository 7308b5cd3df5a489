import numpy as np
import pytest

from spacy_thematic.segmentation.kernel_change_points import create_kernel_change_points
from spacy_thematic.segmentation.passage import Passage, cut_nested


@pytest.fixture
def nested():
    """Three sections of thirty sentences, each of three subsections that differ less."""
    rng = np.random.default_rng(0)
    sections = np.repeat(np.eye(3, 24), 30, axis=0)
    subsections = 0.6 * np.repeat(np.eye(9, 24, 5), 10, axis=0)
    return Passage(sections + subsections + rng.normal(0, 0.08, (90, 24)))


def test_sections_and_subsections(nested):
    algorithm = create_kernel_change_points()
    flat = cut_nested(nested, algorithm, 3)
    assert flat.starts.tolist() == [0, 30, 60] and set(flat.levels) == {1}
    cuts = cut_nested(nested, algorithm, 3, levels=2)
    assert cuts.starts.tolist() == list(range(0, 90, 10))
    assert cuts.levels.tolist() == [1, 2, 2] * 3
    assert (cuts.gains[1:] > 0).all()


@pytest.mark.parametrize("n", [None, 2, 5])
def test_levels_nest(nested, n):
    algorithm = create_kernel_change_points()
    flat, two, three = (cut_nested(nested, algorithm, n, levels=levels) for levels in (1, 2, 3))
    assert two.starts[two.levels == 1].tolist() == flat.starts.tolist()
    assert three.starts[three.levels <= 2].tolist() == two.starts.tolist()


def test_more_levels_than_can_be_cut_take_no_longer(nested):
    algorithm = create_kernel_change_points()
    many, most = (cut_nested(nested, algorithm, None, levels=levels) for levels in (50, 10**9))
    assert many.starts.tolist() == most.starts.tolist()


def test_the_lowest_level_keeps_to_sizes(nested):
    limited = Passage(nested.vectors, smallest=3, largest=7)
    cuts = cut_nested(limited, create_kernel_change_points(), 3, levels=2)
    sizes = np.diff([*cuts.starts, 90])
    assert sizes.min() >= 3 and sizes.max() <= 7
    assert cuts.starts[cuts.levels == 1].tolist() == [0, 30, 60]
