"""From articles to the paper's tables: measuring, resuming, counting, comparing."""

from dataclasses import replace

import numpy as np
import pytest

from spacy_thematic.evaluation.baselines.random_vectors import random_vectors
from spacy_thematic.evaluation.encoders import same_for_all
from spacy_thematic.evaluation.protocols import CLUSTERING, DISTANCE
from spacy_thematic.papers.benchmark import (
    list_other_rows,
    measure_row,
    read_scores,
    read_trained,
)
from spacy_thematic.papers.markdown import to_markdown
from spacy_thematic.papers.protocol import ICLUST, ICLUST_RELATEDNESS, PAPER, RELATEDNESS
from spacy_thematic.papers.results import TableResults
from spacy_thematic.papers.rows import TableRow
from spacy_thematic.papers.sick import Pair, Sick
from spacy_thematic.papers.tables import make_tables, plot_tables
from spacy_thematic.papers.tasks import ClusteringTask, DistanceTask, RelatednessTask
from spacy_thematic.triplets.article_docs import make_clustering_doc
from spacy_thematic.triplets.docbin import get_triplets
from spacy_thematic.triplets.rules import CorpusSettings, apply_rules
from tests.conftest import article_doc, make_article


@pytest.fixture(scope="module")
def docs(nlp):
    return [article_doc(make_article(number), nlp) for number in range(6)]


@pytest.fixture(scope="module")
def clustering_docs(nlp):
    articles = (apply_rules(make_article(number), CorpusSettings()) for number in range(6))
    return [make_clustering_doc(article, nlp) for article in articles]


def oracle(doc, spans):
    """One direction for each section."""
    return np.eye(20, dtype="f")[[span.id for span in spans]]


class Counting:
    """An encoder that counts its calls, and fails at one of them."""

    def __init__(self, encoder, fail_at=0):
        self.encoder, self.fail_at, self.calls = encoder, fail_at, 0

    def __call__(self, doc, spans):
        self.calls += 1
        if self.calls == self.fail_at:
            raise KeyboardInterrupt
        return self.encoder(doc, spans)


def row(name, *found, tasks=(DISTANCE, CLUSTERING)):
    return TableRow(
        name, [lambda encoder=encoder: same_for_all(encoder) for encoder in found], tasks
    )


def read(folder, *tasks):
    return TableResults(read_scores(folder, {task.name: task.key for task in tasks}), PAPER)


def test_triplets_are_drawn_from_all_articles(docs):
    task = DistanceTask(docs, PAPER, 50)
    assert sum(len(triplets) for _, _, triplets in task.articles) == task.n_triplets == 50
    assert len(task) == 6
    assert DistanceTask(docs, PAPER).n_triplets == sum(len(get_triplets(doc)) for doc in docs)
    assert task.key == DistanceTask(docs, PAPER, 50).key
    assert task.key != DistanceTask(docs, PAPER, 50, seed=1).key
    for doc, spans, triplets in task.articles:
        known = [tuple(t) for t in get_triplets(doc)]
        rows = [doc.spans["sentences"][i] for i in range(len(doc.spans["sentences"]))]
        starts = {span.start: i for i, span in enumerate(rows)}
        for triplet in triplets:
            assert tuple(starts[spans[i].start] for i in triplet) in known


def test_an_oracle_is_right_and_chance_is_chance(docs, clustering_docs, tmp_path):
    tasks = [DistanceTask(docs, PAPER), ClusteringTask(clustering_docs, PAPER)]
    measure_row(row("oracle", oracle), tasks, tmp_path)
    measure_row(row("random", random_vectors(0)), tasks, tmp_path)
    results = read(tmp_path, *tasks)
    assert results.estimate("oracle", "accuracy, cosine").value == 1
    assert results.estimate("oracle", "AMI, Iclust").value == pytest.approx(1)
    assert results.estimate("oracle", "ARI, k-means, raw rows").value == pytest.approx(1)
    chance = results.estimate("random", "accuracy, L1")
    assert chance.interval[0] < 0.5 < chance.interval[1]
    assert results.estimate("random", "Pearson") is None
    better = results.difference("oracle", "random", "AMI, Iclust")
    assert better.interval[0] > 0.5
    assert results.accuracy("oracle").value == 1
    assert results.speed("oracle") is None or results.speed("oracle") > 0


