"""The nets that the paper compares, and their findings, by the scripts that a user runs."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import spacy
import srsly

from findings import _extrapolate, find_nets, mark_unequal, read_curve, summarise
from paper_nets import NETS
from spacy_thematic.pipeline.training_record import read_records
from spacy_thematic.triplets.corpus_builder import build_corpus
from spacy_thematic.triplets.rules import CorpusSettings
from tests.conftest import THEMES, make_article

PROJECT = Path(__file__).parents[2] / "projects" / "papers"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("paper")
    for name, kind in (("sen", "sen"), ("titles", "titles")):
        articles = (make_article(number) for number in range(30))
        settings = CorpusSettings(kind=kind, shares=(50, 25, 25))
        build_corpus(articles, out / "corpora" / name, settings)
    nlp = spacy.blank("en")
    nlp.vocab.reset_vectors(width=8)
    rng = np.random.default_rng(0)
    for word in " ".join(["The and are known .", *THEMES, *THEMES.values()]).split():
        nlp.vocab.set_vector(word.lower(), rng.standard_normal(8).astype("f"))
    nlp.to_disk(out / "vectors")
    return out


def run_script(name: str, *args) -> subprocess.CompletedProcess:
    command = [sys.executable, PROJECT / "scripts" / f"{name}.py", *map(str, args)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    # Messages are wrapped.
    done.stdout = " ".join(done.stdout.split())
    return done


def test_nets_are_trained_compared_and_not_trained_twice(folder):
    arguments = [folder / "corpora", folder / "vectors", folder / "nets", "--seed", 0]
    only = ["--only", "sen-64", "--only", "titles-64", "--only", "rand-article-64"]
    done = run_script("paper_nets", *arguments, *only, "--processes", 2)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "for nets of rand-article" in done.stdout
    assert set(find_nets(folder / "nets")) == {"sen-64", "titles-64"}
    config = spacy.util.load_config(folder / "nets" / "sen-64-0" / "config.cfg")
    assert config["components"]["thematic_embedder"]["model"]["hidden_width"] == 64
    meta = srsly.read_json(folder / "nets" / "sen-64-0" / "model-best" / "meta.json")
    assert [record["articles"] for record in read_records(meta)] == [13]
    again = run_script("paper_nets", *arguments, *only)
    assert again.returncode == 0 and "sen-64, seed 0: trained before" in again.stdout
    assert "dev accuracy" not in again.stdout
    # A trial would stand in the tables as if it were the net.
    trial = run_script("paper_nets", *arguments, "--only", "sen-64", "--max-steps", 1)
    assert trial.returncode == 1 and "sen-64-0 holds something else" in trial.stdout
    arguments[2] = folder / "tried"
    tried = run_script("paper_nets", *arguments, "--only", "sen-64", "--max-steps", 1)
    assert tried.returncode == 0, tried.stdout + tried.stderr
    steps = [line["step"] for line in srsly.read_jsonl(folder / "tried" / "sen-64-0" / "log.jsonl")]
    assert steps == [0, 1]

    made = run_script(
        "findings", folder / "nets", folder / "out", "--articles", folder / "corpora" / "sen",
        "--vectors", folder / "vectors",
    )  # fmt: skip
    assert made.returncode == 0, made.stdout + made.stderr
    text = (folder / "out" / "FINDINGS.md").read_text()
    assert "| sen-titles-64 - sen-64 | AMI max, Iclust | the paper |" in text
    assert "| sen-64 | BiLSTMAttention | 13 |" in text
    assert "Too few to say what holds" in text
    assert "| Titles add to sentences | h = 64 | the paper |" not in text
    assert "| Triplets are above pairs | h = 64 | the paper | siamese-64 |" in text
    assert "| Triplets are above pairs | paper's width | the paper | sen, siamese |" in text
    joined = spacy.load(folder / "nets" / "sen-titles-plain-64-0" / "model-best")
    assert joined.get_pipe("thematic_embedder").model.get_dim("nO") == 256


def test_nothing_to_do_and_wrong_folders_are_said(folder):
    arguments = [folder / "corpora", folder / "vectors", folder / "none"]
    for wrong in (["--only", "sen-64", "--seed", 7], ["--only", "rand-article"]):
        done = run_script("paper_nets", *arguments, *wrong)
        assert done.returncode and "Traceback" not in done.stderr
    nowhere = run_script("findings", folder / "none", folder / "out2")
    assert nowhere.returncode == 1 and "is no folder" in nowhere.stdout + nowhere.stderr


def test_a_claim_is_summed_up_in_a_line():
    def line(first, second, measure, verdict):
        return {
            "claim": "A is above B",
            **{"first": first, "second": second, "measure": measure, "verdict": verdict},
            "note": "",
        }

    lines = [
        line("sen", "sif", "accuracy", "holds"),
        line("sen", "sif", "AMI", "holds"),
        line("sen-64", "sif", "accuracy", "holds"),
        line("sen-64", "sif", "AMI", "cannot be told"),
    ]
    (found,) = summarise(lines)
    assert found == {
        "claim": "A is above B",
        "paper's width": "holds",
        "h = 64": "accuracy: holds; AMI: cannot be told",
    }
    several = [line("sen", "sen", "AMI", "holds"), line("sif", "sif", "AMI", "does not hold")]
    assert (
        summarise(several)[0]["paper's width"] == "holds: 1 of 2 rows; does not hold: 1 of 2 rows"
    )


def test_it_is_said_where_the_net_above_had_more_updates():
    def line(first, second, value, verdict="holds"):
        return {"first": first, "second": second, "value": value, "verdict": verdict}

    trained = [
        {"row": "sen", "articles": "20", "updates": "3,000 / 5,000"},
        {"row": "rand-article", "articles": "20", "updates": "2,000"},
        {"row": "margin", "articles": "20", "updates": "3,000"},
        {"row": "titles", "articles": "7", "updates": "10"},
        {"row": "sen-titles", "articles": "20 + 7", "updates": "4,000 + 10"},
    ]
    found = mark_unequal(
        [
            line("sen", "rand-article", 0.1),
            line("rand-article", "sen", -0.1, "does not hold"),
            line("rand-article", "sen", 0.1),
            line("sen", "rand-article", 0.1, "cannot be told"),
            line("sen", "margin", 0.1),
            line("sen", "titles", 0.1),
            line("sen", "sif", 0.1),
            line("sen-titles", "sen", 0.1),
        ],
        trained,
    )
    note = ", with 2.0 times the updates"
    assert [one["note"] for one in found] == [note, note, *[""] * 6]


def test_a_net_that_fails_and_an_unknown_one_are_said(folder):
    arguments = [folder / "corpora", folder / "nowhere", folder / "failed"]
    failed = run_script("paper_nets", *arguments, "--only", "sen-64", "--seed", 1)
    assert failed.returncode == 1
    assert "sen-64, seed 1: see" in failed.stdout + failed.stderr
    unknown = run_script("paper_nets", *arguments, "--only", "sen65")
    assert unknown.returncode == 2
    assert "no net is called sen65" in unknown.stderr


def test_every_net_has_a_corpus_that_the_workflows_make(folder):
    made = {"sen", "rand-section", "rand-article", "titles", "released"}
    made |= {"capped", "rand-article-capped"}
    assert {net.corpus for net in NETS.values()} == made


def test_the_nets_that_the_workflows_name_exist():
    named = re.findall(r"--only ([\w.-]+)", (PROJECT / "project.yml").read_text())
    assert {"sen", "titles"} <= set(named) <= set(NETS)


def test_the_curve_is_a_line_in_the_logarithm():
    row = "sen-64-of-{}".format
    tables = {
        "tables": {
            "3": [{"row": row(n), "L1": {"value": 0.5 + 0.03 * n}} for n in (4, 3)],
            "4": [
                {"row": row(3), "algorithm": "k-means", "AMI max": {"value": 0.9}},
                {"row": row(3), "algorithm": "Iclust", "AMI max": {"value": 0.2}},
            ],
        },
        "trained": [
            {"row": row(n), "articles": f"{10**n:,}", "updates": "7", "seeds": "0"} for n in (4, 3)
        ],
    }
    tables["tables"]["3"].append({"row": "sen-64", "L1": {"value": 0.1}})
    tables["trained"].append({**tables["trained"][0], "row": "sen-64"})
    curve = read_curve(tables)
    assert [line["articles"] for line in curve] == [1000, 10_000]
    assert [line.get("AMI max, Iclust") for line in curve] == [0.2, None]
    text = _extrapolate(curve)
    value = 0.5 + 0.03 * np.log10(809_000)
    assert f"accuracy, L1, by +0.030 for ten times the articles, {value:.3f}." in text
    assert "AMI" not in text
