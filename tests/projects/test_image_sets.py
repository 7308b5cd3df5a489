"""Loaders of image sets on small files of the published formats, written here."""

import numpy as np
import pytest
from scipy.io import savemat

from bigan_experiments.image_sets import (
    ImageSet,
    draw_labelled,
    hold_out_last,
    load_cifar10,
    load_digits,
    load_svhn,
)

CIFAR_FILES = [*(f"data_batch_{number}.bin" for number in range(1, 6)), "test_batch.bin"]


def write_cifar10(folder, n=2):
    rng = np.random.default_rng(0)
    written = {}
    for number, name in enumerate(CIFAR_FILES):
        images = rng.integers(256, size=(n, 3, 32, 32), dtype="uint8")
        labels = np.full(n, number, "uint8")
        records = np.concatenate([labels[:, None], images.reshape(n, -1)], axis=1)
        (folder / name).write_bytes(records.tobytes())
        written[name] = images
    return written


def test_cifar10(tmp_path):
    written = write_cifar10(tmp_path)
    images = load_cifar10(tmp_path)
    assert images.train.shape == (10, 3, 32, 32)
    assert images.train_labels.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert images.test_labels.tolist() == [5, 5]
    second = written["data_batch_2.bin"][1].astype("f") / 255
    assert np.allclose(images.train[3], second)
    assert images.test.min() >= 0
    assert images.test.max() <= 1


def test_damaged_cifar10_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="data_batch_1"):
        load_cifar10(tmp_path)
    write_cifar10(tmp_path)
    whole = (tmp_path / "data_batch_3.bin").read_bytes()
    (tmp_path / "data_batch_3.bin").write_bytes(whole[:-1])
    with pytest.raises(ValueError, match=r"data_batch_3.bin has 6,145 bytes"):
        load_cifar10(tmp_path)
    (tmp_path / "data_batch_3.bin").write_bytes(b"\x0a" + whole[1:])
    with pytest.raises(ValueError, match="label 10"):
        load_cifar10(tmp_path)


def write_svhn(folder, n=2):
    """Three classes with so many items each."""
    labels = np.repeat([1, 10, 9], n)[:, None]
    images = np.random.default_rng(0).integers(256, size=(32, 32, 3, 3 * n), dtype="uint8")
    for name in ("train", "test"):
        savemat(folder / f"{name}_32x32.mat", {"X": images, "y": labels})


def test_svhn(tmp_path):
    rng = np.random.default_rng(0)
    images = rng.integers(256, size=(32, 32, 3, 4), dtype="uint8")
    for name in ("train", "test"):
        savemat(tmp_path / f"{name}_32x32.mat", {"X": images, "y": np.array([[1], [10], [9], [3]])})
    loaded = load_svhn(tmp_path)
    assert loaded.train_labels.tolist() == [1, 0, 9, 3]
    assert loaded.test.shape == (4, 3, 32, 32)
    assert loaded.test[2, 1, 5, 7] == pytest.approx(images[5, 7, 1, 2] / 255)


def test_damaged_svhn_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="train_32x32"):
        load_svhn(tmp_path)
    (tmp_path / "train_32x32.mat").write_bytes(b"nonsense" * 100)
    with pytest.raises(ValueError, match=r"train_32x32.mat is not a .mat file with X and y"):
        load_svhn(tmp_path)
    savemat(tmp_path / "train_32x32.mat", {"X": np.zeros((32, 32, 3, 4)), "y": np.ones((5, 1))})
    with pytest.raises(ValueError, match="5 labels"):
        load_svhn(tmp_path)


def test_digits_and_labels_of_each_class():
    digits = load_digits()
    assert digits.train.shape == (1297, 1, 8, 8)
    assert digits.train.min() == 0
    assert digits.train.max() == 1
    rows = draw_labelled(digits.train_labels, 5, seed=0)
    assert np.bincount(digits.train_labels[rows]).tolist() == [5] * 10
    with pytest.raises(ValueError, match="fewer than 500"):
        draw_labelled(digits.train_labels, 500, seed=0)


def test_the_last_items_of_each_class_are_held_out():
    labels = np.array([0, 1, 0, 1, 1, 0])
    images = ImageSet(np.arange(6), labels, np.array([9]), np.array([1]))
    rest, held_out, held_out_labels = hold_out_last(images, 2)
    assert rest.train.tolist() == [0, 1]
    assert rest.train_labels.tolist() == [0, 1]
    assert held_out.tolist() == [2, 3, 4, 5]
    assert held_out_labels.tolist() == [0, 1, 1, 0]
    assert rest.test.tolist() == [9]
    everything, none, _ = hold_out_last(images, 0)
    assert everything.train.tolist() == list(range(6))
    assert len(none) == 0
    with pytest.raises(ValueError, match="Class 0 has 3 training items, so 3 cannot be held out"):
        hold_out_last(images, 3)
