from io import BytesIO

import numpy as np
from matplotlib.image import imread

from bigan_experiments.pictures import (
    RIGHT,
    WRONG,
    draw_grid,
    draw_panels,
    frame_retrieved,
)


def test_retrieved_images_stand_beside_their_query_in_frames():
    black, white = np.full((1, 4, 4), 0.0), np.full((1, 4, 4), 1.0)
    tiles = np.array([[black, white, black], [white, black, white]])
    picture = draw_grid(tiles, frame_retrieved(np.array([[True, False], [False, False]])))
    side = 4 + 4
    assert picture.shape == (2 * side, 3 * side, 3)
    middle = side // 2
    assert picture[middle::side, middle::side, 0].tolist() == [[0, 1, 0], [1, 0, 1]]
    frames = picture[1::side, middle::side]
    assert np.allclose(frames[0], [[1, 1, 1], RIGHT, WRONG], atol=0.01)
    assert np.allclose(frames[1], [[1, 1, 1], WRONG, WRONG], atol=0.01)


def test_colours_of_images_are_kept():
    red = np.zeros((3, 2, 2))
    red[0] = 1
    assert draw_grid(red[None, None])[3, 3].tolist() == [1, 0, 0]


def test_each_space_and_grid_is_a_panel():
    points = np.random.default_rng(0).normal(size=(6, 2))
    grid = draw_grid(np.zeros((2, 2, 1, 4, 4)))
    one = imread(BytesIO(draw_panels("title", {}, {"a": grid})), format="png")
    both = imread(
        BytesIO(draw_panels("title", {"a": (points, np.arange(6))}, {"b": grid})), format="png"
    )
    assert both.shape[0] == one.shape[0]
    assert both.shape[1] == 2 * one.shape[1]
