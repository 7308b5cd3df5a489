"""Encoders over a tok2vec or transformer that other components may share."""

import io
from string import ascii_lowercase

import numpy as np
import pytest
import spacy
from spacy.training.initialize import init_nlp
from spacy.training.loop import train as spacy_train
from thinc.api import Config

from spacy_thematic.training.objective import TrainingError
from spacy_thematic.training.runner import train
from tests.training.conftest import MEAN, load_config

TOK2VEC = """
[tok2vec]
factory = "tok2vec"

[tok2vec.model]
@architectures = "spacy.HashEmbedCNN.v2"
width = 16
depth = 1
embed_size = 200
window_size = 1
maxout_pieces = 2
subword_features = false
pretrained_vectors = null

[embedder]
@architectures = "spacy-thematic.Tok2VecAttention.v1"
attention_width = 8

[embedder.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 16
"""
TRANSFORMER = """
[tok2vec]
factory = "curated_transformer"

[tok2vec.model]
@architectures = "spacy-curated-transformers.BertTransformer.v1"
vocab_size = 200
hidden_width = 16
intermediate_width = 16
num_attention_heads = 2
num_hidden_layers = 1
piece_encoder = {"@architectures": "spacy-curated-transformers.CharEncoder.v1"}
with_spans = {"@architectures": "spacy-curated-transformers.WithStridedSpans.v1"}

[embedder]
@architectures = "spacy-thematic.Tok2VecAttention.v1"
attention_width = 8

[embedder.tok2vec]
@architectures = "spacy-curated-transformers.LastTransformerLayerListener.v1"
width = 16
pooling = {"@layers": "reduce_mean.v1"}
"""


def listening_config(corpus, components: str) -> Config:
    config = load_config(corpus)
    added = Config().from_str(components)
    config["components"]["tok2vec"] = added["tok2vec"]
    config["components"]["thematic_embedder"]["model"] = added["embedder"]
    config["nlp"]["pipeline"] = ["sentencizer", "tok2vec", "thematic_embedder"]
    del config["components"]["thematic_clusterer"]
    config["training"]["frozen_components"] = []
    return config


def transformer_config(corpus, folder) -> Config:
    pytest.importorskip("spacy_curated_transformers")
    if np.lib.NumpyVersion(np.__version__) >= "2.4.0":
        pytest.skip("spacy-curated-transformers 0.3 does not train with NumPy 2.4")
    config = listening_config(corpus, TRANSFORMER)
    characters = folder / "characters.txt"
    characters.write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *ascii_lowercase]))
    loader = {
        "@model_loaders": "spacy-curated-transformers.CharEncoderLoader.v1",
        "path": str(characters),
    }
    config["initialize"]["components"] = {"tok2vec": {"piecer_loader": loader}}
    return config


def weights_of(nlp, name: str) -> bytes:
    return nlp.get_pipe(name).model.to_bytes()


@pytest.mark.parametrize("kind", ["tok2vec", "transformer"])
def test_what_the_encoder_listens_to_is_trained_too(corpus, tmp_path, kind):
    if kind == "transformer":
        config = transformer_config(corpus, tmp_path)
    else:
        config = listening_config(corpus, TOK2VEC)
    nlp = init_nlp(config)
    before = weights_of(nlp, "tok2vec")
    spacy_train(nlp, tmp_path, stdout=io.StringIO(), stderr=io.StringIO())
    assert weights_of(nlp, "tok2vec") != before
    best = spacy.load(tmp_path / "model-best")
    assert best.meta["performance"]["thematic_accuracy"] > 0.5
    vectors = best("The river meets the coast. A bank pays tax.")._.thematic_vectors
    assert vectors.shape == (2, 16)
    assert not np.allclose(vectors[0], vectors[1])


@pytest.mark.parametrize(
    ("listens", "message"),
    [(True, "listens to .*spacy train"), (False, "has tok2vec: .*spacy train")],
)
def test_our_loop_says_what_trains_other_components(corpus, tmp_path, listens, message):
    config = listening_config(corpus, TOK2VEC)
    if not listens:
        config["components"]["thematic_embedder"].update(Config().from_str(MEAN))
    with pytest.raises(TrainingError, match=message):
        train(init_nlp(config), tmp_path)
