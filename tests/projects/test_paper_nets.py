"""The nets that the paper compares, and their findings, by the scripts that a user runs."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import spacy
import srsly

import claims
from claims import count_up
from findings import (
    FORMER,
    SMALL,
    UNTRAINED,
    WIDE,
    Example,
    Found,
    find_differences,
    find_nets,
    judge,
    list_claims,
    summarise,
)
from image_findings import CHOSEN, Cells, interval, list_image_tables, summarise_images
from paper_nets import NETS
from spacy_thematic.triplets.corpus_builder import build_corpus
from spacy_thematic.triplets.rules import CorpusSettings
from tables import Difference, Results, Spread
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
    assert [record["articles"] for record in meta["thematic"]] == [13]
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
        "findings", folder / "out", "--nets", folder / "nets", "--images", folder / "none",
        "--articles", folder / "corpora" / "sen", "--vectors", folder / "vectors",
    )  # fmt: skip
    assert made.returncode == 0, made.stdout + made.stderr
    text = (folder / "out" / "FINDINGS.md").read_text()
    (line,) = re.findall(r"\| Titles add to sentences .*", text)
    assert re.match(r"\| [^|]* \(table 4\) \| \+\.007 \| \S+¹ \| open \(h = 64\) \|", line)
    assert "Too few to say what holds" in text
    (lacking,) = re.findall("Not measured: .*", text)
    assert "Triplets are above pairs" in lacking and "; 8 claims of skip-thoughts." in lacking
    # What is written by hand is of the committed scores and images only.
    assert "of 2006 to 2022" not in text and "CIFAR10" not in text and "](" not in text
    assert (
        "\n| Text: 647,200 articles of May 2017 for training, 2.75 triplets each; OpenNLP | 13, "
        in text
    )
    assert re.search(r"\| Text: 692 articles clustered, 67 sentences each \| \d, \d", text)
    assert "The image paper" not in text
    tables = (folder / "out" / "tables.md").read_text()
    assert "Too few to say what holds" in tables and "| sen-64 | BiLSTMAttention | 13 |" in tables
    again = run_script("findings", folder / "out", "--images", folder / "none")
    assert again.returncode == 0
    assert (folder / "out" / "FINDINGS.md").read_text() == text
    joined = spacy.load(folder / "nets" / "sen-titles-plain-64-0" / "model-best")
    assert joined.get_pipe("thematic_embedder").model.get_dim("nO") == 256


def test_nothing_to_do_and_wrong_folders_are_said(folder):
    arguments = [folder / "corpora", folder / "vectors", folder / "none"]
    for wrong in (["--only", "sen-64", "--seed", 7], ["--only", "rand-article"]):
        done = run_script("paper_nets", *arguments, *wrong)
        assert done.returncode and "Traceback" not in done.stderr
    nowhere = run_script("findings", folder / "out2", "--nets", folder / "none")
    assert nowhere.returncode == 1 and "is no folder" in nowhere.stdout + nowhere.stderr


class Known:
    """A difference with a known 95 and 90 per cent interval."""

    def __init__(self, wide, narrow=(0.0, 0.0)):
        self.levels = {0.95: wide, 0.9: narrow}

    fewest = 0

    def interval(self, level=0.95):
        return self.levels[level]

    def __str__(self):
        return f"{sum(self.interval()) / 2:+.3f}"


def test_verdicts():
    above, same = claims.ABOVE, claims.SAME
    assert judge(Known((0.01, 0.02)), above) == "held"
    assert judge(Known((-0.02, -0.01)), above) == "not held"
    assert judge(Known((-0.01, 0.02)), above) == "open"
    assert judge(Known((-0.02, -0.01)), above, sign=-1) == "held"  # Of errors.
    margin = claims.MARGIN
    assert judge(Known((-0.02, 0.02), (-margin / 2, margin / 2)), same) == "held"
    assert judge(Known((-0.02, 0.02), (-margin / 2, 2 * margin)), same) == "open"
    assert judge(Known((2 * margin, 3 * margin), (2 * margin, 3 * margin)), same) == "not held"


def test_two_rows_that_are_just_the_same_are_said_to_be():
    effect = claims.Effect("B does as well", "5.1", "sen", "sif", ("AMI max, Iclust",) * 2, "same")
    for low, verdict in ((-0.0146, "held, just (AMI: 90 per cent to -0.0146)"), (-0.01, "held")):
        (line,) = list_claims([Found(effect, {WIDE: (Known((-0.02, 0.0), (low, 0.0)), "")})])
        assert line["verdict"] == verdict


@pytest.mark.parametrize(
    ("number", "scores", "verdict"),
    [("1126", (4.2, 4.2), "open"), ("1126", (4.2, 3.9), "held"), ("1126", (3.9, 4.2), "not held"),
     ("1127", (4.0, 3.9), "open"), ("1127", (3.4, 3.9), "not held")],
)  # fmt: skip
def test_a_high_score_says_nothing_where_mean_vectors_have_it_too(number, scores, verdict):
    assert Example(number, {WIDE: (*scores, "")}).judge(WIDE) == verdict


def test_a_claim_is_summed_up_in_a_line():
    def found(first, second, measure, **verdicts):
        known = {"held": Known((1, 2)), "open": Known((-1, 1))}
        effect = claims.Effect("A is above B", "5.1", first, second, (measure,) * 2, claims.ABOVE)
        columns = {"wide": WIDE, "small": SMALL}
        return Found(effect, {columns[k]: (known[v], "") for k, v in verdicts.items()})

    (line,) = summarise(
        [
            found("sen", "sif", "accuracy", wide="held", small="held"),
            found("sen", "sif", "AMI max", wide="held", small="open"),
        ]
    )
    assert line == {
        "claim": "A is above B (5.1)", WIDE: "held (accuracy +1.500; AMI +1.500)",
        SMALL: "held (accuracy +1.500); open (AMI +0.000)",
    }  # fmt: skip
    small = found("sen", "sif", "AMI max, Iclust", small="open")
    assert list(list_claims([found("sen", "sif", "accuracy, L1", small="held"), small])) == [
        {"claim": "A is above B (5.1)", "the paper": "", "here": "accuracy +1.500; +0.000",
         "verdict": "held (accuracy); open (AMI) (h = 64)"}
    ]  # fmt: skip
    (baselines,) = summarise([found("mean-vectors", "sif", "AMI max", wide="held")])
    assert baselines[SMALL] == ""
    verdicts = [found("sen", "sif", "AMI max", wide="held"), found("sen", "L2", "AMI max")]
    (several,) = summarise(verdicts)
    assert several[WIDE].startswith("held (sen - sif: AMI +1.500); not measured (sen - L2: AMI")
    (lacking,) = summarise([found("sen", "L2", "AMI max")])
    assert lacking[WIDE] == lacking[SMALL] == "not measured"


@pytest.mark.parametrize(("seeds", "size"), [((1, 1), "long"), ((3, 1), ""), ((3, 3), "long")])
def test_the_rows_of_most_seeds_stand_for_their_width(seeds, size):
    class Measured:
        def __init__(self):
            self.trained = {"sen-long": [{"encoders": [{"updates": 0}]}]}

        def difference(self, first, second, *measures):
            assert second == "mean-vectors"
            number = {"sen": seeds[0], "sen-long": seeds[1]}.get(first)
            return number and Difference(0.1, Spread(0.0, 4), (), number)

    effect = claims.CLAIMS[0]
    assert (effect.first, effect.second) == ("sen", "mean-vectors")
    found = find_differences([Measured()], effect)
    assert set(found) == {WIDE}
    # Its best step is the one before training.
    assert found[WIDE][1] == (UNTRAINED if size else "")


def test_a_column_is_of_the_first_scores_that_have_both_rows():
    class Measured:
        def __init__(self, value, rows):
            self.value, self.rows, self.trained = value, rows, {}

        def difference(self, first, second, *measures):
            return Difference(self.value, Spread(0.0, 4), (), 1) if first in self.rows else None

    measured = [Measured(0.1, {"sen"}), Measured(0.2, {"sen", "sen-64"})]
    found = find_differences(measured, claims.CLAIMS[0])
    assert {name: (one.value, notes) for name, (one, notes) in found.items()} == {
        WIDE: (0.1, ""),
        SMALL: (0.2, FORMER),
    }


def test_a_row_of_one_seed_takes_the_spread_of_other_scores(tmp_path):
    def measure(folder, seeds):
        for row, seed, right in seeds:
            path = tmp_path / folder / row / f"distance-{seed}.jsonl"
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = [{"key": "k"}, *({"triplets": 10, "L1": right} for _ in range(5))]
            srsly.write_jsonl(path, lines)
        return Results(tmp_path / folder, {"distance": "k"})

    one = measure("one", [("sen", 0, 8), ("L2", 1, 6)])
    former = measure("former", [("sen-64", 0, 6), ("sen-64", 1, 8)])
    alone = one.difference("sen", "L2", "accuracy, L1")
    assert alone.fewest == 1 and not alone.seeds
    one = Results(tmp_path / "one", {"distance": "k"})
    one.others = [former]
    spreads = one.difference("sen", "L2", "accuracy, L1").seeds
    assert [spread.variance for spread in spreads] == pytest.approx([0.02, 0.02])


def test_few_articles_make_wide_intervals():
    """Student's t with four degrees of freedom is 2.776: 1.96 would say that the claim is held."""
    difference = Difference(0.1, Spread(0.045**2, 4), (), 0)
    assert difference.interval()[0] == pytest.approx(0.1 - 2.776 * 0.045, abs=1e-4)
    assert judge(difference, claims.ABOVE) == "open"


