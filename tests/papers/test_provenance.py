"""What rows were trained on, read from saved pipelines."""

import srsly

from spacy_thematic.papers.provenance import (
    describe_pipeline,
    make_training_table,
    may_have_seen,
)
from spacy_thematic.pipeline.joining import join_encoders
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.training_record import write_records
from tests.pipeline.test_embedder import BILSTM_STATIC, MEAN, examples_for, make_pipeline, train


def trained(model, **record):
    nlp = make_pipeline(model)
    train(nlp, examples_for(nlp), 1)
    write_records(nlp.meta, record)
    return nlp


def test_a_pipeline_and_one_of_joined_encoders(tmp_path):
    sen = trained(BILSTM_STATIC, articles=20497, triplets=1856421, updates=427, seed=0)
    sen.to_disk(tmp_path / "sen")
    join_encoders({"sen": sen, "titles": trained(MEAN, articles=7, seed=1)}).to_disk(
        tmp_path / "both"
    )
    seeds = [describe_pipeline(str(tmp_path / name)) for name in ("sen", "both")]
    assert not may_have_seen(seeds)
    (encoder,) = seeds[0]["encoders"]
    settings = sen.config["components"]["thematic_embedder"]["model"]
    assert encoder["hidden width"] == settings["hidden_width"]
    assert encoder["dropout"] == settings["dropout"]
    trained_on = {"sen": seeds[:1], "sen-titles": seeds[1:], "peer": []}
    one, both = make_training_table(trained_on, ["sen", "sen-titles", "peer", "sif"])
    assert one == {
        "row": "sen",
        "net": "BiLSTMAttention",
        "articles": "20,497",
        "triplets": "1,856,421",
        "updates": "427",
        "hidden width": str(settings["hidden_width"]),
        "dropout": str(settings["dropout"]),
        "seeds": "0",
    }
    assert both["net"] == "BiLSTMAttention + WeightedMean"
    assert both["articles"] == "20,497 + 7"
    assert both["updates"] == "427 + ?"
    assert both["seeds"] == "0 + 1"


def test_seeds_that_differ_follow_each_other(tmp_path):
    for seed, updates in enumerate((30, 40, 30)):
        nlp = trained(MEAN, articles=7, updates=updates, seed=seed)
        nlp.to_disk(tmp_path / str(seed))
    found = [describe_pipeline(str(tmp_path / str(seed))) for seed in range(3)]
    (line,) = make_training_table({"sen": found}, ["sen"])
    assert (line["articles"], line["updates"], line["seeds"]) == ("7", "30 / 40", "0, 1, 2")


def test_a_pipeline_that_says_nothing_of_its_training(tmp_path):
    trained(MEAN).to_disk(tmp_path / "old")
    meta = srsly.read_json(tmp_path / "old" / "meta.json")
    del meta["thematic"]
    srsly.write_json(tmp_path / "old" / "meta.json", meta)
    (line,) = make_training_table({"old": [describe_pipeline(str(tmp_path / "old"))]}, ["old"])
    assert (line["net"], line["articles"], line["seeds"]) == ("WeightedMean", "?", "?")


def test_bundled_models_and_what_is_built_on_them_may_have_seen_the_articles(tmp_path):
    bundled = describe_pipeline("en_thematic_sm")
    assert may_have_seen([bundled])
    load_pipeline("en_thematic_sm").to_disk(tmp_path / "saved")
    own = trained(MEAN)
    join_encoders({"a": load_pipeline("en_thematic_md"), "b": own}).to_disk(tmp_path / "joined")
    package = trained(MEAN)
    package.meta["name"] = "thematic_lg"
    package.to_disk(tmp_path / "package")
    own.to_disk(tmp_path / "own")
    for name, expected in (("saved", True), ("joined", True), ("package", True), ("own", False)):
        assert may_have_seen([describe_pipeline(str(tmp_path / name))]) == expected
    (line,) = make_training_table({"sm": [bundled]}, ["sm"])
    assert line == {"row": "sm", "net": "bundled model"}
