"""Recipes with objectives of their own, from articles to a trained pipeline."""

import numpy as np
import pytest
import spacy
import srsly

from tests.cli.conftest import run
from tests.conftest import make_article

SHORT = ("--training.max_steps", 2, "--training.eval_frequency", 2)
SCRIPTS = "projects/papers/scripts"
SKIP_THOUGHTS = "projects/papers/configs/skip_thoughts.cfg"
BIGAN = "projects/papers/configs/triplet_bigan.cfg"
TEXT = "The river meets the coast. A bank pays tax."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A corpus of whole paragraphs, and vectors of its words."""
    out = tmp_path_factory.mktemp("recipes")
    records = [make_article(number).to_dict() for number in range(20)]
    for record in records:
        for section in record["sections"]:
            section["paragraphs"] = [f"{p} It all happened there." for p in section["paragraphs"]]
    srsly.write_jsonl(out / "articles.jsonl", records)
    command = ("corpus", out / "articles.jsonl", out / "corpus", "--shares", "60/40/0")
    output = run(*command, "--sentences", "all")
    assert "others" in output
    words = np.array("river coast bank tax it all happened there .".split())
    vectors = np.random.default_rng(0).standard_normal((len(words), 4)).astype("f")
    np.savez(out / "vectors.npz", words=words, vectors=vectors)
    return out


def corpora(folder):
    return "--paths.train", folder / "corpus" / "train", "--paths.dev", folder / "corpus" / "dev"


def test_skip_thoughts_trains_and_resumes(folder):
    command = [
        "train", SKIP_THOUGHTS, "--code", f"{SCRIPTS}/skip_thoughts.py", "-o", folder / "skip",
        *corpora(folder),
        "--paths.vectors", folder / "vectors.npz",
    ]  # fmt: skip
    run(*command, *SHORT)
    output = run(*command, "--resume", "--training.max_steps", 3)
    assert "(step 3)" in output
    log = list(srsly.read_jsonl(folder / "skip" / "log.jsonl"))
    assert [line["step"] for line in log] == [0, 2, 3]
    assert log[-1]["other_scores"]["perplexity"] < log[0]["other_scores"]["perplexity"]
    nlp = spacy.load(folder / "skip" / "model-best")
    assert nlp(TEXT)._.thematic_vectors.shape == (2, 300)


def test_what_skip_thoughts_cannot_use_is_a_clear_error(folder):
    command = [
        "train",
        SKIP_THOUGHTS,
        "--code",
        f"{SCRIPTS}/skip_thoughts.py",
        "-o",
        folder / "bad",
        *corpora(folder),
    ]
    assert "no word vectors" in run(*command, status=1)
    assert "max_stepz" in run(*command, "--training.max_stepz", 2, status=1)


def test_triplet_bigan_trains(folder):
    text = (
        "--paths.unlabelled",
        folder / "corpus" / "train",
        "--objectives.structure.from_step",
        1,
    )
    output = folder / "bigan"
    code = ("--code", f"{SCRIPTS}/triplet_bigan.py")
    run("train", BIGAN, *code, "-o", output, *corpora(folder), *text, *SHORT)
    assert "bigan_L_D" in list(srsly.read_jsonl(output / "log.jsonl"))[-1]["other_scores"]
    assert spacy.load(output / "model-best")(TEXT)._.thematic_vectors.shape == (2, 256)
