"""Nets that were learned beside one encoder, given to another."""

import numpy as np
import spacy
from thinc.api import Linear

import spacy_thematic
from spacy_thematic.models.section_boundaries import find_boundaries
from spacy_thematic.models.section_headings import embed_sections, find_heading_net
from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.pipeline.text_encoder import encode_texts
from spacy_thematic.pretrained import find_pretrained
from spacy_thematic.pretrained.model_file import write_model_file
from spacy_thematic.pretrained.state import ModelState, take_state
from spacy_thematic.triplets.compiled import open_compiled
from teacher import get_texts
from translate_nets import main as translate
from translate_nets import put_before

SMALL, WIDTH = "en_thematic_sm", 256


def write_encoder(path, change):
    """Write the encoder of the small model, its rows changed, without the nets beside it."""
    small = find_pretrained(SMALL)
    model = small.build()
    small.fill(model)
    state = take_state(model.layers[0].layers[0].layers[0])
    arrays = dict(state.arrays)
    (table,) = [name for name in arrays if name.endswith("learned_word_vectors.E")]
    scales = f"{table.removesuffix('.E')}.scales"
    arrays[table] = change(arrays[table] * arrays[scales][:, None]).astype("f")
    arrays[scales] = np.zeros(0, "f")
    architecture = small.architecture["encoder"]["encoder"]["encoder"]
    write_model_file(path, "en", architecture, ModelState(arrays, state.dims), exact=True)
    return str(path)


def encode(name, texts):
    return encode_texts(spacy_thematic.load(name), texts)


def find_nets(name):
    embedder = find_embedder(spacy_thematic.load(name))
    embedder.fill()
    return find_boundaries(embedder.model, WIDTH), find_heading_net(embedder.model, WIDTH)


def test_nets_read_the_vectors_of_another_encoder(whole, tmp_path):
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(WIDTH, WIDTH)))[0]
    other = write_encoder(tmp_path / "other.safetensors", lambda rows: rows @ turn)
    translate(SMALL, other, whole / "train", tmp_path / "out.safetensors", 5000, False, 0)

    compiled = open_compiled(whole / "train", spacy.blank("en").vocab)
    texts = list(get_texts(compiled, np.arange(40)))
    own, turned = encode(SMALL, texts), encode(other, texts)
    assert np.abs(own - turned).max() > 0.1
    # The file has rounded rows.
    assert np.abs(encode(str(tmp_path / "out.safetensors"), texts[:3]) - turned[:3]).max() < 0.01

    lengths = np.array([len(text) for text in texts], "f")
    before, after = find_nets(SMALL), find_nets(str(tmp_path / "out.safetensors"))
    true, found, wrong = (
        net.predict([(rows, lengths)])
        for net, rows in ((before[0], own), (after[0], turned), (before[0], turned))
    )
    assert np.abs(found - true).mean() < 0.5 * np.abs(wrong - true).mean()
    sections = [
        embed_sections(net, np.hstack([rows, rows - rows.mean(axis=0)]))[0]
        for (_, net), rows in zip((before, after), (own, turned))
    ]
    assert (sections[0] * sections[1]).sum(axis=1).min() > 0.95
    assert after[1].attrs["bank"] == before[1].attrs["bank"]


def test_a_linear_layer_reads_what_a_map_reads():
    rng = np.random.default_rng(0)
    layer = Linear(nO=3, nI=9).initialize()
    map_ = rng.normal(size=(2, 4)).astype("f")
    rows, more = rng.normal(size=(5, 2, 2)).astype("f"), rng.normal(size=(5, 1)).astype("f")
    wanted = layer.predict(np.hstack([rows[:, 0] @ map_, rows[:, 1] @ map_, more]))
    block = {"@layers": "Linear.v1", "nO": 3}
    found = put_before(map_, layer, [layer], block).predict(np.hstack([*rows.swapaxes(0, 1), more]))
    assert np.allclose(found, wanted, atol=1e-5)
