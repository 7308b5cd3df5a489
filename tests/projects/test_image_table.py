"""A table of tiny encoders of scikit-learn's digits."""

from dataclasses import replace

import pytest
import srsly
import torch
from safetensors.torch import load_file

from bigan_experiments.image_sets import load_digits
from bigan_experiments.image_table import (
    BIGAN,
    FINE_TUNED,
    RECIPES,
    TRIPLET,
    TRIPLET_BIGAN,
    Cell,
    Row,
    Table,
    iter_rows,
)
from bigan_images import draw_row, list_cells, main
from tests.projects.test_image_sets import write_cifar10, write_svhn

CELL = Cell(width=4, labels=3, seed=0)
RECIPE = replace(RECIPES["digits"], channels=2, pretraining=4, joint=2)


@pytest.fixture(scope="module")
def digits():
    return load_digits()


def test_the_games_objective_is_that_of_the_paper(digits, tmp_path):
    assert Table(digits, RECIPE, tmp_path).make_game(CELL).gradient_penalty == 0


def test_rows_of_each_lambda():
    assert list(iter_rows(RECIPE)) == [
        Row(TRIPLET), Row(BIGAN), Row(TRIPLET_BIGAN, 1), Row(TRIPLET_BIGAN, 10),
        Row(TRIPLET_BIGAN, 100), Row(FINE_TUNED),
    ]  # fmt: skip


def test_the_cells_are_those_of_the_papers_tables():
    cells = list_cells([16, 64, 128], [100, 500], 2)
    first = [(64, 500), (64, 100), (16, 500), (128, 500)]
    assert cells == [Cell(*place, seed) for seed in (0, 1) for place in first]
    assert list_cells([4, 8], [3], 1) == [Cell(8, 3, 0), Cell(4, 3, 0)]


def test_an_interrupted_table_continues_with_what_is_missing(digits, tmp_path):
    whole = Table(digits, RECIPE, tmp_path / "a")
    interrupted = Table(digits, RECIPE, tmp_path / "b")
    whole.make(CELL)
    interrupted.pretrain(interrupted.make_game(CELL), CELL, 4)
    row, kept = Row(TRIPLET_BIGAN, 10), Row(TRIPLET)
    interrupted.make(CELL)
    paths = [table.path(row, CELL).with_suffix(".safetensors") for table in (whole, interrupted)]
    weights = [load_file(path) for path in paths]
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])
    finished = srsly.read_json(whole.path(row, CELL))
    assert finished["triplet_weight"] == 10
    assert 0 < finished["validation_accuracy"] < 1
    whole.path(row, CELL).unlink()
    times = whole.path(kept, CELL).stat().st_mtime_ns
    whole.make(CELL)
    again = srsly.read_json(whole.path(row, CELL))
    assert again["accuracy"] == finished["accuracy"]
    assert whole.path(kept, CELL).stat().st_mtime_ns == times
    assert draw_row(whole, row, CELL).startswith(b"\x89PNG")


def test_a_bigan_has_as_many_steps_as_a_triplet_bigan(digits, tmp_path):
    table = Table(digits, RECIPE, tmp_path)
    table.make(CELL)
    steps = {int(path.stem.split("-")[-1]) for path in (tmp_path / "pretrained").glob("*.json")}
    assert steps == {4, 4 + 2}


def test_held_out_items_are_not_trained_on(digits, tmp_path):
    table = Table(digits, RECIPE, tmp_path)
    assert len(table.train) == 1297 - 100
    assert set(table.queries) == {"", "validation_"}


@pytest.mark.parametrize(("name", "write"), [("cifar10", write_cifar10), ("svhn", write_svhn)])
def test_the_command_reads_the_published_files(name, write, tmp_path, monkeypatch):
    write(tmp_path, 6)
    monkeypatch.setitem(
        RECIPES, name, replace(RECIPES[name], channels=2, pretraining=2, joint=1, validation=2)
    )
    options = ["--widths", "4", "--labels", "3", "--seeds", "1"]
    command = ["bigan_images.py", name, tmp_path / "out", "--data", tmp_path, *options]
    monkeypatch.setattr("sys.argv", list(map(str, command)))
    main()
    rows = list(srsly.read_jsonl(tmp_path / "out" / f"{name}.jsonl"))
    assert len(rows) == 6
    assert {row["name"] for row in rows} == {TRIPLET, BIGAN, TRIPLET_BIGAN, FINE_TUNED}
