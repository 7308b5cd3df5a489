"""A table of tiny encoders of scikit-learn's digits."""

from dataclasses import replace

import pytest
import srsly
import torch
from safetensors.torch import load_file

from bigan_experiments.image_sets import load_digits
from bigan_experiments.image_table import Table
from bigan_experiments.recipes import RECIPES
from bigan_experiments.rows import (
    BIGAN,
    FINE_TUNED,
    TRIPLET,
    TRIPLET_BIGAN,
    Cell,
    Row,
    choose_weight,
    iter_rows,
    print_table,
    read_results,
)

CELL = Cell(width=4, labels=3, seed=0)


def shorten(recipe):
    """Few steps and channels; checkpoints after 0, 2 and 4 steps if there are any."""
    return replace(
        recipe,
        channels=2,
        pretraining=replace(recipe.pretraining, steps=6),
        joint=replace(recipe.joint, steps=2),
        alone=replace(recipe.alone, steps=2),
        checkpoints=recipe.checkpoints and (0, 2, 4),
    )


PAPER, OURS = (shorten(RECIPES[name]["digits"]) for name in ("paper", "ours"))


@pytest.fixture(scope="module")
def digits():
    return load_digits()


def test_the_two_recipes_have_the_nets_and_losses_of_their_sources(digits, tmp_path):
    ours, paper = (Table(digits, recipe, tmp_path).make_game(CELL) for recipe in (OURS, PAPER))
    assert ours.encoder.last.log_scale is None
    assert paper.encoder.last.log_scale is not None
    assert len(ours.discriminator.d_x) + 2 == len(paper.discriminator.d_x)  # and a rectifier
    assert ours.stabilizers.reconstruction == 3
    assert paper.stabilizers.reconstruction == 0
    assert RECIPES["paper"]["mnist5k"].starts == (0, 1000, 5000, 20_000)


def test_recipes_between_the_two_differ_in_one_thing():
    for name, whole, setting in (
        ("paper-without-noise", "paper", "stochastic"),
        ("ours-without-reconstruction", "ours", "stabilizers"),
    ):
        for images, recipe in RECIPES[name].items():
            expected = getattr(recipe, setting)
            assert recipe != RECIPES[whole][images]
            assert recipe == replace(RECIPES[whole][images], **{setting: expected})
    assert RECIPES["ours-without-reconstruction"]["digits"].stabilizers.reconstruction == 0


def test_rows_of_each_checkpoint_and_lambda():
    rows = list(iter_rows(PAPER))
    assert len(rows) == len(set(rows)) == 1 + 4 * 5
    joint = [row for row in rows if row.name == TRIPLET_BIGAN and row.pretraining == 4]
    assert [row.triplet_weight for row in joint] == [1, 10, 100]
    assert list(iter_rows(OURS)) == [
        Row(TRIPLET), Row(BIGAN, 6), Row(TRIPLET_BIGAN, 6, 100), Row(FINE_TUNED, 6),
    ]  # fmt: skip


def test_an_interrupted_table_continues_with_what_is_missing(digits, tmp_path):
    whole, interrupted = Table(digits, PAPER, tmp_path / "a"), Table(digits, PAPER, tmp_path / "b")
    whole.make(CELL)
    interrupted.pretrain(interrupted.make_game(CELL), CELL, 4)
    row, kept = Row(TRIPLET_BIGAN, 6, 10), Row(TRIPLET)
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


def test_held_out_items_are_not_trained_on(digits, tmp_path):
    table = Table(digits, PAPER, tmp_path)
    assert len(table.train) == 1297 - 500
    assert set(table.queries) == {"", "validation_"}
    assert len(Table(digits, OURS, tmp_path).train) == 1297


def write_row(folder, row, cell, **scores):
    content = {**row._asdict(), **cell._asdict(), "mean_average_precision": 0.5, **scores}
    srsly.write_json(folder / f"{row}{cell}.json", content)


def test_lambda_is_chosen_on_held_out_items(tmp_path):
    for seed, validation in enumerate([(0.5, 0.7, 0.6), (0.5, 0.4, 0.6)]):
        for weight, accuracy in zip(PAPER.triplet_weights, validation):
            row, cell = Row(TRIPLET_BIGAN, 4, weight), CELL._replace(seed=seed)
            scores = {"validation_accuracy": accuracy, "accuracy": 1 - accuracy}
            write_row(tmp_path, row, cell, **scores)
    results = read_results(tmp_path)
    assert choose_weight(results, PAPER, 4, 3, steps=4) == 100
    assert choose_weight(results, PAPER, 4, 3, steps=6) is None
    assert choose_weight(results, OURS, 4, 3, steps=6) == 100


def test_the_table_has_a_line_for_each_number_of_steps(tmp_path, capsys):
    for seed, accuracy in enumerate((0.6, 0.8, 0.9)):
        write_row(tmp_path, Row(TRIPLET), CELL._replace(seed=seed), accuracy=accuracy)
        if seed < 2:
            write_row(tmp_path, Row(BIGAN, 2), CELL._replace(seed=seed), accuracy=0.25)
    print_table(tmp_path, PAPER)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + 4
    assert len({line.count("|") for line in lines}) == 1
    assert "| Triplet BiGAN, 10 |" in lines[0]
    assert lines[3].startswith("| 4 | 3 | 2 | 2 | 0.700 ± 0.100 / 0.500 ± 0.000 | 0.250 ± 0.000")
