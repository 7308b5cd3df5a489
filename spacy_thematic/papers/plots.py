"""Plots as SVG: points with names, and lines. Drawn by matplotlib, which the extra `tables` has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_GREY = "#5f6368"
# Colours that stay apart for the colour-blind (Okabe & Ito 2008).
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f")
_STYLE = {
    # Text stays text, and the names of parts do not change from run to run.
    "svg.fonttype": "none",
    "svg.hashsalt": "spacy-thematic",
    # A pixel is a point.
    "figure.dpi": 72,
    "figure.figsize": (9, 5),
    "figure.subplot.right": 0.78,
    "axes.edgecolor": _GREY,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#e3e5e8",
    "xtick.color": _GREY,
    "ytick.color": _GREY,
}
# In points: the height of a line of text, the width of a marker, and the space from it to its name.
_LEADING, _MARKER, _GAP = 12, 6, 7


class Axis(NamedTuple):
    """A label, and whether the scale is logarithmic."""

    label: str
    log: bool = False


def plot_points(points: Mapping[str, tuple[float, float]], title: str, x: Axis, y: Axis) -> str:
    """Plot named points.

    Args:
        points: The place of each, (x, y), by name.
        title: The title of the plot.
        x: The horizontal axis.
        y: The vertical axis.

    Returns:
        An SVG, the same for the same points.

    Raises:
        ValueError: If there are no points.
        ImportError: If matplotlib is not installed.
    """

    def draw(axes: Axes) -> None:
        axes.plot(*zip(*points.values()), "o", color=_COLOURS[0], markersize=_MARKER)
        _name_points(axes, points)

    return _render(draw, len(points), title, x, y)


def plot_lines(
    series: Mapping[str, Sequence[tuple[float, float]]], title: str, x: Axis, y: Axis
) -> str:
    """Plot named lines.

    Args:
        series: The points of each line in order, (x, y), by name. Lines without points are left
            out.
        title: The title of the plot.
        x: The horizontal axis.
        y: The vertical axis.

    Returns:
        An SVG, the same for the same lines.

    Raises:
        ValueError: If there are no points.
        ImportError: If matplotlib is not installed.
    """
    series = {name: points for name, points in series.items() if points}

    def draw(axes: Axes) -> None:
        for number, points in enumerate(series.values()):
            style = "o-" if number < len(_COLOURS) else "o--"
            axes.plot(*zip(*points), style, color=_COLOURS[number % len(_COLOURS)], markersize=4)
        _name_lines(axes, {name: points[-1] for name, points in series.items()})

    return _render(draw, len(series), title, x, y)


def check_matplotlib() -> None:
    """Check that plots can be drawn.

    Raises:
        ImportError: If matplotlib is not installed.
    """
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ImportError(
            'Plots need the package matplotlib: pip install "spacy-thematic[tables]".'
        ) from error


def _render(draw: Callable[[Axes], None], n_names: int, title: str, x: Axis, y: Axis) -> str:
    if not n_names:
        raise ValueError(f'The plot "{title}" has no points.')
    check_matplotlib()
    from matplotlib import style
    from matplotlib.figure import Figure

    svg = StringIO()
    with style.context(_STYLE, after_reset=True):
        figure = Figure()
        axes = figure.add_subplot(title=title, xlabel=x.label, ylabel=y.label)
        axes.set_xscale("log" if x.log else "linear")
        axes.set_yscale("log" if y.log else "linear")
        draw(axes)
        _set_ticks(axes)
        metadata = {"Title": title, "Date": None, "Creator": None}
        figure.savefig(svg, format="svg", bbox_inches="tight", metadata=metadata)
    return svg.getvalue()


def _set_ticks(axes: Axes) -> None:
    from matplotlib.ticker import LogLocator, NullLocator

    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_scale() == "log":
            low, high = axis.get_view_interval()
            axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low < 1000 else (1,)))
            axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(lambda value, _: f"{value:,.10g}")


def _name_points(axes: Axes, points: Mapping[str, tuple[float, float]]) -> None:
    """Each name stands beside its point, as near as it can without covering others."""
    from matplotlib.transforms import Bbox

    axes.autoscale_view()
    places = axes.transData.transform(list(points.values()))
    taken = [Bbox([place - _MARKER / 2, place + _MARKER / 2]) for place in places]
    steps = sorted(range(-4 * len(points), 4 * len(points) + 1), key=abs)
    offsets = [(side * _GAP, step * _LEADING / 4) for step in steps for side in (1, -1)]
    for name, point in points.items():
        text = axes.annotate(name, point, (0, 0), textcoords="offset points", va="center")
        for offset in offsets:
            text.xyann = offset
            text.set_horizontalalignment("left" if offset[0] > 0 else "right")
            box = text.get_window_extent()
            if box.x0 > axes.bbox.x0 and not any(map(box.overlaps, taken)):
                break
        taken.append(box)
        if abs(offset[1]) > _LEADING / 2:
            leader = _leader(_GREY)
            axes.annotate("", point, offset, textcoords="offset points", arrowprops=leader)


def _name_lines(axes: Axes, ends: Mapping[str, tuple[float, float]]) -> None:
    """Each name stands to the right of the plot, as near to the end of its line as those of the
    others let it."""
    from sklearn.isotonic import isotonic_regression

    axes.autoscale_view()
    places = axes.transData.transform(list(ends.values()))
    order = np.argsort(places[:, 1], kind="stable")
    steps = np.arange(len(order)) * _LEADING
    heights = np.empty(len(order))
    # The least sum of squared moves that leaves a line's height between two names.
    heights[order] = isotonic_regression(places[order, 1] - steps) + steps
    for (name, end), line, (x, y), height in zip(ends.items(), axes.lines, places, heights):
        offset = (axes.bbox.x1 + _GAP - x, height - y)
        leader = _leader(line.get_color())
        axes.annotate(name, end, offset, textcoords="offset points", va="center", arrowprops=leader)


def _leader(colour: Any) -> dict[str, Any]:
    """A thin line from a name to its point."""
    return {
        "arrowstyle": "-",
        "color": colour,
        "linewidth": 0.7,
        "shrinkA": 0,
        "shrinkB": _MARKER / 2,
        "relpos": (0, 0.5),
    }
