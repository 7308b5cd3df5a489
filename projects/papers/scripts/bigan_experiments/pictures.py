"""What a net of images has learned, as one small picture."""

from collections.abc import Mapping
from io import BytesIO

import numpy as np
from matplotlib.figure import Figure

FRAME = 1
RIGHT, WRONG, WHITE = (0.35, 0.63, 0.31), (0.88, 0.1, 0.1), (1.0, 1.0, 1.0)


def draw_panels(
    title: str, spaces: Mapping[str, tuple[np.ndarray, np.ndarray]], grids: Mapping[str, np.ndarray]
) -> bytes:
    """Draw panels side by side, as PNG, by their titles: points, (n, 2), and their classes, (n,),
    which give them their colours; and images, (height, width, 3), from 0 to 1."""
    figure = Figure(figsize=(2.4 * (len(spaces) + len(grids)), 2.7), layout="constrained")
    figure.suptitle(title, fontsize="medium")
    axes = figure.subplots(1, len(spaces) + len(grids), squeeze=False)[0]
    for axis, (name, (points, labels)) in zip(axes, spaces.items()):
        axis.scatter(*points.T, c=labels, cmap="tab10", s=3)
        axis.set_title(name, fontsize="small")
    for axis, (name, grid) in zip(axes[len(spaces) :], grids.items()):
        axis.imshow(grid, interpolation="nearest")
        axis.set_title(name, fontsize="small")
    for axis in axes:
        axis.set_axis_off()
    content = BytesIO()
    figure.savefig(content, format="png", dpi=70)
    return content.getvalue()


def draw_grid(images: np.ndarray, frames: np.ndarray | None = None) -> np.ndarray:
    """Set images from 0 to 1, (rows, columns, channels, size, size), beside each other, (height,
    width, 3), in frames of colours, (rows, columns, 3), white if None."""
    rows, columns, _, size, _ = images.shape
    side = size + 4 * FRAME
    tiles = np.ones((rows, columns, side, side, 3), "f")
    if frames is not None:
        tiles[:, :, FRAME:-FRAME, FRAME:-FRAME] = frames[:, :, None, None]
    inside = slice(2 * FRAME, 2 * FRAME + size)
    tiles[:, :, inside, inside] = np.clip(images, 0, 1).transpose(0, 1, 3, 4, 2)
    return tiles.transpose(0, 2, 1, 3, 4).reshape(rows * side, columns * side, 3)


def frame_retrieved(right: np.ndarray) -> np.ndarray:
    """The colours of frames for a query and what was retrieved: white, then green where the class
    is right, (queries, items), and red elsewhere: (queries, 1 + items, 3)."""
    colours = np.where(right[..., None], RIGHT, WRONG)
    return np.concatenate([np.full_like(colours[:, :1], WHITE), colours], axis=1)
