"""A table of tiny encoders of scikit-learn's digits."""

from dataclasses import replace

import pytest
import srsly
import torch
from safetensors.torch import load_file

from bigan_experiments.fit import Schedule, triplets_of_classes
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
    # Tables 2, 4, 6 and 8 of SVHN: each width with 200 labels, up to 400 with m = 64.
    svhn = list_cells([16, 32, 64, 256], [100, 200, 400], 1, 200)
    places = {(64, 100), (64, 200), (64, 400), (16, 200), (32, 200), (256, 200)}
    assert svhn[0] == Cell(64, 200, 0)
    assert {cell[:2] for cell in svhn} == places and len(svhn) == 6


def test_triplet_is_trained_to_its_best_on_held_out_items(digits, tmp_path):
    table = Table(digits, RECIPE, tmp_path)
    game, measures = table.train_row(Row(TRIPLET), CELL)
    rows = table.labelled(CELL)
    triplets = triplets_of_classes(table.train[rows], table.images.train_labels[rows])
    found = {}
    for steps in range(1, RECIPE.pretraining + RECIPE.joint + 1):
        plain = table.make_game(CELL)
        table.fit(plain, Schedule(steps, game_weight=0), CELL.seed, triplets)
        scores = table.score(plain.encoder, CELL)
        key = scores["validation_accuracy"], scores["validation_mean_average_precision"]
        found[steps] = key, plain.encoder.state_dict()
    assert measures["steps"] == max(found, key=lambda steps: found[steps][0])
    best, kept = found[measures["steps"]][1], game.encoder.state_dict()
    assert all(torch.equal(best[name], kept[name]) for name in best)


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


def test_a_missing_file_is_said_in_a_line(tmp_path, monkeypatch, capsys):
    command = ["bigan_images.py", "svhn", str(tmp_path / "out"), "--data", str(tmp_path)]
    monkeypatch.setattr("sys.argv", command)
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 1
    assert "train_32x32.mat does not exist" in " ".join(capsys.readouterr().out.split())
