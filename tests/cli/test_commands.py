"""The commands as a user calls them, with good and with bad input."""

import bz2
import os
import re
import signal

import pytest
import spacy
import srsly

from spacy_thematic.evaluation import encoders
from spacy_thematic.pretrained import list_bundled
from tests.cli.conftest import run
from tests.conftest import make_article
from tests.training.conftest import act_before_step


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("source") / "articles.jsonl"
    srsly.write_jsonl(path, [make_article(number).to_dict() for number in range(50)])
    return path


@pytest.fixture(scope="module")
def corpus(source):
    out = source.parent / "corpus"
    run("corpus", source, out, "--shares", "60/20/20")
    return out


@pytest.fixture(scope="module")
def model(corpus):
    out = corpus.parent / "training"
    run(
        "train", "configs/fast.cfg", "-o", out, "--paths.train", corpus / "train", "--paths.dev",
        corpus / "dev", "--training.max_steps", 6, "--training.eval_frequency", 3,
        "--training.batcher.size", 1000,
    )  # fmt: skip
    return out / "model-best"


def test_corpus_reports_what_it_made(corpus):
    statistics = srsly.read_json(corpus / "statistics.json")
    assert statistics["read"]["articles read"] == 50
    assert statistics["train"]["triplets"] > 1000
    assert {path.name for path in corpus.iterdir()} == {
        "train", "dev", "test", "clustering", "clustering.csv", "statistics.json",
    }  # fmt: skip


def test_corpus_says_what_it_dropped_and_warns_of_no_split_that_is_asked_to_be_empty(tmp_path):
    articles = [make_article(number) for number in range(20)]
    for article in articles[:3]:
        del article.sections[4:]
    srsly.write_jsonl(tmp_path / "a.jsonl", [article.to_dict() for article in articles])
    output = run("corpus", tmp_path / "a.jsonl", tmp_path / "out", "--shares", "60/40/0")
    assert "too few sections (fewer than 5): 3 (--min-sections 2 keeps those with two)" in output
    assert "17 of 20 articles kept" in output
    assert "split is empty" not in output
    # A single article cannot be in two.
    srsly.write_jsonl(tmp_path / "a.jsonl", [articles[-1].to_dict()])
    output = run("corpus", tmp_path / "a.jsonl", tmp_path / "out", "--shares", "1000/1/0")
    assert "The dev split is empty" in output
    assert "The test split is empty" not in output


def test_articles_of_few_sections_are_in_the_clustering_benchmark_too(tmp_path):
    articles = [make_article(number) for number in range(20)]
    for article in articles:
        del article.sections[4:]
    srsly.write_jsonl(tmp_path / "a.jsonl", [article.to_dict() for article in articles])
    run("corpus", tmp_path / "a.jsonl", tmp_path / "out", "--min-sections", 3)
    statistics = srsly.read_json(tmp_path / "out" / "statistics.json")
    assert statistics["clustering"]["articles"] == statistics["test"]["articles"] > 0


def test_resume_goes_on_from_the_checkpoint(model, corpus):
    out = model.parent
    command = (
        "train", "configs/fast.cfg", "-o", out, "--resume", "--paths.train", corpus / "train",
        "--paths.dev", corpus / "dev", "--training.max_steps", 9, "--training.eval_frequency", 3,
        "--training.batcher.size", 1000,
    )  # fmt: skip
    ended = "The run had ended after step 9"
    output = run(*command)
    assert "(step 9)" in output and ended not in output
    assert ended in run(*command)
    steps = [line["step"] for line in srsly.read_jsonl(out / "log.jsonl")]
    assert steps[-1] == 9
    assert steps[:3] == [0, 3, 6]


def test_columns_of_the_table_have_different_names(corpus, tmp_path):
    output = run(
        "train", "configs/fast.cfg", "-o", tmp_path, "--paths.train", corpus / "train",
        "--paths.dev", corpus / "dev", "--training.max_steps", 1,
    )  # fmt: skip
    assert output.count("THEMATIC_A") == 1
    nlp = spacy.load(tmp_path / "model-last")
    assert [sent.text for sent in nlp("- tea\n- soup").sents] == ["- tea\n", "- soup"]


def test_ctrl_c_ends_training_with_130_and_what_was_learned_is_saved(corpus, tmp_path, monkeypatch):
    act_before_step(monkeypatch, 2, lambda: os.kill(os.getpid(), signal.SIGINT))
    output = run(
        "train", "configs/fast.cfg", "-o", tmp_path, "--paths.train", corpus / "train",
        "--paths.dev", corpus / "dev", "--training.max_steps", 6, status=130,
    )  # fmt: skip
    assert "Interrupted after step" in output
    assert (tmp_path / "model-last" / "config.cfg").is_file()
    (tmp_path / "checkpoint.msgpack").touch()
    act_before_step(monkeypatch, 1, lambda: os.kill(os.getpid(), signal.SIGINT))
    output = run(
        "train", "configs/fast.cfg", "-o", tmp_path, "--paths.train", corpus / "train",
        "--paths.dev", corpus / "dev", "--training.max_steps", 6, status=130,
    )  # fmt: skip
    assert "To go on from the checkpoint there, stop it and add --resume" in output