def test_an_interrupted_run_resumes_and_ends_with_the_same_scores(docs, clustering_docs, tmp_path):
    tasks = [DistanceTask(docs, PAPER), ClusteringTask(clustering_docs, PAPER)]
    measure_row(row("whole", random_vectors(0)), tasks, tmp_path)
    broken = Counting(random_vectors(0), fail_at=5)
    with pytest.raises(KeyboardInterrupt):
        measure_row(row("killed", broken), tasks, tmp_path)
    path = tmp_path / "killed" / "distance-0.jsonl"
    with path.open("a") as file:
        file.write('{"triplets": 4')
    again, steps = Counting(random_vectors(0)), []
    measure_row(row("killed", again), tasks, tmp_path, on_step=lambda: steps.append(1))
    # A probe for each task; three articles were there.
    assert again.calls == 2 + 12 - 3
    assert len(steps) == 12
    scores = read(tmp_path, *tasks).scores
    for task in (DISTANCE, CLUSTERING):
        for whole, killed in zip(scores["whole"][task][0], scores["killed"][task][0]):
            assert {**whole, "seconds": 0} == {**killed, "seconds": 0}
    done = Counting(random_vectors(0))
    measure_row(row("killed", done), tasks, tmp_path)
    assert done.calls == 2


def test_another_encoder_or_other_articles_are_measured_again(docs, tmp_path):
    task = DistanceTask(docs, PAPER)
    measure_row(row("sen", oracle), [task], tmp_path)
    measure_row(row("sen", random_vectors(0)), [task], tmp_path)
    assert read(tmp_path, task).estimate("sen", "accuracy, cosine").value < 0.8
    other = DistanceTask(docs[:3], PAPER)
    assert read(tmp_path, other).rows == []
    assert list_other_rows(tmp_path, {DISTANCE: other.key}) == ["sen"]
    assert list_other_rows(tmp_path, {DISTANCE: task.key}) == []
    measure_row(row("sen", oracle), [other], tmp_path)
    assert read(tmp_path, other).estimate("sen", "accuracy, cosine").value == 1


def test_a_damaged_line_of_scores_is_named(docs, tmp_path):
    task = DistanceTask(docs, PAPER)
    measure_row(row("sen", oracle), [task], tmp_path)
    path = tmp_path / "sen" / "distance-0.jsonl"
    path.write_text("x" + path.read_text())
    with pytest.raises(ValueError, match=r"distance-0.jsonl, line 1, is damaged"):
        read(tmp_path, task)


def test_records_that_lack_a_measure_are_measured_again(nlp, docs, clustering_docs, tmp_path):
    before = replace(PAPER, algorithms=(ICLUST,))
    everything = (DISTANCE, CLUSTERING, RELATEDNESS)
    tasks = [DistanceTask(docs, PAPER), ClusteringTask(clustering_docs, before)]
    measure_row(row("sen", count_dogs, tasks=everything), tasks, tmp_path)
    assert read(tmp_path, *tasks).estimate("sen", "AMI, k-means") is None
    tasks[1] = ClusteringTask(clustering_docs, PAPER)
    assert tasks[1].key == ClusteringTask(clustering_docs, before).key
    measure_row(row("sen", count_dogs, tasks=everything), tasks, tmp_path, limit=3)
    results = read(tmp_path, *tasks)
    assert len(results.runs("sen", CLUSTERING)[0]) == 3
    assert results.estimate("sen", "AMI, k-means") is not None
    # With SICK, what depends on its regression is measured too; without, that is kept.
    tasks.append(RelatednessTask(Sick(PAIRS * 5, PAIRS, PAIRS), nlp))
    measure_row(row("sen", count_dogs, tasks=everything), tasks, tmp_path)
    results = read(tmp_path, *tasks)
    assert results.estimate("sen", "accuracy, relatedness") is not None
    assert len(results.runs("sen", CLUSTERING)[0]) == 6
    assert all(ICLUST_RELATEDNESS.name in record for record in results.runs("sen", CLUSTERING)[0])
    again = Counting(count_dogs)
    measure_row(row("sen", again, tasks=everything), tasks[:2], tmp_path)
    assert again.calls == 2


