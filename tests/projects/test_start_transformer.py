"""The start of a transformer: layers of a BERT, here a tiny one of random weights."""

import numpy as np
import pytest
import srsly
import torch
from safetensors.torch import save_file
from typer.testing import CliRunner

import spacy_thematic
from spacy_thematic.models.torch.transformer_mean import bucket_distances
from spacy_thematic.models.word_pieces import WordPieces
from spacy_thematic.pipeline.text_encoder import encode_texts
from spacy_thematic.pretrained import find_pretrained
from start_transformer import app, choose_pieces
from tests.cli.conftest import flat

WIDTH, PIECES = 8, ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "river", "flood", "##s", "king"]
CONFIG = """
[model]
@architectures = "spacy-thematic.TransformerMean.v1"
n_layers = 1
n_heads = 2
inner_width = 8
sentence_width = 4
max_length = 16

[model.embed]
@architectures = "spacy-thematic.WordPieceVectors.v1"
width = 8
whole = true

[start]
layers = [1]
"""


def write_bert(folder):
    shapes = {
        "embeddings.word_embeddings.weight": (len(PIECES), WIDTH),
        "embeddings.position_embeddings.weight": (16, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        "embeddings.LayerNorm.weight": (WIDTH,),
        "embeddings.LayerNorm.bias": (WIDTH,),
    }
    for layer in range(2):
        sizes = {"intermediate.dense": (16, WIDTH), "output.dense": (WIDTH, 16)}
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            sizes[f"attention.{part}"] = (WIDTH, WIDTH)
        for part in ("attention.output.LayerNorm", "output.LayerNorm"):
            sizes[part] = (WIDTH,)
        for part, size in sizes.items():
            shapes[f"encoder.layer.{layer}.{part}.weight"] = size
            shapes[f"encoder.layer.{layer}.{part}.bias"] = size[:1]
    random = torch.Generator().manual_seed(0)
    weights = {name: torch.randn(shape, generator=random) for name, shape in shapes.items()}
    folder.mkdir()
    save_file(weights, folder / "model.safetensors")
    (folder / "vocab.txt").write_text("\n".join(PIECES))
    srsly.write_json(folder / "config.json", {"num_attention_heads": 2})
    return folder


def run(*args, status=0):
    done = CliRunner().invoke(app, list(map(str, args)))
    assert done.exit_code == status, done.output
    return flat(done.output) + flat(str(done.exception or ""))


def test_the_same_bert_gives_the_same_file(tmp_path):
    bert, config = write_bert(tmp_path / "bert"), tmp_path / "start.cfg"
    config.write_text(CONFIG)
    first, second, other = (tmp_path / f"{name}.safetensors" for name in "abc")
    run(config, bert, first)
    torch.rand(3)
    run(config, bert, second)
    assert first.read_bytes() == second.read_bytes()
    run(config, bert, other, "--seed", 1)
    # The weights that no BERT has add nothing at first.
    texts = ["river floods", "the king"]
    rows = [encode_texts(spacy_thematic.load(str(path)), texts) for path in (first, other)]
    assert (rows[0] == rows[1]).all()
    assert first.read_bytes() != other.read_bytes()
    assert find_pretrained(str(first)).architecture["n_layers"] == 1


USEFUL = ["[UNK]", "[CLS]", "[SEP]", "river", "##s", "!", "#", "привет", "##ам", "½"]
USELESS = ["[PAD]", "[unused7]", "##!", "##", "é", "Ä", "京", "##京", "##\u0f0b", "##\u0301"]


def test_pieces_that_no_word_has_and_ideographs_are_left_out():
    pieces = [piece for pair in zip(USELESS, USEFUL) for piece in pair]
    assert [pieces[row] for row in choose_pieces(pieces)] == USEFUL


@pytest.mark.parametrize("word", ["rivers!", "#river", "приветам", "½", "[unused7]", "[PAD]"])
def test_words_are_cut_as_with_all_pieces(word):
    every = [*USEFUL, *USELESS]
    few = [every[row] for row in choose_pieces(every)]
    cutters = [WordPieces(pieces, 8, whole=True) for pieces in (every, few)]
    cut = [[cutter.pieces[row] for row in cutter(word)] for cutter in cutters]
    assert cut[0] == cut[1]


def test_a_bert_of_another_width_is_an_error(tmp_path):
    bert, config = write_bert(tmp_path / "bert"), tmp_path / "start.cfg"
    config.write_text(CONFIG.replace("width = 8\nwhole", "width = 16\nwhole"))
    assert "has width 8 and 2 heads" in run(config, bert, tmp_path / "a.safetensors", status=1)


def test_distances_have_the_buckets_of_t5():
    buckets = bucket_distances(200, 32)
    found = buckets[150, [150, 149, 143, 142, 139, 138, 23, 0]]
    assert found.tolist() == [0, 1, 7, 8, 8, 9, 15, 15]
    assert buckets[0, [1, 8, 12, 199]].tolist() == [17, 24, 25, 31]


def test_an_mpnet_gives_the_vectors_that_it_has(tmp_path):
    transformers = pytest.importorskip("transformers")
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "[UNK]", "river", "floods", "the", "king", "##dom"]
    sizes = {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = transformers.MPNetConfig(
        vocab_size=len(pieces), intermediate_size=16, max_position_embeddings=40, **sizes
    )
    torch.manual_seed(0)
    theirs = transformers.MPNetModel(config).eval()
    with torch.no_grad():
        for weight in theirs.parameters():
            weight.normal_(std=0.5)
    theirs.save_pretrained(tmp_path / "mpnet")
    (tmp_path / "mpnet" / "vocab.txt").write_text("\n".join(pieces))
    start = tmp_path / "start.cfg"
    deep = CONFIG.replace("n_layers = 1", "n_layers = 2\ndistance_buckets = 32")
    start.write_text(deep.replace("inner_width = 8", "inner_width = 16").replace("[1]", "[0,1]"))
    run(start, tmp_path / "mpnet", tmp_path / "start.safetensors")

    text = "the kingdom the river floods the river the king floods"
    numbers = [0, *map(pieces.index, text.replace("kingdom", "king ##dom").split()), 2]
    with torch.no_grad():
        expected = theirs(torch.tensor([numbers])).last_hidden_state[0].mean(dim=0).numpy()
    nlp = spacy_thematic.load(str(tmp_path / "start.safetensors"))
    np.testing.assert_allclose(encode_texts(nlp, [text])[0], expected, rtol=1e-3, atol=1e-4)
