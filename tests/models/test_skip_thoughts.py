"""Gated recurrent units, the loss of skip-thoughts, and their training."""

import numpy as np
import pytest
import spacy
import srsly
import torch
from spacy.vocab import Vocab
from thinc.api import Config

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.models.torch.gru import GRU, GRUEncoder
from spacy_thematic.models.torch.skip_thoughts import SkipThoughts
from spacy_thematic.training.skip_thoughts import make_pipeline, make_trainer
from spacy_thematic.triplets.article_docs import make_sentence_splitter
from spacy_thematic.triplets.paragraphs import read_paragraphs
from tests.conftest import assert_same_rows, encoder_bytes

LENGTHS = [3, 1, 4, 2, 4]
FIRSTS = [0, 1, 3]
VOCABULARY = 6


def equations(gru: GRU, words, condition):
    """One sentence, by the equations of Kiros et al. (2015), word by word."""
    weights = {name: value.detach().double() for name, value in gru.state_dict().items()}
    W, b, C = weights["input.weight"], weights["input.bias"], weights["condition.weight"]
    W_r, W_z, W_h = W.chunk(3)
    b_r, b_z, b_h = b.chunk(3)
    C_r, C_z, C_h = C.chunk(3)
    U_r, U_z = weights["gates.weight"].chunk(2)
    state = torch.zeros(gru.hidden_width, dtype=torch.double)
    states = []
    for word in words.double():
        c = condition.double()
        reset = torch.sigmoid(W_r @ word + b_r + U_r @ state + C_r @ c)
        update = torch.sigmoid(W_z @ word + b_z + U_z @ state + C_z @ c)
        new = torch.tanh(W_h @ word + b_h + weights["candidate.weight"] @ (reset * state) + C_h @ c)
        state = (1 - update) * state + update * new
        states.append(state)
    return torch.stack(states)


def test_conditional_units_equal_their_equations():
    torch.manual_seed(0)
    gru = GRU(3, 5, condition_width=4)
    words, conditions = torch.randn(sum(LENGTHS), 3), torch.randn(len(LENGTHS), 4)
    states = gru(words, torch.tensor(LENGTHS), conditions).split(LENGTHS)
    for found, sentence, condition in zip(states, words.split(LENGTHS), conditions):
        assert torch.allclose(found.double(), equations(gru, sentence, condition), atol=1e-5)


def test_the_encoder_gives_the_last_state_and_zeros_without_words():
    torch.manual_seed(0)
    encoder = GRUEncoder(3, 5)
    lengths = torch.tensor([2, 0, 3, 0])
    words = torch.randn(5, 3)
    vectors, states = encoder(words, lengths), encoder.gru(words, lengths)
    assert torch.equal(vectors[[0, 2]], states[[1, 4]])
    assert not vectors[[1, 3]].any()
    assert encoder(words[:0], lengths[[1, 3]]).shape == (2, 5)


@pytest.mark.parametrize("size", [1, 2, 7, 33])
def test_a_vector_does_not_depend_on_the_batch_at_a_real_size(size):
    torch.manual_seed(0)
    encoder = GRUEncoder(100, 300).eval()
    lengths = torch.randint(0, 40, (80,))
    words = torch.randn(int(lengths.sum()), 100)
    with torch.no_grad():
        together = encoder(words, lengths)
        for first in (0, 19, 41):
            some = lengths[first : first + size]
            start = int(lengths[:first].sum())
            alone = encoder(words[start : start + int(some.sum())], some)
            assert_same_rows(alone, together[first : first + size])


def make_module() -> SkipThoughts:
    torch.manual_seed(1)
    frequencies = torch.rand(VOCABULARY + 1) + 0.1
    module = SkipThoughts(GRUEncoder(3, 5), 3, frequencies / frequencies.sum())
    for decoder in (module.next, module.previous):
        torch.nn.init.normal_(decoder.start)
    return module