def test_evaluate_on_a_corpus_and_on_a_source(model, corpus, source, tmp_path):
    output = run("evaluate", model, corpus, "-o", tmp_path / "metrics.json")
    assert "name a pipeline with word vectors: --vectors" in output
    metrics = srsly.read_json(tmp_path / "metrics.json")
    assert list(metrics["models"]) == [
        "thematic_embedder",
        *list_bundled("en", slow=True),
        "random",
    ]
    for row in (model, *list_bundled("en", slow=True), "chance"):
        number = r"-?[01]\.\d+"
        assert re.search(rf"{row} {number} \({number} to {number}\) {number} \(", output), row
    n_articles = metrics["data"]["articles"]
    assert n_articles < 20
    assert metrics["verdict"].startswith("Too few to say which model to use")
    assert f"{n_articles} documents" in metrics["verdict"] and metrics["verdict"] in output
    assert "✔" not in output
    assert "On articles that it was trained on or adapted to" in output
    assert "is not in the table" not in output
    ours = metrics["models"]["thematic_embedder"]
    assert ours["thematic_accuracy"] > 0.8
    assert ours["clustering"]["kmeans"]["ami"] > 0.3
    output = run("evaluate", model, source, "-o", tmp_path / "all.json", "--no-bundled")
    metrics = srsly.read_json(tmp_path / "all.json")
    assert metrics["data"]["articles"] == 50
    assert list(metrics["models"]) == ["thematic_embedder", "random"]
    assert f"✔ {model} scores better than chance on these 50 documents." in output


def test_evaluate_says_what_it_left_out_and_that_it_clustered_nothing(model, corpus, tmp_path):
    few = tmp_path / "few.jsonl"
    articles = [make_article(number) for number in range(3)]
    del articles[0].sections[4:]
    srsly.write_jsonl(few, [article.to_dict() for article in articles])
    arguments = ["-o", tmp_path / "few.json", "--no-bundled"]
    output = run("evaluate", model, few, *arguments)
    assert "too few sections (fewer than 5): 1 (--min-sections 2 keeps those with two)" in output
    assert "2 articles; clustering of 2 articles" in output
    output = run("evaluate", model, corpus / "test", *arguments)
    assert "Nothing was clustered" in output


def test_a_bundled_model_is_not_measured_twice(corpus, tmp_path):
    output = run("evaluate", "en_thematic_sm", corpus, "-o", tmp_path / "metrics.json")
    assert "that it was trained on" not in output
    others = [name for name in list_bundled("en", slow=True) if name != "en_thematic_sm"]
    models = srsly.read_json(tmp_path / "metrics.json")["models"]
    assert list(models) == ["thematic_embedder", *others, "random"]