def test_relatedness_is_clustered_as_predicted(nlp, clustering_docs, tmp_path):
    """Sentences are as related as they are alike in the number of a word."""
    tasks = [
        ClusteringTask(clustering_docs, PAPER),
        RelatednessTask(Sick(PAIRS * 5, PAIRS, PAIRS), nlp),
    ]

    def encode(doc, spans):
        """Sections differ as numbers of dogs do."""
        found = count_dogs(doc, spans)
        sections = sorted({span.id for span in spans})
        found[:, 0] += [sections.index(span.id) for span in spans]
        return found

    measure_row(row("sen", encode, tasks=(CLUSTERING, RELATEDNESS)), tasks, tmp_path)
    found = read(tmp_path, *tasks).estimate("sen", "AMI, Iclust, predicted relatedness")
    assert found.value > 0.5


def test_rows_measured_on_fewer_articles_are_compared_on_these(docs, tmp_path):
    task = DistanceTask(docs, PAPER)
    measure_row(row("oracle", oracle), [task], tmp_path)
    measure_row(row("slow", random_vectors(0)), [task], tmp_path, limit=2)
    results = read(tmp_path, task)
    assert len(results.runs("slow", DISTANCE)[0]) == 2
    slow = results.estimate("slow", "accuracy, cosine")
    difference = results.difference("oracle", "slow", "accuracy, cosine")
    assert difference.value == pytest.approx(1 - slow.value)
    measure_row(row("slow", random_vectors(0)), [task], tmp_path)
    assert len(read(tmp_path, task).runs("slow", DISTANCE)[0]) == 6


def test_several_models_of_one_name_are_seeds(docs, tmp_path):
    task = DistanceTask(docs, PAPER)
    measure_row(row("sen", random_vectors(0), random_vectors(1), oracle), [task], tmp_path)
    found = read(tmp_path, task).estimate("sen", "accuracy, cosine")
    assert found.seeds[2] == 1
    assert found.value == pytest.approx(np.mean(found.seeds))
    assert found.standard_error > 0.1


def test_seeds_whose_pipelines_are_no_more_stay(docs, tmp_path):
    task = DistanceTask(docs, PAPER)
    for seed, encoder in ((2, oracle), (0, random_vectors(0))):
        sen = row("sen", encoder)
        sen.seeds, sen.trained = [seed], [{"bundled": False, "seed": seed}]
        measure_row(sen, [task], tmp_path)
    assert len(read(tmp_path, task).estimate("sen", "accuracy, cosine").seeds) == 2
    assert [made["seed"] for made in read_trained(tmp_path)["sen"]] == [0, 2]


def test_a_difference_is_over_seeds_too(docs, tmp_path):
    task = DistanceTask(docs, PAPER)
    measure_row(row("sen-64", random_vectors(0), oracle), [task], tmp_path)
    measure_row(row("titles-64", random_vectors(1)), [task], tmp_path)
    low, high = read(tmp_path, task).difference("sen-64", "titles-64", "accuracy, L1").interval
    assert low < 0.1
    assert high > 0.4


def test_findings_are_grouped_by_the_size_of_the_nets(docs, clustering_docs, tmp_path):
    tasks = [DistanceTask(docs, PAPER), ClusteringTask(clustering_docs, PAPER)]
    for name, encoder in (("sen", oracle), ("rand-section", random_vectors(1))):
        measure_row(row(name, random_vectors(0)), tasks, tmp_path)
        measure_row(row(f"{name}-64", encoder), tasks, tmp_path)
    measure_row(row("mean-vectors", random_vectors(2)), tasks, tmp_path)
    made = make_tables(read(tmp_path, *tasks), ["3"])
    found = {(f["first"], f["second"], f["measure"]): f for f in made["findings"]}
    assert found["sen-64", "rand-section-64", "accuracy, L1"]["verdict"] == "holds"
    assert found["sen-64", "rand-section-64", "accuracy, L1"]["source"] == "us"
    assert found["sen", "rand-section", "AMI max, Iclust"]["verdict"] == "cannot be told"
    assert ("sen-64", "mean-vectors", "AMI max, Iclust") in found
    assert ("sen", "rand-section-64", "accuracy, L1") not in found
    text = to_markdown(made, "Made up.")
    first, second = text.split("## Findings of the paper, and ours: nets with h = 64")
    assert "| sen; rand-section |" in first
    assert "64; " not in first.split("## Findings of the paper, and ours")[1]
    assert "| sen-64; rand-section-64 |" in second