def test_verdicts_of_cells_are_counted():
    assert count_up(["held", "held"]) == "held"
    assert count_up(["open", "held", "open"]) == "1 held, 2 open"


def test_cells_of_images_are_those_with_all_rows():
    def line(name, weight, seed, accuracy, held_out=0.5):
        return {
            "name": name, "triplet_weight": weight, "width": 16, "labels": 10, "seed": seed,
            "accuracy": accuracy, "mean_average_precision": 0.1, "validation_accuracy": held_out,
        }  # fmt: skip

    rows = [line("Triplet", 0, seed, 0.5) for seed in range(3)]
    rows += [line("Triplet BiGAN", 1, seed, 0.6 + seed / 10, 0.4) for seed in range(3)]
    rows += [line("Triplet BiGAN", 10, seed, 0.9, 0.7) for seed in range(2)]
    cells = Cells(rows)
    assert cells.main == (16, 10)
    assert cells.read("Triplet BiGAN", (16, 10), "accuracy", 1.0).tolist() == [0.6, 0.7]
    assert cells.read("Triplet BiGAN", (16, 10), "accuracy", CHOSEN).tolist() == [0.9, 0.9]
    assert cells.read("Triplet", (16, 10), "mAP", 1.0).tolist() == [0.1, 0.1]
    mean, _, high = interval(np.array([0.1, 0.2, 0.3]))
    assert (mean, high - mean) == pytest.approx((0.2, 4.303 * 0.1 / 3**0.5), abs=1e-4)
    assert interval(np.array([0.1]))[1] == -np.inf


