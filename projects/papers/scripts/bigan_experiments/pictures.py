"""Pictures of a space of images: its items as points, and the nearest items of queries."""

from __future__ import annotations

from io import BytesIO

import numpy as np

COLOURS = "#4e79a7 #f28e2b #e15759 #76b7b2 #59a14f #edc948 #b07aa1 #ff9da7 #9c755f #79706e".split()
FRAME = 2
RIGHT, WRONG, WHITE = (0.35, 0.63, 0.31), (0.88, 0.1, 0.1), (1.0, 1.0, 1.0)


def draw_points(points: np.ndarray, labels: np.ndarray, title: str, side: int = 400) -> bytes:
    """Draw points, (n, 2), in the colours of their classes, as SVG."""
    low, high = points.min(axis=0), points.max(axis=0)
    places = 10 + (points - low) / (high - low) * (side - 20)
    circles = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{COLOURS[label % 10]}"/>'
        for (x, y), label in zip(places, labels)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side + 20}">'
        f'<rect width="100%" height="100%" fill="white"/>{circles}'
        f'<text x="10" y="{side + 12}" font-size="14">{title}</text></svg>'
    ).encode()


def draw_retrieval(
    queries: np.ndarray, nearest: np.ndarray, right: np.ndarray, scale: int = 2
) -> bytes:
    """Draw a line for each query, first itself and then the items nearest to it, as PNG.

    Args:
        queries: Images from -1 to 1, (m, channels, size, size).
        nearest: Images found, (m, n, channels, size, size).
        right: Whether they have the query's class, (m, n): a green frame, and a red one if not.
        scale: Pixels in a row for each of an image.
    """
    from matplotlib.image import imsave

    tiles = np.concatenate([queries[:, None], nearest], axis=1)
    frames = np.where(right[..., None], RIGHT, WRONG)
    frames = np.concatenate([np.full_like(frames[:, :1], WHITE), frames], axis=1)
    rows = [
        np.concatenate([_frame(tile, colour, scale) for tile, colour in zip(*row)], axis=1)
        for row in zip(tiles, frames)
    ]
    content = BytesIO()
    imsave(content, np.concatenate(rows), format="png")
    return content.getvalue()


def _frame(image: np.ndarray, colour: np.ndarray, scale: int) -> np.ndarray:
    """An image, (channels, size, size), in a frame, (side, side, 3), from 0 to 1."""
    large = np.clip((image + 1) / 2, 0, 1).repeat(scale, axis=1).repeat(scale, axis=2)
    side = large.shape[1] + 4 * FRAME
    framed = np.ones((side, side, 3), "f")
    framed[FRAME:-FRAME, FRAME:-FRAME] = colour
    framed[2 * FRAME : -2 * FRAME, 2 * FRAME : -2 * FRAME] = large.transpose(1, 2, 0)
    return framed
