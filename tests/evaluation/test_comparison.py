"""What is said of a model beside others."""

import numpy as np
import pytest

from spacy_thematic.evaluation.comparison import Comparison
from spacy_thematic.evaluation.results import results_of_documents

N, TRIPLETS = 60, 30


def make_results(rows, n=N, n_triplets=TRIPLETS, clustered=N):
    """Rows of given mean accuracy and AMI, with the same hard and easy documents."""
    rng = np.random.default_rng(0)
    document = rng.normal(0, 0.05, (n, 2))
    scores = {}
    for row, means in rows.items():
        values = np.array(means) + document + rng.normal(0, 0.02, (n, 2))
        values[clustered:, 1] = np.nan
        scores[row] = values
    return results_of_documents(scores, [n_triplets] * n)


def judge(rows, others=("md",), start="", **sizes):
    baselines = [row for row in ("mean", "random") if row in rows]
    names = {"mean": "mean vectors", "random": "chance"}
    results = make_results(rows, **sizes)
    return Comparison(results, "mine", others, baselines, names, start).judge()


CHANCE = {"random": (0.5, 0.0)}


def test_a_better_model_is_to_be_used_and_has_the_only_tick():
    found = judge({"mine": (0.70, 0.30), "md": (0.65, 0.25), **CHANCE})
    assert found.level == "good" and not found.faults
    assert found.advice == "mine scores better than md on these 60 documents: use mine."


def test_a_worse_model_is_not_to_be_used():
    rows = {"mine": (0.62, 0.20), "sm": (0.60, 0.2), "md": (0.65, 0.25), **CHANCE}
    found = judge(rows, others=("sm", "md"))
    assert found.level == "warn" and not found.faults
    assert found.advice == (
        "md scores better than mine on these 60 documents: use md, or adapt it with "
        '"python -m spacy thematic adapt --from md".'
    )
    # It was adapted from this one.
    assert judge(rows, ("sm", "md"), start="md").advice.endswith("60 documents: use md.")


def test_the_difference_of_equal_models_is_within_chance():
    found = judge({"mine": (0.65, 0.25), "md": (0.651, 0.25), **CHANCE})
    assert found.level == "info" and not found.faults
    assert "between mine and md is within chance on these 60 documents: use either" in found.advice


def test_each_may_be_better_at_something():
    found = judge({"mine": (0.72, 0.20), "md": (0.66, 0.26), **CHANCE})
    assert found.level == "info"
    assert found.advice == (
        "mine has the higher accuracy, md the higher AMI on these 60 documents: use mine to "
        "compare sentences, md to cluster them."
    )
    found = judge({"mine": (0.60, 0.32), "md": (0.66, 0.26), **CHANCE})
    assert found.advice == (
        "mine has the higher AMI, md the higher accuracy on these 60 documents: use md to "
        "compare sentences, mine to cluster them."
    )


def test_a_model_at_chance_or_below_mean_vectors_has_no_tick():
    below_chance = judge({"mine": (0.45, -0.01), "md": (0.4, -0.05), **CHANCE})
    assert below_chance.level == "warn"
    assert below_chance.faults == ["mine scores no better than chance."]
    hardly_above = judge({"mine": (0.503, 0.0), "md": (0.503, 0.0), **CHANCE})
    assert hardly_above.level == "warn"
    assert hardly_above.faults == ["mine cannot be told apart from chance on these 60 documents."]
    assert hardly_above.advice.endswith("on these 60 documents: test on more documents.")
    assert hardly_above.advice.startswith("No model is clearly better than chance")
    below = {"mine": (0.60, 0.20), "md": (0.55, 0.15), "mean": (0.65, 0.25), **CHANCE}
    found = judge(below)
    assert found.faults == ["mine scores no better than mean vectors."]
    assert found.level == "warn" and "use mine" in found.advice
    alone = judge(below, others=())
    assert alone.level == "warn" and "adapt a bundled model" in alone.advice
    above = judge({**below, "mean": (0.55, 0.15)}, others=())
    assert above.level == "good"
    assert above.advice == "mine scores better than mean vectors and chance on these 60 documents."
    mixed = judge({**below, "mean": (0.55, 0.25)}, others=())
    (fault,) = mixed.faults
    assert fault == "mine scores higher than mean vectors by accuracy, but lower by AMI."


@pytest.mark.parametrize("n, found", [(19, "19 documents"), (1, "1 document")])
@pytest.mark.parametrize("n_triplets", [30, 0])
def test_few_documents_say_nothing(n, found, n_triplets):
    sizes = {"n": n, "n_triplets": n_triplets}
    verdict = judge({"mine": (0.9, 0.9), "md": (0.6, 0.2), **CHANCE}, **sizes)
    assert verdict.level == "warn"
    assert verdict.advice == f"Too few to say which model to use: {found}, 20 are needed."
    assert verdict.faults == []
    below = judge({"mine": (0.3, -0.2), "md": (0.6, 0.2), **CHANCE}, **sizes)
    assert below.faults == ["mine scores no better than chance."]


def test_few_clustered_documents_do_not_decide():
    rows = {"mine": (0.65, 0.60), "md": (0.65, 0.20), **CHANCE}
    assert judge(rows).level == "good"
    assert judge(rows, clustered=10).level == "info"
    only_clustered = judge(rows, n_triplets=0)
    assert only_clustered.level == "good"


def test_the_table_has_an_interval_for_every_row():
    results = make_results({"mine": (0.7, 0.3), "md": (0.65, 0.25), **CHANCE})
    lines = Comparison(results, "mine", ["md"], ["random"], {"random": "chance"}).make_table()
    assert [line[""] for line in lines] == ["mine", "md", "chance"]
    for row, line in zip(("mine", "md", "random"), lines):
        assert line["accuracy"] == str(results.estimate(row, "cosine"))
        assert line["AMI"] == str(results.estimate(row, "ami"))
        assert " to " in line["accuracy"]
