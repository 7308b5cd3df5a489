"""Small plots as SVG: points with names, and lines. No library draws them, nothing is loaded."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

_WIDTH, _HEIGHT = 760, 460
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 190, 44, 60
_LINE = 15
# Colours that stay apart for the colour-blind (Okabe & Ito 2008), and shapes of dashes.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f")
_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1d1d1f}.axis{stroke:#5f6368}.grid{stroke:#e3e5e8}"
    ".title{font-size:15px;font-weight:600}.series{fill:none;stroke-width:2}"
)


class Axis(NamedTuple):
    """A label, and whether the scale is logarithmic."""

    label: str
    log: bool = False


def plot_points(points: Mapping[str, tuple[float, float]], title: str, x: Axis, y: Axis) -> str:
    """An SVG of named points. Raises ValueError if there is none."""
    plot = _Plot(list(points.values()), title, x, y)
    places = {name: plot.place(*point) for name, point in points.items()}
    lines = _spread([place[1] for place in places.values()])
    for (name, (px, py)), line in zip(places.items(), lines):
        plot.add(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="4.5" fill="{_COLOURS[0]}"/>')
        if abs(line - py) > 1:
            plot.add(
                f'<path class="grid" d="M{px + 5:.1f} {py:.1f}L{px + 10:.1f} {line:.1f}" '
                'style="stroke:#9aa0a6"/>'
            )
        plot.add(f'<text x="{px + 11:.1f}" y="{line + 4:.1f}">{escape(name)}</text>')
    return plot.render()


def plot_lines(
    series: Mapping[str, Sequence[tuple[float, float]]], title: str, x: Axis, y: Axis
) -> str:
    """An SVG of named lines through points in order. Raises ValueError if there is no point."""
    plot = _Plot([point for points in series.values() for point in points], title, x, y)
    named = {name: [plot.place(*point) for point in points] for name, points in series.items()}
    named = {name: places for name, places in named.items() if places}
    lines = _spread([places[-1][1] for places in named.values()])
    for number, ((name, places), line) in enumerate(zip(named.items(), lines)):
        colour = _COLOURS[number % len(_COLOURS)]
        path = "L".join(f"{px:.1f} {py:.1f}" for px, py in places)
        dash = f' stroke-dasharray="{6 * (number // len(_COLOURS))} 4"' if number >= 8 else ""
        plot.add(f'<path class="series" stroke="{colour}"{dash} d="M{path}"/>')
        for px, py in places:
            plot.add(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" fill="{colour}"/>')
        plot.add(
            f'<text x="{_WIDTH - _RIGHT + 12}" y="{line + 4:.1f}" style="fill:{colour}">'
            f"{escape(name)}</text>"
        )
    return plot.render()


class _Plot:
    """The frame: title, axes with ticks and labels, and what is added to it."""

    def __init__(self, points: Sequence[tuple[float, float]], title: str, x: Axis, y: Axis):
        if not points:
            raise ValueError(f'The plot "{title}" has no points.')
        self._x = _Scale([px for px, _ in points], x, _LEFT, _WIDTH - _RIGHT)
        self._y = _Scale([py for _, py in points], y, _HEIGHT - _BOTTOM, _TOP)
        self._title = title
        self._parts: list[str] = []
        bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
        for value in self._x.ticks:
            px = self._x.place(value)
            self.add(f'<path class="grid" d="M{px:.1f} {_TOP}V{bottom}"/>')
            self.add(
                f'<text x="{px:.1f}" y="{bottom + 18}" text-anchor="middle">{_number(value)}</text>'
            )
        for value in self._y.ticks:
            py = self._y.place(value)
            self.add(f'<path class="grid" d="M{_LEFT} {py:.1f}H{right}"/>')
            self.add(
                f'<text x="{_LEFT - 8}" y="{py + 4:.1f}" text-anchor="end">{_number(value)}</text>'
            )
        middle = (_TOP + bottom) / 2
        self.add(f'<path class="axis" fill="none" d="M{_LEFT} {_TOP}V{bottom}H{right}"/>')
        self.add(
            f'<text x="{(_LEFT + right) / 2}" y="{_HEIGHT - 16}" text-anchor="middle">'
            f"{escape(x.label)}</text>"
        )
        self.add(
            f'<text transform="translate(20 {middle}) rotate(-90)" text-anchor="middle">'
            f"{escape(y.label)}</text>"
        )

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where a point is drawn."""
        return self._x.place(x), self._y.place(y)

    def add(self, part: str) -> None:
        self._parts.append(part)

    def render(self) -> str:
        parts = "\n".join(self._parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
            f'width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="{escape(self._title)}">\n'
            f'<style>{_STYLE}</style>\n<rect width="100%" height="100%" fill="#fff"/>\n'
            f'<text class="title" x="{_LEFT}" y="24">{escape(self._title)}</text>\n'
            f"{parts}\n</svg>\n"
        )


class _Scale:
    """Values to places between two ends, with round ticks."""

    def __init__(self, values: Sequence[float], axis: Axis, start: float, end: float):
        self._log, self._start, self._end = axis.log, start, end
        if axis.log:
            low, high = math.log10(min(values)), math.log10(max(values))
            first, last = math.floor(low), math.ceil(high)
            last = max(last, first + 1)
            steps = (1, 2, 5) if last - first < 3 else (1,)
            self.ticks = [s * 10.0**e for e in range(first, last) for s in steps] + [10.0**last]
        else:
            step = _round_step((max(values) - min(values)) or abs(max(values)) or 1.0)
            first, last = math.floor(min(values) / step), math.ceil(max(values) / step)
            last = max(last, first + 1)
            self.ticks = [round(step * i, 10) for i in range(first, last + 1)]
        self._low, self._high = self._scale(self.ticks[0]), self._scale(self.ticks[-1])

    def _scale(self, value: float) -> float:
        return math.log10(value) if self._log else value

    def place(self, value: float) -> float:
        share = (self._scale(value) - self._low) / (self._high - self._low)
        return self._start + share * (self._end - self._start)


def _round_step(span: float) -> float:
    """About a sixth of the span: 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(span / 6))
    return next(power * s for s in (1, 2, 5, 10) if power * s >= span / 6)


def _spread(heights: Sequence[float]) -> list[float]:
    """Heights moved apart as little as one line each needs, in the same order."""
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    moved = list(heights)
    # A group of lines that touch is centred on the mean of where its lines belong.
    groups: list[list[int]] = []
    for i in order:
        groups.append([i])
        while len(groups) > 1 and _top(groups[-1], heights) < _bottom(groups[-2], heights):
            last = groups.pop()
            groups[-1] += last
    for group in groups:
        first = _top(group, heights) + _LINE / 2
        for number, i in enumerate(group):
            moved[i] = first + number * _LINE
    return moved


def _centre(group: Sequence[int], heights: Sequence[float]) -> float:
    return sum(heights[i] for i in group) / len(group)


def _top(group: Sequence[int], heights: Sequence[float]) -> float:
    return _centre(group, heights) - len(group) * _LINE / 2


def _bottom(group: Sequence[int], heights: Sequence[float]) -> float:
    return _centre(group, heights) + len(group) * _LINE / 2


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"