def make_batch():
    """Words, lengths, numbers in the vocabulary (one word is not in it), first sentences."""
    torch.manual_seed(2)
    numbers = torch.randint(0, VOCABULARY - 1, (sum(LENGTHS),))
    numbers[5] = -1
    return torch.randn(sum(LENGTHS), 3), torch.tensor(LENGTHS), numbers, torch.tensor(FIRSTS)


@pytest.mark.parametrize("in_training", [False, True])
def test_the_loss_equals_its_formula_sentence_by_sentence(in_training):
    module = make_module().train(in_training)
    words, lengths, numbers, firsts = make_batch()
    total, n_words = module(words, lengths, numbers, firsts)
    sentences, targets = words.split(LENGTHS), numbers.split(LENGTHS)
    vectors = module.encoder(words, lengths)
    end = VOCABULARY
    foretold = [(module.next, i, i + 1) for i in FIRSTS]
    foretold += [(module.previous, i + 1, i) for i in FIRSTS]
    goals = [[*targets[other].tolist(), end] for _, _, other in foretold]
    counted = [goal for goals_of_one in goals for goal in goals_of_one if goal >= 0]
    expected = 0.0
    for (decoder, this, other), wanted in zip(foretold, goals):
        read = torch.cat([decoder.start, sentences[other]])
        states = equations(decoder.gru, read, vectors[this]).float()
        logits = module.output(states)
        if in_training:
            absent = torch.ones(VOCABULARY + 1, dtype=bool)
            absent[counted] = False
            presence = 1 - (1 - module.frequencies) ** len(counted)
            logits = (logits - presence.log()).masked_fill(absent, -torch.inf)
        for row, goal in zip(torch.log_softmax(logits, dim=1), wanted):
            expected -= row[goal].item() if goal >= 0 else 0.0
    assert n_words == len(counted) == sum(LENGTHS[i] + LENGTHS[i + 1] + 2 for i in FIRSTS) - 1
    assert total.item() == pytest.approx(expected, rel=1e-4)


def test_the_gradient_reaches_all_weights():
    module = make_module()
    total, _ = module(*make_batch())
    total.backward()
    for name, weight in module.named_parameters():
        assert weight.grad is not None, name
        assert weight.grad.any(), name


STORIES = [
    "The river rises in the mountains. It floods the valley each spring. The farmers leave then.",
    "The king fought two wars. His army lost the first battle. Peace came after ten years.",
    "An opera needs singers. They train for many years. A choir sings behind them.",
    "Bread is made of flour. It rises in a warm place. The oven must be hot.",
]


def make_articles(n: int = 12) -> list[Article]:
    return [
        Article(f"Story {number}", "", [Section("", 1, []), Section("Plot", 2, STORIES)])
        for number in range(n)
    ]


@pytest.fixture(scope="module")
def paragraphs():
    return read_paragraphs(make_articles(), make_sentence_splitter(), 40, 0.4)


@pytest.fixture(scope="module")
def config(tmp_path_factory):
    vectors = tmp_path_factory.mktemp("vectors")
    vocab = Vocab()
    words = sorted({word for story in STORIES for word in story.replace(".", " .").split()})
    rng = np.random.default_rng(0)
    for word in words:
        vocab.set_vector(word, rng.standard_normal(8).astype("f"))
    spacy.blank("en", vocab=vocab).to_disk(vectors)
    config = Config().from_disk("configs/skip_thoughts.cfg", interpolate=False)
    config["paths"]["vectors"] = str(vectors)
    config["components"]["thematic_embedder"]["model"]["hidden_width"] = 16
    config["skip_thoughts"].update(batch_size=12, max_epochs=0, max_steps=8, eval_frequency=3)
    return config


def run(config, paragraphs, output, resume: bool = False):
    nlp = make_pipeline(config)
    return nlp, make_trainer(config).train(nlp, paragraphs, output, resume=resume)


def read(output) -> list[bytes]:
    model = output / "model-last" / "thematic_embedder" / "model"
    return [model.read_bytes(), (output / "log.jsonl").read_bytes()]


