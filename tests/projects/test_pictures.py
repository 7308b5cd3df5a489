from io import BytesIO

import numpy as np
from matplotlib.image import imread

from bigan_experiments.pictures import RIGHT, WRONG, draw_points, draw_retrieval


def test_retrieved_images_stand_beside_their_query_in_frames():
    black, white = np.full((1, 4, 4), -1.0), np.full((1, 4, 4), 1.0)
    nearest = np.array([[white, black], [black, white], [black, black]])
    right = np.array([[True, False], [False, False], [True, True]])
    png = draw_retrieval(np.array([black, white, white]), nearest, right, scale=3)
    picture = imread(BytesIO(png), format="png")[:, :, :3]
    side = 4 * 3 + 8
    assert picture.shape == (3 * side, 3 * side, 3)
    middle, frame = side // 2, 3
    greys = picture[middle::side, middle::side, 0]
    assert greys.tolist() == [[0, 1, 0], [1, 0, 1], [1, 0, 0]]
    frames = picture[frame::side, middle::side]
    assert np.allclose(frames[0], [[1, 1, 1], RIGHT, WRONG], atol=0.01)
    assert np.allclose(frames[1], [[1, 1, 1], WRONG, WRONG], atol=0.01)


def test_points_have_the_colours_of_their_classes():
    points = np.array([[0.0, 0.0], [1.0, 2.0], [0.5, 1.0]])
    svg = draw_points(points, np.array([0, 1, 0]), "title", side=100).decode()
    assert svg.count("<circle") == 3
    assert svg.count("#4e79a7") == 2
    assert '<circle cx="90.0" cy="90.0" r="3" fill="#f28e2b"/>' in svg