def test_the_cells_of_svhn_cross_where_each_width_is_measured():
    places = [(16, 200), (64, 200), (256, 200), (64, 100), (64, 400)]
    rows = [{"name": "Triplet", "triplet_weight": 0, "width": m, "labels": n, "seed": 0}
            for m, n in places]  # fmt: skip
    cells = Cells(rows)
    assert cells.main == (64, 200)
    assert cells.places == {"m": [(16, 200), (64, 200), (256, 200)],
                            "n": [(64, 100), (64, 200), (64, 400)]}  # fmt: skip


def test_each_set_of_images_has_columns_of_its_own():
    rows = list(srsly.read_jsonl(PROJECT / "results" / "digits.jsonl"))
    few = [row for row in rows if (row["width"], row["labels"], row["seed"]) == (16, 100, 0)]
    sets = {"digits": Cells(rows), "few": Cells(few)}
    found = {line["claim"]: line for line in summarise_images(sets)}
    assert "lambda 1: open" in found["Triplet BiGAN is above Triplet (tables 1 to 8)"]["digits"]
    above = found["Triplet BiGAN is above BiGAN (tables 1 to 8)"]
    # One seed tells nothing, and one cell nothing of larger z.
    assert re.match(r"held \(\+0.1\d\d to \+0.1\d\d\)$", above["digits"])
    assert above["few"].startswith("open (+0.") and "to" not in above["few"]
    assert (above["measure"], above["the paper"]) == ("accuracy", "+0.048 to +0.614")
    (larger,) = (line for claim, line in found.items() if "largest m is" in claim)
    assert (larger["few"], larger["the paper"]) == ("not measured", "-0.072 to +0.074")
    in_full = {line["claim"]: line for line in summarise_images(sets, in_full=True)}
    assert in_full.keys() - found.keys() == {"The game helps after pretraining (ours)"}
    assert in_full[above["claim"]]["digits"].count("held (") == 2
    assert "Seeds: 1;" in "".join(list_image_tables("few", sets["few"]))


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
    assert {net.corpus for net in NETS.values()} == made