def test_decoders_learn_a_tiny_corpus(config, paragraphs, tmp_path):
    """Each sentence has one that follows and one that goes before, so that, once these are learned,
    hardly a word is uncertain."""
    config = config.copy()
    config["skip_thoughts"].update(max_steps=100, eval_frequency=50)
    config["skip_thoughts"]["optimizer"]["learn_rate"] = 0.02
    _, steps = run(config, paragraphs, tmp_path)
    lines = list(steps)
    perplexities = [line["perplexity"] for line in lines if "perplexity" in line]
    assert len(perplexities) == 2
    assert perplexities[-1] < 1.1
    assert lines[-1]["loss"] < 0.1 < 2 < lines[0]["loss"]
    logged = list(srsly.read_jsonl(tmp_path / "log.jsonl"))
    assert [line["step"] for line in logged] == list(range(1, 101))
    assert [line["loss"] for line in logged] == pytest.approx([line["loss"] for line in lines])


def test_a_trained_encoder_is_an_ordinary_pipeline(config, paragraphs, tmp_path):
    nlp, steps = run(config, paragraphs, tmp_path)
    list(steps)
    text = "The river rises in the mountains. An opera needs singers. Unheard words."
    vectors = nlp(text)._.thematic_vectors
    assert vectors.shape == (3, 16)
    loaded = spacy.load(tmp_path / "model-last")
    copied = spacy.blank("en").from_config(loaded.config).from_bytes(loaded.to_bytes())
    for other in (loaded, copied):
        assert encoder_bytes(other) == encoder_bytes(nlp)
        assert_same_rows(other(text)._.thematic_vectors, vectors)
        assert other(text)._.thematic_clusters


@pytest.mark.parametrize("moment", [2, 3, 5])
def test_a_killed_run_resumes_to_the_same_weights(config, paragraphs, tmp_path, moment):
    list(run(config, paragraphs, tmp_path / "undisturbed")[1])
    _, steps = run(config, paragraphs, tmp_path / "killed")
    for _ in range(moment):
        next(steps)
    steps.close()
    resumed = list(run(config, paragraphs, tmp_path / "killed", resume=True)[1])
    assert resumed[0]["step"] == (moment // 3) * 3 + 1
    assert read(tmp_path / "killed") == read(tmp_path / "undisturbed")


def test_another_seed_gives_other_weights(config, paragraphs, tmp_path):
    list(run(config, paragraphs, tmp_path / "first")[1])
    config = config.copy()
    config["system"]["seed"] = 1
    list(run(config, paragraphs, tmp_path / "second")[1])
    assert read(tmp_path / "first")[0] != read(tmp_path / "second")[0]


def test_only_its_own_encoder_is_trained(config):
    config = config.copy()
    config["components"]["thematic_embedder"]["model"] = {
        "@architectures": "spacy-thematic.BiLSTMAttention.v1",
        "embed": {"@architectures": "spacy-thematic.StaticVectors.v1"},
    }
    with pytest.raises(ValueError, match=r"train spacy-thematic.GRUEncoder.*bilstm_attention"):
        make_pipeline(config)


def test_training_must_end(config):
    config = config.copy()
    config["skip_thoughts"].update(max_epochs=0, max_steps=0)
    with pytest.raises(ValueError, match="would not end"):
        make_trainer(config)


def test_a_recipe_for_something_else_is_refused():
    with pytest.raises(ValueError, match=r"no \[skip_thoughts\] block"):
        make_trainer(Config().from_disk("configs/siamese.cfg"))


@pytest.mark.parametrize("setting", ["vocabulary_size", "batch_size"])
def test_sizes_of_nothing_are_refused(setting, config):
    config = config.copy()
    config["skip_thoughts"][setting] = 0
    with pytest.raises(ValueError, match=f"{setting} of .skip_thoughts. to be at least 1, found 0"):
        make_trainer(config)
