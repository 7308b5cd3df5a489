import numpy as np
import pytest
import spacy
import srsly

from tests.cli.conftest import run
from tests.conftest import THEMES

RECIPE = "configs/skip_thoughts.cfg"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Articles of paragraphs of two sentences, and word vectors."""
    out = tmp_path_factory.mktemp("skip_thoughts")
    paragraphs = [f"They know {words}. Others know {words} too." for words in THEMES.values()]
    sections = [{"title": "All", "level": 2, "paragraphs": paragraphs}]
    articles = [{"title": f"Land {number}", "sections": sections} for number in range(9)]
    srsly.write_jsonl(out / "articles.jsonl", articles)
    words = np.array(["they", "others", "know", "too", "."])
    vectors = np.random.default_rng(0).standard_normal((5, 4)).astype("f")
    np.savez(out / "vectors.npz", words=words, vectors=vectors)
    run("vectors", out / "vectors.npz", out / "vectors")
    return out


def test_skip_thoughts_trains_and_resumes(folder):
    command = [
        "skip-thoughts", RECIPE, folder / "articles.jsonl", "-o", folder / "out", "--dev-share",
        0.4, "--paths.vectors", folder / "vectors", "--skip_thoughts.eval_frequency", 2,
        "--skip_thoughts.max_epochs", 0, "--skip_thoughts.max_steps",
    ]  # fmt: skip
    output = run(*command, 2)
    assert "108 sentences in 54 paragraphs" in output
    assert "step 2 of 2: loss" in output
    output = run(*command, 3, "--resume")
    assert "step 3 of 3: loss" in output
    assert [line["step"] for line in srsly.read_jsonl(folder / "out" / "log.jsonl")] == [1, 2, 3]
    nlp = spacy.load(folder / "out" / "model-last")
    assert nlp("They know. Others too.")._.thematic_vectors.shape == (2, 300)


def test_what_skip_thoughts_cannot_use_is_a_clear_error(folder):
    command = ["skip-thoughts", RECIPE, folder / "articles.jsonl", "-o", folder / "bad"]
    assert "no word vectors" in run(*command, status=1)
    vectors = ["--paths.vectors", folder / "vectors"]
    assert "max_stepz" in run(*command, *vectors, "--skip_thoughts.max_stepz", 2, status=1)