def test_slow_models_are_measured_on_few_sentences(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr(encoders, "MAX_SLOW_SENTENCES", 10)
    output = run("evaluate", "en_thematic_sm", corpus, "-o", tmp_path / "metrics.json")
    assert "en_thematic_lg is not in the table: it would take minutes for" in output
    models = srsly.read_json(tmp_path / "metrics.json")["models"]
    assert list(models) == ["thematic_embedder", "en_thematic_md", "random"]


@pytest.mark.parametrize("name", ["bundled", "exported"])
def test_cluster_shows_the_articles_of_a_corpus(model, corpus, tmp_path, name):
    chosen = "en_thematic_sm"
    if name == "exported":
        chosen = tmp_path / "mine.safetensors"
        run("export", model, chosen)
    page = tmp_path / "page.html"
    run("cluster", corpus, "-m", chosen, "--per-document", "--pages", 2, "--html", page)
    assert page.read_text().count("are known.") >= 40
    assert page.read_text().count('class="sentence') >= 40


def test_a_table_of_word_vectors_is_trained_on_as_it_is(corpus, tmp_path):
    table = tmp_path / "glove.txt"
    table.write_text("river 1 2 3\nnew york 4 5 6\ncoast 7 8 9\n")
    command = [
        "train", "configs/fast.cfg", "-o", tmp_path / "out", "--paths.train", corpus / "train",
        "--paths.dev", corpus / "dev", "--training.max_steps", 1, "--training.eval_frequency", 1,
        "--paths.vectors",
    ]  # fmt: skip
    run(*command, table)
    nlp = spacy.load(tmp_path / "out" / "model-best")
    assert nlp.config["paths"]["vectors"] == str(table)
    table.write_text("river 1 2 3\nsea 4 x 6\n")
    assert f"Line 2 of {table}" in run(*command, table, status=1)
    assert "not installed" in run(*command, "package:nowhere/x", status=1)


@pytest.mark.parametrize("name", ["inspect", "join", "report", "vectors"])
def test_a_retired_command_says_what_does_its_work(name):
    assert f"There is no {name} any more: " in run(name, "a", "--option", "b", status=1)


def test_a_retired_option_says_what_does_its_work():
    assert "No such option: --titles any more: it is --headings" in run(
        "cluster", "a", "--titles", status=2
    )


def test_bad_sources_are_named(tmp_path, source):
    out = tmp_path / "corpus"
    assert "no file or folder" in run("corpus", tmp_path / "nowhere", out, status=1)
    broken = tmp_path / "broken.jsonl"
    lines = source.read_text().splitlines()
    lines[6] = '{"title": 3}'
    broken.write_text("\n".join(lines))
    error = run("corpus", broken, out, status=1)
    assert "line 7" in error
    assert "--skip-bad" in error
    assert not out.exists()
    run("corpus", broken, out, "--skip-bad")
    assert srsly.read_json(out / "statistics.json")["read"]["skipped"] == {"bad record": 1}


def test_a_truncated_bz2_is_kept_up_to_the_break_and_reported(tmp_path, source):
    whole = b"".join(bz2.compress(line) for line in source.read_bytes().splitlines(keepends=True))
    path = tmp_path / "cut.jsonl.bz2"
    path.write_bytes(whole[: len(whole) * 3 // 4])
    output = run("corpus", path, tmp_path / "corpus", "--skip-bad")
    assert "breaks off" in output
    statistics = srsly.read_json(tmp_path / "corpus" / "statistics.json")
    assert 30 <= statistics["read"]["articles read"] < 50
    assert statistics["read"]["problems"]


def test_nothing_but_a_corpus_or_a_pipeline_is_replaced(tmp_path, source):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "thesis.txt").write_text("years of work")
    assert "other things in it" in run("corpus", source, folder, status=1)
    assert (folder / "thesis.txt").read_text() == "years of work"


def test_no_article_with_enough_sections_is_an_error(tmp_path, source):
    error = run("corpus", source, tmp_path / "c", "--min-sections", 9, status=1)
    assert "None of the 50 articles gives a triplet" in error
    assert "--min-sections" in error


@pytest.mark.parametrize("shares", ["80/20", "a/b/c", "-1/1/1", "0/0/0", "nan/1/1"])
def test_bad_shares_are_named(tmp_path, source, shares):
    assert "--shares" in run("corpus", source, tmp_path / "c", f"--shares={shares}", status=1)


def test_training_without_config_or_corpus_is_named(tmp_path):
    assert "no config at nowhere.cfg" in run("train", "nowhere.cfg", "-o", tmp_path, status=1)
    error = run("train", "configs/fast.cfg", "-o", tmp_path, "--paths.train", "gone", status=1)
    assert "Cannot read a corpus from gone" in error


def test_settings_that_do_not_exist_are_named(tmp_path, corpus):
    error = run(
        "train", "configs/fast.cfg", "-o", tmp_path / "o", "--paths.train", corpus / "train",
        "--paths.dev", corpus / "dev", "--training.nope", 3, status=1,
    )  # fmt: skip
    assert "no setting nope" in error
    assert "--nope" in run("train", "configs/fast.cfg", "-o", tmp_path / "o", "--nope", status=1)


def test_outputs_that_cannot_be_written_are_named_before_the_work(model, corpus, tmp_path):
    assert "is a folder" in run("evaluate", model, corpus, "-o", tmp_path, status=1)
    (tmp_path / "file").write_text("mine")
    run("evaluate", model, corpus, "-o", tmp_path / "file" / "metrics.json", status=1)
    assert (tmp_path / "file").read_text() == "mine"


def test_links_and_relative_parts_of_an_output_are_followed(source, tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "disk")
    for _ in range(2):
        run("corpus", source, tmp_path / "disk" / ".." / "link", "--limit", 20)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "disk" / "statistics.json").is_file()
    assert {path.name for path in tmp_path.iterdir()} == {"disk", "link"}


def test_a_wrong_model_is_named(corpus, tmp_path):
    assert "not installed" in run("evaluate", "no_such_model", corpus, status=1)
    spacy.blank("en").to_disk(tmp_path / "blank")
    assert "no thematic_embedder" in run("evaluate", tmp_path / "blank", corpus, status=1)
