import sys
from xml.etree import ElementTree

import pytest

from spacy_thematic.papers.plots import Axis, plot_lines, plot_points

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg):
    return [node.text for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def places(svg):
    """Where the points are. Only what lies inside the axes is clipped."""
    groups = ElementTree.fromstring(svg).iterfind(f".//{SVG}g[@clip-path]")
    points = [point for group in groups for point in group.iter(f"{SVG}use")]
    return [(float(point.get("x")), float(point.get("y"))) for point in points]


def test_points_on_a_logarithmic_axis():
    points = {"slow & small": (10, 0.5), "middle": (100, 0.6), "fast": (1000, 0.7)}
    svg = plot_points(points, "Speed", Axis("sentences per second", log=True), Axis("accuracy"))
    assert {"Speed", "sentences per second", "accuracy", "slow & small", "10", "1,000"} <= set(
        texts(svg)
    )
    (x1, y1), (x2, y2), (x3, y3) = places(svg)
    assert x2 - x1 == pytest.approx(x3 - x2, abs=0.2)
    assert y1 - y2 == pytest.approx(y2 - y3, abs=0.2) and y1 > y3


def test_lines_have_a_point_for_each_value_and_a_name():
    series = {"a": [(5, 0.1), (6, 0.2), (12, 0.3)], "b": [(5, 0.3)], "none": []}
    svg = plot_lines(series, "Sections", Axis("sections"), Axis("AMI"))
    assert len(places(svg)) == 4
    assert {"a", "b"} <= set(texts(svg))
    assert "none" not in texts(svg)
    (x1, _), (x2, _), (x3, _), _ = places(svg)
    assert (x3 - x2) == pytest.approx(6 * (x2 - x1), abs=0.3)


def heights(svg, names):
    nodes = ElementTree.fromstring(svg).iter(f"{SVG}text")
    return {node.text: float(node.get("y")) for node in nodes if node.text in names}


def test_names_of_points_side_by_side_do_not_overlap():
    points = {str(number): (100, 0.5) for number in range(4)}
    svg = plot_points(points, "", Axis("x"), Axis("y"))
    # Two at the right of the points, two at the left.
    found = sorted(heights(svg, points).values())
    assert found[2] - found[1] >= 10


def test_names_of_lines_are_apart_and_in_the_order_of_their_ends():
    series = {name: [(0, 0), (1, end)] for name, end in (("a", 0.5), ("b", 0.51), ("c", 0.49))}
    found = heights(plot_lines(series, "", Axis("x"), Axis("y")), series)
    assert found["c"] - found["a"] >= 10 and found["a"] - found["b"] >= 10


def test_the_same_points_give_the_same_bytes():
    plots = [plot_points({"a": (1, 2), "b": (2, 1)}, "T", Axis("x"), Axis("y")) for _ in "12"]
    assert plots[0] == plots[1]
    assert "<dc:date>" not in plots[0]


def test_nothing_to_plot_is_an_error():
    with pytest.raises(ValueError, match="no points"):
        plot_points({}, "Empty", Axis("x"), Axis("y"))
    with pytest.raises(ValueError, match="no points"):
        plot_lines({"a": []}, "Empty", Axis("x"), Axis("y"))


def test_a_missing_matplotlib_is_named_with_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"spacy-thematic\[tables\]"):
        plot_points({"a": (1, 2)}, "", Axis("x"), Axis("y"))
