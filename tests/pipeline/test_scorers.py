"""What `nlp.evaluate` and `spacy evaluate` report."""

import itertools

import numpy as np
import pytest
import spacy
import srsly
from spacy.cli._util import app
from spacy.tokens import Doc, SpanGroup
from spacy.training import Example
from typer.testing import CliRunner

from spacy_thematic.pipeline.scorers import score_themes
from spacy_thematic.triplets.article_docs import make_clustering_doc
from spacy_thematic.triplets.corpus import make_example
from spacy_thematic.triplets.docbin import write_shard
from spacy_thematic.triplets.rules import CorpusSettings, apply_rules
from tests.conftest import article_doc, make_article

WORDS = "a b c d e f g h".split()


def make_themes(sections, themes, cut=None):
    """Sentences of two words each; the predicted ones end a word later from `cut` on."""
    reference, predicted = Doc(nlp_vocab(), WORDS), Doc(nlp_vocab(), WORDS)
    spans = [reference[i : i + 2] for i in range(0, 8, 2)]
    for span, section in zip(spans, sections):
        span.id = section
    reference.spans["sentences"] = SpanGroup(reference, spans=spans)
    bounds = list(range(0, 9, 2))
    if cut is not None:
        bounds[cut] += 1
    found = [predicted[start:end] for start, end in itertools.pairwise(bounds)]
    for span, theme in zip(found, themes):
        span.id = theme
    predicted.spans["thematic_clusters"] = SpanGroup(predicted, spans=found)
    return Example(predicted, reference)


def nlp_vocab():
    return spacy.blank("en").vocab


def test_themes_are_scored_against_sections():
    right = score_themes([make_themes([0, 0, 1, 1], [2, 2, 1, 1])])
    assert right["thematic_ami"] == right["thematic_ari"] == right["thematic_ri"] == 1
    assert right["thematic_mi"] == pytest.approx(np.log(2))
    half = score_themes([make_themes([0, 0, 1, 1], [1, 2, 1, 2])])
    assert half["thematic_mi"] == pytest.approx(0)
    assert half["thematic_ri"] == pytest.approx(2 / 6)
    both = score_themes(
        [make_themes([0, 0, 1, 1], themes) for themes in ([2, 2, 1, 1], [1, 2, 1, 2])]
    )
    assert both["thematic_ri"] == pytest.approx((1 + 2 / 6) / 2)


def test_other_sentence_boundaries_take_the_theme_of_most_characters():
    scores = score_themes([make_themes([0, 0, 1, 1], [1, 1, 2, 2], cut=1)])
    assert scores["thematic_ari"] == 1


def test_sentences_without_a_theme_are_one_cluster_more():
    example = make_themes([0, 0, 1, 1], [1, 1, 2, 2])
    group = example.predicted.spans["thematic_clusters"]
    example.predicted.spans["thematic_clusters"] = SpanGroup(
        example.predicted, spans=list(group)[:2]
    )
    assert score_themes([example])["thematic_ari"] == 1


def test_without_sections_or_themes_there_is_no_score():
    assert set(score_themes([]).values()) == {None}
    assert score_themes([make_themes([0, 0, 0, 0], [1, 1, 2, 2])])["thematic_ami"] is None
    example = make_themes([0, 0, 1, 1], [1, 1, 2, 2])
    del example.predicted.spans["thematic_clusters"]
    assert score_themes([example])["thematic_ami"] is None


@pytest.fixture(scope="module")
def pipeline():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("thematic_embedder")
    nlp.add_pipe("thematic_clusterer")
    return nlp


KEYS = {
    "thematic_accuracy", "thematic_accuracy_l1", "thematic_spread",
    "thematic_mi", "thematic_ami", "thematic_ami_max", "thematic_ri", "thematic_ari",
}  # fmt: skip


def test_nlp_evaluate_reports_the_keys_of_both_components(pipeline):
    docs = [article_doc(make_article(number), pipeline) for number in range(3)]
    scores = pipeline.evaluate([make_example(doc) for doc in docs])
    assert set(scores) >= KEYS
    assert scores["thematic_accuracy"] > 0.9
    assert scores["thematic_ami"] > 0.5


def test_spacy_evaluate_reports_them_though_it_tokenizes_again(pipeline, tmp_path):
    pipeline.to_disk(tmp_path / "model")
    articles = [make_article(number) for number in range(3)]
    # The shards keep "a.b" of two sentences apart; read as text it is one word.
    articles[0].sections[1].paragraphs[0] = 'The river and lake ("known.")The coast is known.'
    docs = [make_clustering_doc(apply_rules(a, CorpusSettings()), pipeline) for a in articles]
    write_shard(docs, tmp_path / "docs.spacy")
    assert [t.text for t in docs[0]] != [t.text for t in pipeline.make_doc(docs[0].text)]
    arguments = ["evaluate", tmp_path / "model", tmp_path / "docs.spacy", "-o", tmp_path / "e.json"]
    done = CliRunner().invoke(app, list(map(str, arguments)))
    assert done.exit_code == 0, (done.output, done.exception)
    scores = srsly.read_json(tmp_path / "e.json")
    assert set(scores) >= KEYS
    assert scores["thematic_accuracy"] is None
    assert scores["thematic_ami"] > 0.5