def test_the_workflow_on_the_papers_data_trains_every_row_that_a_claim_needs():
    project = (PROJECT / "project.yml").read_text()
    # Beside the findings, which link to it.
    assert len(re.findall(r"findings\.py (\S+) --tables \1/results/tables\.md ", project)) == 2
    named = set(re.findall(r"--only ([\w.-]+)", project))
    assert named <= set(NETS)
    rows = {row for e in (*claims.CLAIMS, *claims.OURS) for row in (e.first, e.second)}
    baselines = {"mean-vectors", "sif", "skip-thoughts"}
    joined = {"sen-titles", claims.PLAIN}
    assert rows - baselines - joined <= {name.removesuffix("-long") for name in named}
    # As many passes for all that are compared with each other, and as many seeds.
    kinds = {(net.passes, net.seeds, net.patience) for name, net in NETS.items()
             if not name.endswith("-long") and name != "released"}  # fmt: skip
    assert len(kinds) == 1


@pytest.mark.parametrize("page", ["FINDINGS.md", "results/tables.md"])
def test_a_page_is_what_its_command_makes(made_again, page):
    texts = [(path / page).read_text("utf8") for path in (made_again, PROJECT)]
    number, link = re.compile(r"[+-]?\d*\.\d+"), re.compile(r"\]\([./\w]*/bigan\.md\)")
    blank = [link.sub("]()", number.sub("0", text)) for text in texts]
    assert blank[0] == blank[1]
    made, there = (np.array([float(x) for x in number.findall(text)]) for text in texts)
    assert np.abs(made - there).max() < 0.0015  # Another machine may round otherwise.


def test_the_links_of_the_findings_lead_to_files(made_again):
    for folder in (made_again, PROJECT):
        links = re.findall(r"\]\(([^)]+)\)", (folder / "FINDINGS.md").read_text("utf8"))
        assert len(links) == 3 and all((folder / link).is_file() for link in links)


def test_the_findings_fit_on_two_pages():
    text = (PROJECT / "FINDINGS.md").read_text("utf8")
    assert len(re.findall(r"[^\s|]+", text)) < 1300


@pytest.fixture(scope="module")
def made_again(tmp_path_factory):
    out = tmp_path_factory.mktemp("findings")
    scores = [PROJECT / "results" / f"{name}_scores.tar.xz" for name in ("wide", "papers")]
    done = run_script(
        "findings", out, "--scores", scores[0], "--scores", scores[1],
        "--tables", out / "results" / "tables.md",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return out
