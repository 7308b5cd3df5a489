"""`thematic benchmark`, as a user calls it."""

import json

import numpy as np
import pytest
import srsly

from spacy_thematic.papers.claims import find_place
from spacy_thematic.pretrained import list_bundled
from tests.cli.conftest import flat, invoke
from tests.conftest import make_article
from tests.papers.test_relatedness import write_splits

BUNDLED_MODELS = sorted(list_bundled("en"), key=find_place)


def run(*args, status: int = 0) -> str:
    return flat(invoke("benchmark", *args, status=status))


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    articles = [make_article(number) for number in range(6)]
    srsly.write_jsonl(folder / "articles.jsonl", [article.to_dict() for article in articles])
    (folder / "sick").mkdir()
    write_splits(folder / "sick")
    words = "river mountain market trade opera guitar football church school known".split()
    vectors = np.random.default_rng(0).normal(size=(len(words), 8)).astype("f")
    np.savez(folder / "vectors.npz", words=np.array(words), vectors=vectors)
    rows = ["Article Title,Sentence,SectionTitle,Article Link"]
    for article in articles:
        for section in article.sections[1:]:
            rows += [f"{article.title},{p},{section.title},link" for p in section.paragraphs]
    (folder / "dataset.csv").write_text("\n".join(rows))
    return folder


def test_all_tables_are_printed_and_written_and_a_second_run_measures_nothing(inputs, tmp_path):
    arguments = [
        "--articles", inputs / "articles.jsonl", "--sick", inputs / "sick", "--vectors",
        inputs / "vectors.npz", "--models", "en_thematic_sm", "--models", "again=en_thematic_sm",
        "--models", "again=en_thematic_sm", "--triplets", 60, "-o", tmp_path,
    ]  # fmt: skip
    output = run(*arguments)
    assert output.count("## Table") == 4
    assert "SICK as released" in output
    made = json.loads((tmp_path / "tables.json").read_text())
    names = ["random", "tf-idf", "mean-vectors", "sif", *BUNDLED_MODELS, "again"]
    assert [line["row"] for line in made["tables"]["3"]] == names
    assert made["tables"]["3"][4]["cosine"]["value"] > 0.8
    assert made["tables"]["3"][-1]["cosine"]["standard error"] == 0
    assert "Too few to say which model to use: 6 documents with 60 triplets" in output
    assert "✔" not in output
    assert "60 triplets of 6 articles" in made["data"]
    assert "120 sentences (20.0 an article, of 10 to 10 tokens)" in made["data"]
    trained = {line["row"]: line for line in made["trained"]}
    assert set(trained) == {*BUNDLED_MODELS, "again"} == set(made["may have seen"])
    assert {path.name for path in tmp_path.iterdir()} == {
        "scores", "tables.md", "tables.json", "accuracy_by_speed.svg", "ami_by_sections.svg",
    }  # fmt: skip
    before = (tmp_path / "tables.json").read_text()
    run(*arguments)
    assert (tmp_path / "tables.json").read_text() == before


def test_the_released_benchmark_is_clustered_as_it_is(inputs, tmp_path):
    run(
        "--table", 4, "--clustering", inputs / "dataset.csv", "--no-bundled", "--models",
        "en_thematic_sm", "-o", tmp_path,
    )  # fmt: skip
    made = json.loads((tmp_path / "tables.json").read_text())
    assert "Clustering of 6 articles" in made["data"]
    assert "120 sentences" in made["data"]
    assert {line["row"] for line in made["tables"]["4"]} == {"random", "tf-idf", "en_thematic_sm"}
    ours = [line for line in made["tables"]["4"] if line["row"] == "en_thematic_sm"]
    assert ours[0]["AMI max"]["value"] > 0.5


def test_bad_input_is_named(inputs, tmp_path):
    out = ("-o", tmp_path / "out")
    articles = ("--articles", inputs / "articles.jsonl")
    assert "no table 7" in run("-t", 7, *articles, *out, status=1)
    assert "Nothing to measure on" in run(*out, status=1)
    (tmp_path / "tables.md").write_text("mine")
    assert "name a new folder" in run(*articles, "-o", tmp_path, status=1)
    missing = tmp_path / "missing.jsonl"
    error = run("--articles", missing, "--models", "nowhere", *out, status=1)
    assert "not installed" in error  # before anything is read
    error = run(*articles, "--min-sections", 9, *out, status=1)
    assert "too few sections (fewer than 9): 6 (--min-sections 2 keeps those with two)" in error
    assert "try a lower --min-sections" in error
    assert "no pairs of the split" in run("--sick", tmp_path, *out, status=1)
    assert "a/b" in run(*articles, "--models", "a/b=en_thematic_sm", *out, status=1)
    twice = ("--models", "sen=en_thematic_sm", "--peers", "sen=wordllama")
    assert "Two rows" in run(*articles, *twice, *out, status=1)


def test_seeds_are_numbered_by_name(inputs, tmp_path):
    arguments = ["--table", 3, "--no-bundled", "--articles", inputs / "articles.jsonl"]
    for seed in (3, 1):
        run(*arguments, "--models", f"sen@{seed}=en_thematic_sm", "-o", tmp_path)
    made = json.loads((tmp_path / "tables.json").read_text())
    assert len(made["tables"]["3"][-1]["cosine"]["seeds"]) == 2
    other = run(*arguments, "--triplets", 5, "-o", tmp_path)
    assert "has their scores on other articles, or other triplets: sen" in " ".join(other.split())
    twice = ["--models", "sen@1=en_thematic_sm", "--models", "sen@1=en_thematic_md"]
    assert 'Two pipelines are seed 1 of "sen": number all' in run(*arguments, *twice, status=1)
