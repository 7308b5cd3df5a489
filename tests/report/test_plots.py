from xml.etree import ElementTree

import pytest

from spacy_thematic.report.plots import Axis, plot_lines, plot_points

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg):
    return [node.text for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def places(svg):
    circles = ElementTree.fromstring(svg).iter(f"{SVG}circle")
    return [(float(c.get("cx")), float(c.get("cy"))) for c in circles]


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
    assert "none" not in texts(svg)
    (x1, _), (x2, _), (x3, _), _ = places(svg)
    assert (x3 - x2) == pytest.approx(6 * (x2 - x1), abs=0.3)


def test_names_of_points_side_by_side_do_not_overlap():
    points = {str(number): (100, 0.5) for number in range(4)}
    svg = ElementTree.fromstring(plot_points(points, "", Axis("x", log=True), Axis("y")))
    heights = sorted(float(t.get("y")) for t in svg.iter(f"{SVG}text") if t.text in points)
    assert min(b - a for a, b in zip(heights, heights[1:])) >= 14


def test_nothing_to_plot_is_an_error():
    with pytest.raises(ValueError, match="no points"):
        plot_points({}, "Empty", Axis("x"), Axis("y"))
