"""The recipe skip_thoughts.cfg on a small corpus of whole paragraphs."""

from pathlib import Path

import numpy as np
import pytest
import spacy
import srsly
from spacy.training.initialize import init_nlp
from spacy.vocab import Vocab
from thinc.api import Config

from skip_thoughts import Paragraphs
from spacy_thematic.articles.article import Article, Section
from spacy_thematic.models.torch_wrapper import get_module
from spacy_thematic.training.objective import Step, TrainingError
from spacy_thematic.training.runner import _Run
from spacy_thematic.triplets.compiled import open_compiled
from spacy_thematic.triplets.corpus_builder import build_corpus
from spacy_thematic.triplets.rules import CorpusSettings
from teacher import get_texts
from tests.conftest import assert_same_rows, encoder_bytes
from tests.training.conftest import read_log, run, run_with_a_kill, weights

CONFIG = Path(__file__).parents[2] / "projects/papers/configs/skip_thoughts.cfg"
STORIES = {
    "rain": "The river rises in the mountains. It floods the whole valley each spring.",
    "war": "The young king fought two wars. His army lost the first battle.",
    "music": "An opera needs some good singers. They have to train for years.",
    "bread": "The dough rises in a warm place. The old oven must be hot.",
}


BILSTM = """
[model]
@architectures = "spacy-thematic.BiLSTMAttention.v1"
hidden_width = 8
attention_width = 4
[model.embed]
@architectures = "spacy-thematic.StaticVectors.v1"
"""


def make_article(number: int) -> Article:
    """Sections of two paragraphs of three sentences, of which the first is in no other article; and
    a paragraph of one sentence."""
    sections = [
        Section(
            title,
            2,
            [f"Book {number} tells in {part} of {title}. {story}" for part in ("May", "June")],
        )
        for title, story in STORIES.items()
    ]
    sections[0].paragraphs.insert(1, f"Book {number} tells no more of it.")
    return Article(f"Story {number}", "", [Section("", 1, []), *sections])


def build(out, sentences="all"):
    settings = CorpusSettings(sentences=sentences, min_sections=4, shares=(60, 40, 0))
    build_corpus(map(make_article, range(12)), out, settings)
    return out


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return build(tmp_path_factory.mktemp("skip_thoughts") / "corpus")


@pytest.fixture(scope="module")
def vectors(tmp_path_factory):
    out = tmp_path_factory.mktemp("vectors")
    vocab = Vocab()
    rng = np.random.default_rng(0)
    texts = [text for section in make_article(0).sections for text in section.paragraphs]
    for word in sorted({word.strip(".") for text in texts for word in text.split()}):
        vocab.set_vector(word, rng.standard_normal(8).astype("f"))
    spacy.blank("en", vocab=vocab).to_disk(out)
    return out


@pytest.fixture
def config(corpus, vectors) -> Config:
    config = Config().from_disk(CONFIG, interpolate=False)
    config["paths"].update(
        train=str(corpus / "train"), dev=str(corpus / "dev"), vectors=str(vectors)
    )
    config["components"]["thematic_embedder"]["model"]["hidden_width"] = 16
    config["objectives"]["skip_thoughts"]["batch_size"] = 12
    config["training"].update(max_epochs=0, max_steps=8, eval_frequency=3)
    config["training"]["logger"]["progress_bar"] = None
    return config


def test_a_paragraph_is_its_opener_and_the_sentences_after_it(corpus):
    compiled = open_compiled(corpus / "train", Vocab())
    paragraphs = Paragraphs(compiled, [1, 2], "training")
    assert paragraphs.sizes.tolist() == [3] * 16
    rows, firsts = paragraphs.take([1, 8])
    opening, *story, next_opening, _, last = get_texts(compiled, rows)
    assert opening.endswith("tells in June of rain.")
    assert " ".join(story) == STORIES["rain"]
    assert next_opening.endswith("tells in May of rain.")
    assert next_opening.split()[1] != opening.split()[1]
    assert STORIES["rain"].endswith(last)
    assert firsts.tolist() == [0, 1, 3, 4]


def test_long_sentences_are_cut_and_rare_words_are_only_read(config, tmp_path):
    config["objectives"]["skip_thoughts"].update(max_length=3, vocabulary_size=5)
    state = _Run(init_nlp(config), tmp_path, resume=False)
    objective = state.objectives["skip_thoughts"]
    batch = objective._make_batch(state.corpus, state.forms, *objective.paragraphs.take([0, 1]))
    words, lengths, numbers, _ = batch.decoded
    assert words.shape == (18, 8)
    assert lengths.tolist() == [3] * 6
    assert numbers.max() < 5
    assert set(numbers.tolist()) > {-1}


def test_decoders_learn_a_tiny_corpus(config, tmp_path):
    """Each sentence has one that follows and one that goes before, so that, once these are learned,
    hardly a word is uncertain."""
    config["training"].update(max_steps=150, eval_frequency=75)
    config["training"]["optimizer"]["learn_rate"] = 0.02
    outcome = run(config, tmp_path)
    scores = [line["other_scores"] for line in read_log(tmp_path)]
    perplexities = [score["perplexity"] for score in scores]
    assert len(perplexities) == 3
    assert perplexities[0] > 20
    assert perplexities[-1] < 1.1
    assert scores[-1]["skip_thoughts_loss"] < 0.15 < 1 < scores[1]["skip_thoughts_loss"]
    assert outcome.progress.best_score == pytest.approx(-min(perplexities))