PAIRS = [
    Pair(str(i), " ".join(["dog"] * i + ["cat"] * (6 - i)), "dog dog dog dog dog", 1 + 0.8 * i)
    for i in range(6)
]
CONTRADICTIONS = [
    Pair(number, "a dog is not a cat", "a dog is a cat", score, "CONTRADICTION")
    for number, score in (("1127", 3.4), ("8", 3), ("9", 4))
]


def count_dogs(doc, spans):
    counts = [[token.text for token in span].count("dog") for span in spans]
    return np.array([[count, 1, 0] for count in counts], "f")


def test_tables_of_all_tasks(nlp, docs, clustering_docs, tmp_path):
    sick = Sick(PAIRS * 5, PAIRS, PAIRS + CONTRADICTIONS)
    tasks = [
        DistanceTask(docs, PAPER),
        ClusteringTask(clustering_docs, PAPER),
        RelatednessTask(sick, nlp),
    ]
    everything = (DISTANCE, CLUSTERING, RELATEDNESS)
    sen = row("sen", count_dogs, tasks=everything)
    sen.trained = [{"bundled": True, "encoders": [{"articles": 1234, "seed": 7}]}]
    measure_row(sen, tasks, tmp_path)
    measure_row(row("mean-vectors", oracle, tasks=everything), tasks, tmp_path)
    keys = {task.name: task.key for task in tasks}
    results = TableResults(read_scores(tmp_path, keys), PAPER, read_trained(tmp_path))
    made = make_tables(results, ["3", "4", "5", "6"], sick.test, examples=3)
    three, four, five, six = made["tables"].values()
    assert [line["row"] for line in three] == ["mean-vectors", "sen"]
    assert three[1]["paper"] == "0.74 (L1)"
    # Every vector is the same, and a tie is wrong.
    assert three[1]["cosine"].value == three[1]["relatedness"].value == 0
    assert len(four) == 10
    assert four[0]["paper AMI (max, we infer)"] == 0.222
    assert five[1]["Pearson"].value > 0.9
    assert five[1]["paper Pearson"] == 0.797
    assert [line["chosen as"] for line in six] == ["in the paper"] + 2 * ["negation"] + 3 * [
        "spread"
    ]
    assert [line["gold"] for line in six] == [3.4, 3, 4, 1, 3.4, 5]
    gold, mean, sen = made["negations"]
    assert (gold["row"], gold["negations"], mean["row"]) == ("gold", 3, "mean-vectors")
    assert gold["mean of the negations"].value == pytest.approx(10.4 / 3)
    assert sen["mean of the negations"].value == pytest.approx(six[1]["sen"])
    assert made["trained"][0]["articles"] == "1,234"
    assert made["may have seen"] == ["sen"]
    assert five[0]["Pearson"].value == 0
    assert six[0]["mean-vectors"] == six[2]["mean-vectors"]
    claims = {(f["claim"], f["measure"]): f for f in made["findings"]}
    assert claims["Triplets are above mean vectors", "Pearson"]["verdict"] == "holds"
    assert claims["Triplets are above mean vectors", "accuracy, L1"]["verdict"] == "does not hold"
    text = to_markdown(made, "Made up.")
    assert text.count("## Table") == 4
    assert "| sen (\\*) | 0.000 (0.000 to 0.000) |" in text
    assert text.count("(\\*) A bundled model") == 1
    assert set(plot_tables(results)) == {"accuracy_by_speed", "ami_by_sections"}
