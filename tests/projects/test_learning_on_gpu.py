"""The scripts by which the larger models learn on a GPU. Here they take a few steps on a CPU."""

import numpy as np
import pytest
import spacy
import torch

import spacy_thematic
from learn_on_gpu import Learner, encode_rows, student, teacher
from padded import Boundaries, unit
from passages import Sampling, read_passages
from spacy_thematic.models.section_boundaries import find_boundaries
from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.pipeline.text_encoder import encode_texts
from spacy_thematic.rows import unit_rows
from spacy_thematic.triplets.compiled import open_compiled
from teacher import get_texts
from tune_boundaries import find_net
from tune_boundaries import main as tune

MEDIUM, WIDTH = "en_thematic_md", 640


@pytest.fixture(scope="module")
def learned(whole, tmp_path_factory):
    out = tmp_path_factory.mktemp("learned") / "md.safetensors"
    student(
        MEDIUM, [whole / "train"], MEDIUM, MEDIUM, out,
        steps=3, rate=1e-4, n_articles=4, n_texts=3, keep=0.3, seed=0,
    )  # fmt: skip
    return str(out)


def test_padded_sentences_have_the_vectors_of_the_package(whole, learned):
    learner = Learner(learned)
    passages = read_passages([whole / "train"], learner.cutter)
    batch = next(Sampling(n_articles=5, n_texts=3).draw(passages, 0))
    pieces = torch.from_numpy(passages.pieces.astype("int32"))
    with torch.no_grad():
        found = unit(encode_rows(learner.encoder, pieces, passages, batch.rows)).numpy()
    # The sentences of a text stand in another order in the corpus.
    corpus = open_compiled(whole / "train", spacy.blank("en").vocab)
    texts = get_texts(corpus, np.arange(corpus.n_rows))
    known = unit_rows(encode_texts(spacy_thematic.load(learned), texts), centre=False)
    assert (found @ known.T).max(axis=1).min() > 0.999


def test_learning_changes_the_encoder_less_with_a_share_of_the_start(learned):
    before, after = Learner(MEDIUM), Learner(learned)
    for old, new in zip(before.encoder.parameters(), after.encoder.parameters()):
        assert old.shape == new.shape
    assert any(
        not torch.equal(old, new)
        for old, new in zip(before.encoder.parameters(), after.encoder.parameters())
    )


def test_layers_that_do_not_learn_stay_as_they_are(whole, tmp_path):
    out = tmp_path / "taught.safetensors"
    teacher(MEDIUM, [whole / "train"], out, steps=2, rate=1e-3, frozen=1, n_articles=4, seed=0)
    before, after = Learner(MEDIUM).encoder, Learner(str(out)).encoder
    assert torch.equal(before.table, after.table)
    same = [
        all(map(torch.equal, old.parameters(), new.parameters()))
        for old, new in zip(before.net.layers, after.net.layers)
    ]
    assert same == [True, False]


def test_a_net_in_pytorch_says_what_it_says_in_thinc():
    rng = np.random.default_rng(0)
    learned = find_net(MEDIUM)
    lengths = (9, 14)
    vectors = [unit_rows(rng.normal(size=(n, WIDTH)).astype("f"), centre=False) for n in lengths]
    characters = [rng.integers(20, 200, n).astype("f") for n in lengths]
    net = Boundaries(WIDTH).eval()
    net.read(learned)
    mask = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
    padded = torch.zeros(2, max(lengths), WIDTH), torch.zeros(2, max(lengths))
    for row, n in enumerate(lengths):
        padded[0][row, :n] = torch.from_numpy(vectors[row])
        padded[1][row, :n] = torch.from_numpy(characters[row])
    with torch.no_grad():
        found = net(*padded, mask)[mask].numpy()
    assert np.allclose(found, learned.predict([*zip(vectors, characters)]), atol=1e-3)


def test_a_wider_net_reads_the_first_part_of_the_vectors(learned):
    narrow, wide = Boundaries(384).eval(), Boundaries(WIDTH).eval()
    narrow.read(find_net(learned))
    wide.read(find_net(learned), 1.25)
    rows = unit(torch.randn(1, 8, 384, generator=torch.manual_seed(0)))
    beside = torch.zeros(1, 8, WIDTH - 384)
    characters, mask = torch.full((1, 8), 90.0), torch.ones(1, 8, dtype=torch.bool)
    with torch.no_grad():
        found = wide(torch.cat([rows / 1.25, beside], dim=-1), characters, mask)
        assert torch.allclose(found, narrow(rows, characters, mask), atol=1e-4)


def test_boundaries_are_tuned_and_mean_what_another_model_means(whole, learned, tmp_path, capsys):
    out = tmp_path / "tuned.safetensors"
    tune(
        learned, learned, [whole / "train"], [whole / "train"], "en_thematic_sm", out,
        outlines=[], fold=None, n_articles=30, steps=4, rate=8e-4, seed=0,
    )  # fmt: skip
    assert capsys.readouterr().out.count("average precision") == 2
    nlp = spacy_thematic.load(str(out))
    embedder = find_embedder(nlp)
    embedder.fill()
    assert find_boundaries(embedder.model, 384) is not None
