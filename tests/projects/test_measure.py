"""The paper's tables, as `measure.py` makes them."""

import json

import numpy as np
import pytest
import srsly

import tables
from joining import join_encoders
from measure import Row, Task, main, make_clustering_task, make_distance_task, measure_row
from spacy_thematic.evaluation.encoders import random_vectors
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pretrained import list_bundled
from spacy_thematic.triplets.article_docs import make_clustering_doc
from spacy_thematic.triplets.docbin import get_triplets
from spacy_thematic.triplets.rules import CorpusSettings, apply_rules
from tables import CLUSTERING, DISTANCE, Results, describe_pipeline, find_place, may_have_seen
from tests.conftest import article_doc, make_article
from tests.pipeline.test_embedder import BILSTM_STATIC, MEAN, examples_for, make_pipeline, train
from tests.projects.test_relatedness import write_splits


@pytest.fixture(scope="module")
def docs(nlp):
    return [article_doc(make_article(number), nlp) for number in range(6)]


@pytest.fixture(scope="module")
def tasks(nlp, docs) -> list[Task]:
    articles = (apply_rules(make_article(number), CorpusSettings()) for number in range(6))
    clustered = [make_clustering_doc(article, nlp) for article in articles]
    return [make_distance_task(docs), make_clustering_task(clustered)]


def oracle(doc, spans):
    """One direction for each section."""
    return np.eye(20, dtype="f")[[span.id for span in spans]]


def row(name, encoder, seed=0):
    return Row(name, lambda articles: encoder, seed, (DISTANCE, CLUSTERING))


def read(folder, *tasks):
    return Results(folder, {task.name: task.key for task in tasks})


def test_triplets_are_drawn_from_all_articles(docs):
    task = make_distance_task(docs, 50)
    assert sum(len(article.truth) for article in task.articles) == 50
    assert len(task.articles) == 6
    assert task.key == make_distance_task(docs, 50).key
    assert task.key != make_distance_task(docs, 50, seed=1).key
    for doc, spans, triplets in task.articles:
        known = [tuple(t) for t in get_triplets(doc)]
        starts = {span.start: i for i, span in enumerate(doc.spans["sentences"])}
        for triplet in triplets:
            assert tuple(starts[spans[i].start] for i in triplet) in known


def test_an_oracle_is_right_and_chance_is_chance(tasks, tmp_path):
    measure_row(row("oracle", oracle), tasks, tmp_path)
    measure_row(row("random", random_vectors(0)), tasks, tmp_path)
    results = read(tmp_path, *tasks)
    assert results.estimate("oracle", "accuracy, cosine").value == 1
    assert results.estimate("oracle", "AMI, Iclust").value == pytest.approx(1)
    assert results.estimate("oracle", "ARI, k-means on cosines").value == pytest.approx(1)
    low, high = results.estimate("random", "accuracy, L1").interval
    assert low < 0.5 < high
    assert results.estimate("random", "Pearson") is None
    assert results.difference("oracle", "random", "AMI, Iclust").interval()[0] > 0.5


def test_an_interrupted_run_resumes_and_ends_with_the_same_scores(tasks, tmp_path):
    calls = []

    def count(doc, spans):
        calls.append(doc)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return random_vectors(0)(doc, spans)

    measure_row(row("whole", random_vectors(0)), tasks, tmp_path)
    with pytest.raises(KeyboardInterrupt):
        measure_row(row("killed", count), tasks, tmp_path)
    with (tmp_path / "killed" / "distance-0.jsonl").open("a") as file:
        file.write('{"triplets": 4')
    measure_row(row("killed", count), tasks, tmp_path)
    # A probe for each task, three articles were there, and one failed.
    assert len(calls) == 5 + 2 + 12 - 3
    scores = read(tmp_path, *tasks).scores
    for task in (DISTANCE, CLUSTERING):
        for whole, killed in zip(scores["whole", task][0], scores["killed", task][0]):
            assert {**whole, "seconds": 0} == {**killed, "seconds": 0}