def test_gradients_agree_with_finite_differences(config, tmp_path):
    config["objectives"]["skip_thoughts"]["weight"] = 2.0
    state = _Run(init_nlp(config), tmp_path, resume=False)
    objective = state.objectives["skip_thoughts"]
    step = Step([0, 1, 2], np.random.default_rng(0), 0.0, state.optimizer, {})
    loss = objective.step(step)["loss"]
    assert step.losses == {"thematic_embedder": loss}
    encoder = get_module(state.embedders[0].model.layers[1])
    decoders = objective.models["decoders"].shims[0]._model
    parameters = [*encoder.parameters(), *decoders.parameters()]
    assert len(parameters) == 18
    gradients = [parameter.grad.flatten().clone() for parameter in parameters]
    for parameter, gradient in zip(parameters, gradients):
        flat = parameter.data.view(-1)
        index = int(gradient.abs().argmax())
        start = flat[index].item()
        losses = []
        for move in (1e-2, -1e-2):
            flat[index] = start + move
            losses.append(objective.step(step)["loss"])
        flat[index] = start
        numeric = 2.0 * (losses[0] - losses[1]) / 2e-2
        assert numeric == pytest.approx(gradient[index].item(), rel=0.03, abs=1e-3)


def test_an_encoder_of_another_kind_over_frozen_vectors_learns_too(config, tmp_path):
    model = config["components"]["thematic_embedder"]["model"]
    model.clear()
    model.update(Config().from_str(BILSTM)["model"])
    config["training"]["optimizer"]["learn_rate"] = 0.02
    run(config, tmp_path)
    first, *_, last = read_log(tmp_path)
    assert last["other_scores"]["perplexity"] < 0.8 * first["other_scores"]["perplexity"]


def test_a_trained_encoder_is_an_ordinary_pipeline(config, tmp_path):
    run(config, tmp_path)
    text = "The river rises in the mountains. An opera needs singers. Unheard words."
    loaded = spacy.load(tmp_path / "model-last")
    vectors = loaded(text)._.thematic_vectors
    assert vectors.shape == (3, 16)
    assert loaded(text)._.thematic_clusters
    copied = spacy.blank("en").from_config(loaded.config).from_bytes(loaded.to_bytes())
    assert encoder_bytes(copied) == encoder_bytes(loaded)
    assert_same_rows(copied(text)._.thematic_vectors, vectors)


@pytest.mark.parametrize("moment", [2, 5])
def test_a_killed_run_resumes_to_the_same_bytes(config, tmp_path, moment):
    outputs = killed, undisturbed = tmp_path / "killed", tmp_path / "undisturbed"
    run(config, undisturbed)
    run_with_a_kill(config.copy, killed, moment)
    for name in ("model-best", "model-last"):
        assert weights(killed, name) == weights(undisturbed, name)
    states = [srsly.msgpack_loads((o / "checkpoint.msgpack").read_bytes()) for o in outputs]
    assert set(states[0]["weights"]) == {"thematic_embedder", "skip_thoughts.decoders"}
    for key in ("weights", "orders"):
        assert states[0][key] == states[1][key]
    logs = [[line["other_scores"] for line in read_log(output)] for output in outputs]
    assert logs[0] == logs[1]


def test_another_seed_gives_other_weights(config, tmp_path):
    run(config, tmp_path / "first")
    config["system"]["seed"] = 1
    run(config, tmp_path / "second")
    assert weights(tmp_path / "first") != weights(tmp_path / "second")


def test_an_encoder_that_learns_its_word_vectors_is_refused(config, tmp_path):
    config["components"]["thematic_embedder"]["model"]["embed"] = {
        "@architectures": "spacy-thematic.LearnedVectors.v1", "width": 8, "min_count": 1
    }  # fmt: skip
    with pytest.raises(TrainingError, match=r"vectors that are not learned.*is \"gru_encoder\""):
        run(config, tmp_path)


@pytest.mark.parametrize(("split", "name"), [("train", "training"), ("dev", "dev")])
def test_a_corpus_without_whole_paragraphs_is_refused(config, tmp_path, split, name):
    openers = build(tmp_path / "openers", sentences="openers")
    config["paths"][split] = str(openers / split)
    with pytest.raises(TrainingError, match=f"The {name} corpus holds no .*--sentences all"):
        run(config, tmp_path / "out")


def test_word_vectors_are_needed(config, tmp_path):
    config["paths"]["vectors"] = None
    with pytest.raises(ValueError, match="The pipeline has no word vectors"):
        run(config, tmp_path)


@pytest.mark.parametrize("setting", ["vocabulary_size", "batch_size", "max_length"])
def test_sizes_of_nothing_are_refused(config, tmp_path, setting):
    config["objectives"]["skip_thoughts"][setting] = 0
    with pytest.raises(ValueError, match=f"{setting} of SkipThoughts to be at least 1, found 0"):
        run(config, tmp_path)


def test_a_loss_that_is_not_finite_ends_the_run(config, tmp_path):
    config["training"]["optimizer"].update(learn_rate=1e30, grad_clip=0.0)
    with pytest.raises(TrainingError, match=r"loss of skip-thoughts is .*lower the learning rate"):
        run(config, tmp_path)
