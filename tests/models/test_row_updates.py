import numpy as np
import pytest
from spacy.util import registry
from thinc.api import SGD, NumpyOps

from spacy_thematic.models.spans import make_doc_spans
from spacy_thematic.models.tables import DECAY, get_row_updates

TABLE = """
[model]
@architectures = "spacy-thematic.WeightedMean.v1"
min_count = 1
[model.embed]
@architectures = "spacy-thematic.LearnedVectors.v1"
width = 6
min_count = 2
unknown_rows = 8
"""


def build(inputs, row_rate):
    from thinc.api import Config

    config = Config().from_str(TABLE)
    config["model"]["embed"]["row_rate"] = row_rate
    model = registry.resolve(config)["model"]
    for node in model.walk():
        if "set_vocabulary" in node.attrs:
            node.attrs["set_vocabulary"](
                node, inputs.vocab, *np.unique(inputs.words.lower, return_counts=True)
            )
    model.initialize(X=inputs)
    return model


@pytest.fixture
def inputs(nlp):
    docs = [nlp("The rain falls. The snow melts fast, the rain stays."), nlp("Rain, rain, rain.")]
    return make_doc_spans(NumpyOps(), docs, [list(doc.sents) for doc in docs])


def test_gradients_by_rows_are_those_of_the_whole_table(inputs):
    dense, sparse = build(inputs, None), build(inputs, 1.0)
    vectors, backprop = dense.begin_update(inputs)
    by_rows, backprop_rows = sparse.begin_update(inputs)
    assert np.allclose(vectors, by_rows, atol=1e-6)
    dY = np.random.default_rng(0).standard_normal(vectors.shape).astype("f")
    backprop(dY)
    backprop_rows(dY)
    for layer, other in zip(dense.layers, sparse.layers):
        gradient = np.zeros_like(layer.get_param("E"))
        for _, rows, values in get_row_updates(other)._pending:
            np.add.at(gradient, rows, values)
        assert np.allclose(gradient, layer.get_grad("E"), atol=1e-5)
        assert np.abs(gradient).max() > 0


def test_an_update_is_rmsprop_of_the_rows_that_were_read(inputs):
    model = build(inputs, 0.5)
    embed = model.layers[0]
    before = embed.get_param("E").copy()
    updates = get_row_updates(embed)
    rows, values = np.array([2, 0, 2]), np.arange(18, dtype="f").reshape(3, 6)
    updates.add(embed, rows, values)
    model.finish_update(SGD(0.1))
    after = embed.get_param("E")
    gradient = values[0] + values[2]
    moment = (gradient**2).mean() * (1 - DECAY)
    expected = before[2] - 0.05 * gradient / (np.sqrt(moment / (1 - DECAY)) + 1e-8)
    assert np.allclose(after[2], expected, atol=1e-6)
    untouched = np.setdiff1d(np.arange(len(before)), [0, 2])
    assert np.array_equal(after[untouched], before[untouched])
    assert updates.n_updates[[0, 1, 2]].tolist() == [1, 0, 1]


def test_a_model_with_row_updates_has_the_bytes_of_its_weights_alone(inputs):
    model = build(inputs, 1.0)
    _, backprop = model.begin_update(inputs)
    backprop(np.ones((len(inputs.words.lengths), 6), "f"))
    model.finish_update(SGD(0.1))
    fresh = build(inputs, 1.0).from_bytes(model.to_bytes())
    assert np.array_equal(fresh.predict(inputs), model.predict(inputs))
    assert not len(get_row_updates(fresh.layers[0]).moments)