def test_another_encoder_or_other_articles_are_measured_again(docs, tmp_path):
    task, other = make_distance_task(docs), make_distance_task(docs[:3])
    measure_row(row("sen", oracle), [task], tmp_path)
    measure_row(row("sen", random_vectors(0)), [task], tmp_path)
    assert read(tmp_path, task).estimate("sen", "accuracy, cosine").value < 0.8
    assert read(tmp_path, other).rows == []
    measure_row(row("sen", oracle), [other], tmp_path)
    assert read(tmp_path, other).estimate("sen", "accuracy, cosine").value == 1


def test_seeds_of_training_are_averaged_and_widen_an_interval(tasks, tmp_path):
    measure_row(row("sen", oracle), tasks, tmp_path)
    measure_row(row("sen", random_vectors(0), seed=1), tasks, tmp_path)
    measure_row(row("random", random_vectors(0)), tasks, tmp_path)
    results = read(tmp_path, *tasks)
    found = results.estimate("sen", "accuracy, cosine")
    assert found.value == pytest.approx(found.seeds.mean())
    assert found.standard_error == pytest.approx((found.seeds[0] - found.seeds[1]) / 2)
    difference = results.difference("sen", "random", "accuracy, cosine")
    assert difference.fewest == 2
    # Of two seeds so far apart the mean tells nothing.
    low, high = difference.interval()
    assert low < -1 and high > 1


def make_results(folder, values):
    """Rows whose statistic is given by seed, the same on each resample of two articles."""
    results = Results(folder, {})
    results.rows = list(values)
    results.scores = {
        (row, DISTANCE): {s: [{}] for s in range(len(seeds))} for row, seeds in values.items()
    }
    results.estimate = lambda row, measure, n=None: tables.Estimate(
        np.array(values[row]), np.array(values[row])[:, None].repeat(9, axis=1), 2
    )
    return results


def test_intervals_over_seeds_are_students(tmp_path):
    values = {"sen": [0.5, 0.6, 0.7], "titles": [0.4, 0.4, 0.7], "sif": [0.1], "cosine": [0.9]}
    results = make_results(tmp_path, values)
    # The same seeds: of the three differences; t with two degrees of freedom is 4.303.
    paired = results.difference("sen", "titles", "accuracy, L1")
    by_seed = np.array([0.1, 0.2, 0.0])
    half = 4.303 * by_seed.std(ddof=1) / 3**0.5
    assert paired.interval() == pytest.approx((0.1 - half, 0.1 + half), abs=1e-4)
    # A baseline has no seeds.
    half = 4.303 * 0.1 / 3**0.5
    assert results.difference("sen", "sif", "accuracy, L1").interval() == pytest.approx(
        (0.5 - half, 0.5 + half), abs=1e-4
    )
    # A net of one seed has the variance of the others, (0.01 + 0.03) / 2, of 4 degrees: 2.776.
    one = results.difference("cosine", "sif", "accuracy, L1")
    half = 2.776 * 0.02**0.5
    assert one.fewest == 1
    assert one.interval() == pytest.approx((0.8 - half, 0.8 + half), abs=1e-3)


def test_correlations_are_resampled_as_pairs_are_drawn():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 50)) + rng.normal(size=50)
    drawn = tables.draw(50, resamples=1000)
    for measure in ("Pearson", "MSE"):
        expected = [tables.CORRELATIONS[measure](x[some], y[some]) for some in drawn]
        assert np.allclose(tables._resample(x, y, measure), expected)


def test_a_tie_counts_half(tasks, tmp_path):
    def constant(doc, spans):
        return np.ones((len(spans), 2), "f")

    measure_row(row("constant", constant), tasks, tmp_path)
    assert read(tmp_path, *tasks).estimate("constant", "accuracy, cosine").value == 0.5


def test_sentences_of_5_to_50_tokens_are_clustered(nlp):
    def make(tokens):
        return " ".join(["river"] * (tokens - 1)) + " ."

    article = make_article(0)
    for section in article.sections[1:]:
        section.paragraphs[:4] = map(make, (4, 5, 50, 51))
    doc = make_clustering_doc(apply_rules(article, CorpusSettings()), nlp)
    lengths = {len(span) for span in make_clustering_task([doc]).articles[0].spans}
    assert min(lengths) == 5 and max(lengths) == 50
    released = make_clustering_task([doc], is_kept=bool)
    assert {len(span) for span in released.articles[0].spans} >= {4, 5, 50, 51}


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


def run(out, **options):
    settings = {"articles": "", "clustering": "", "sick": "", "models": [], "bundled": False}
    settings |= {"word_vectors": "", "triplets": 0, "seed": 0}
    settings |= {"min_sections": 5} | options
    main(out, **{k: str(v) if hasattr(v, "parts") else v for k, v in settings.items()})
    return json.loads((out / "tables.json").read_text())


def test_all_tables_are_made_and_a_second_run_measures_nothing(inputs, tmp_path):
    options = {
        "articles": inputs / "articles.jsonl", "sick": inputs / "sick", "triplets": 60,
        "word_vectors": inputs / "vectors.npz", "bundled": True,
        "models": ["again@1=en_thematic_sm", "again@2=en_thematic_sm"],
    }  # fmt: skip
    made = run(tmp_path, **options)
    names = ["random", "tf-idf", "mean-vectors", "sif"]
    names += [*sorted(list_bundled("en"), key=find_place), "again"]
    assert [line["row"] for line in made["tables"]["3"]] == names
    assert made["tables"]["3"][4]["cosine"]["value"] > 0.8
    assert made["tables"]["3"][-1]["cosine"]["standard error"] == 0
    assert "60 triplets of 6 articles" in made["data"]
    assert "120 sentences (20.0 an article, of 10 to 10 tokens)" in made["data"]
    trained = {line["row"]: line for line in made["trained"]}
    assert set(trained) == {*names[4:]} == set(made["may have seen"])
    assert {path.suffix for path in tmp_path.iterdir()} == {"", ".md", ".json"}
    text = (tmp_path / "tables.md").read_text()
    assert text.count("## Table") == 4
    assert "Too few to say what holds" in text and "on 6 articles only" in text
    before = (tmp_path / "tables.json").read_text()
    run(tmp_path, **options)
    assert (tmp_path / "tables.json").read_text() == before


def test_the_released_benchmark_is_clustered_as_it_is(inputs, tmp_path):
    made = run(tmp_path, clustering=inputs / "dataset.csv", models=["en_thematic_sm"])
    assert "Clustering of 6 articles, 120 sentences" in made["data"]
    ours = [line for line in made["tables"]["4"] if line["row"] == "en_thematic_sm"]
    assert ours[0]["AMI max"]["value"] > 0.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "Nothing to measure on"),
        ({"min_sections": 9}, "lower --min-sections"),
        ({"models": ["a/b=en_thematic_sm"]}, "Expected NAME=PATH, or a path, found"),
        ({"models": ["a=nowhere"]}, "nowhere"),
        ({"models": ["a@1=en_thematic_sm", "a@1=en_thematic_sm"]}, "Two pipelines are seed 1"),
    ],
)
def test_bad_input_is_named(inputs, tmp_path, capsys, options, message):
    options = options and {"articles": inputs / "articles.jsonl", **options}
    with pytest.raises(SystemExit):
        run(tmp_path / "out", **options)
    assert message in " ".join(capsys.readouterr().out.split())


def test_what_joined_encoders_were_trained_on(tmp_path):
    pipelines = {}
    for number, (model, record) in enumerate(
        ((BILSTM_STATIC, {"articles": 20497, "updates": 427}), (MEAN, {"articles": 7}))
    ):
        nlp = pipelines[str(number)] = make_pipeline(model)
        train(nlp, examples_for(nlp), 1)
        nlp.meta["thematic"] = [record]
    join_encoders(pipelines).to_disk(tmp_path / "both")
    found = describe_pipeline(str(tmp_path / "both"))
    assert not may_have_seen([found])
    assert [encoder["net"] for encoder in found["encoders"]] == ["BiLSTMAttention", "WeightedMean"]
    assert [encoder["articles"] for encoder in found["encoders"]] == [20497, 7]
    join_encoders({"0": load_pipeline("en_thematic_sm"), "1": nlp}).to_disk(tmp_path / "ours")
    assert may_have_seen([describe_pipeline(str(tmp_path / "ours"))])
    assert may_have_seen([describe_pipeline("en_thematic_sm")])
