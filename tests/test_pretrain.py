"""The recipe of the bundled models, on made-up articles, tables and teachers."""

from pathlib import Path

import numpy as np
import pytest
import srsly
import torch
from safetensors.torch import save_file
from typer.testing import CliRunner

from scripts.pretrain import sentences, start_sm, train
from scripts.pretrain.losses import SectionLoss
from scripts.pretrain.optimizers import RowRMSprop
from scripts.pretrain.sentences import load_corpus
from scripts.pretrain.teacher import choose_sentences, write_arrays
from tests.conftest import THEMES, make_article

ROOT = Path(__file__).parent.parent
SHORT = {
    "training.steps": 4,
    "training.evaluate_every": 2,
    "training.n_articles": 3,
    "training.n_taught": 32,
}
REFINE = {k.replace("training", "phases.refine"): value for k, value in SHORT.items()}
SM = {"start.n_sentences": 500, **SHORT, **REFINE}
MD = {"training.articles_from": 2, **SHORT, **REFINE}
PIECES = ["[UNK]", ".", "the", "and", "are", *" ".join(THEMES.values()).split()]
WIDTH, INNER = 384, 1536


@pytest.fixture(scope="module")
def made_up(tmp_path_factory):
    """A folder of made-up inputs."""
    folder = tmp_path_factory.mktemp("pretrain")
    for name, numbers in {
        "articles": range(60),
        "left_out": range(5),
        "dev": range(90, 93),
    }.items():
        articles = [make_article(number).to_dict() for number in numbers]
        srsly.write_jsonl(folder / f"{name}.jsonl", articles)
    sentences.main(
        str(folder / "articles.jsonl"), folder / "sentences", str(folder / "left_out.jsonl"), 0
    )
    corpus = load_corpus(folder / "sentences")
    rng = np.random.default_rng(0)
    rows = choose_sentences(corpus, corpus.positions == 0, seed=0)[:320]
    vectors = rng.standard_normal((len(rows), WIDTH)).astype("float16")
    write_arrays(folder / "teacher" / "00000.npz", rows=rows, vectors=vectors)
    words = np.array(corpus.words)
    table = rng.standard_normal((len(words), 300))
    write_arrays(folder / "table.npz", words=words, vectors=table.astype("f"))
    write_bert(folder / "bert")
    return folder


def write_bert(folder):
    """A BERT of random weights, of which only the first and the last layer are there."""
    folder.mkdir()
    (folder / "vocab.txt").write_text("".join(piece + "\n" for piece in PIECES))
    srsly.write_json(folder / "config.json", {"num_attention_heads": 12})
    shapes = {
        "embeddings.word_embeddings.weight": (len(PIECES), WIDTH),
        "embeddings.position_embeddings.weight": (512, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        "embeddings.LayerNorm.weight": (WIDTH,),
        "embeddings.LayerNorm.bias": (WIDTH,),
    }
    for layer in ("encoder.layer.0.", "encoder.layer.5."):
        shapes[f"{layer}intermediate.dense.weight"] = (INNER, WIDTH)
        shapes[f"{layer}intermediate.dense.bias"] = (INNER,)
        shapes[f"{layer}output.dense.weight"] = (WIDTH, INNER)
        shapes[f"{layer}output.dense.bias"] = (WIDTH,)
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            shapes[f"{layer}attention.{part}.weight"] = (WIDTH, WIDTH)
            shapes[f"{layer}attention.{part}.bias"] = (WIDTH,)
        for norm in ("attention.output", "output"):
            shapes[f"{layer}{norm}.LayerNorm.weight"] = (WIDTH,)
            shapes[f"{layer}{norm}.LayerNorm.bias"] = (WIDTH,)
    generator = torch.Generator().manual_seed(0)
    weights = {k: torch.randn(shape, generator=generator) * 0.05 for k, shape in shapes.items()}
    save_file(weights, folder / "model.safetensors")


def run(script, *args, **overrides):
    options = [part for k, v in overrides.items() for part in (f"--{k}", str(v))]
    result = CliRunner().invoke(script.app, [*map(str, args), *options])
    if result.exception:
        raise result.exception


def get_paths(folder, start, **others):
    names = {"sentences": "sentences", "teacher": "teacher", "dev": "dev.jsonl", "start": start}
    return {f"paths.{k}": folder / v for k, v in {**names, **others}.items()}


def make_sm(folder, out, **overrides):
    config = ROOT / "configs" / "pretrain_sm.cfg"
    missing = {f"paths.{name}": "null" for name in ("wordllama", "word2vec", "spacy")}
    paths = get_paths(folder, out / "start.safetensors", glove="table.npz")
    settings = {**paths, **missing, **SM, **overrides}
    run(start_sm, config, **settings)
    run(train, config, out, **settings)


def make_md(folder, out, **overrides):
    settings = {**get_paths(folder, "bert"), **MD, **overrides}
    run(train, ROOT / "configs" / "pretrain_md.cfg", out, **settings)


@pytest.fixture(scope="module")
def made(made_up, tmp_path_factory):
    """The folders of both models."""
    folders = {name: tmp_path_factory.mktemp(name) for name in ("sm", "md")}
    make_sm(made_up, folders["sm"])
    make_md(made_up, folders["md"])
    return folders


def test_sentences_are_stored_as_flat_arrays(made_up):
    corpus = load_corpus(made_up / "sentences")
    assert len(corpus.articles) == 55 * 5 * 4
    assert len(set(corpus.articles.tolist())) == 55
    first = corpus.sentences.take(np.array([0])).values
    title = make_article(5).sections[1].title
    words = [corpus.words[number] for number in first]
    assert words[0] == "the" and words[-3:] == ["are", "known", "."]
    assert set(words[1:4]) <= set(THEMES[title].split())
    assert (np.diff(corpus.counts) <= 0).all()
    assert corpus.counts.sum() == len(corpus.sentences.values)


def test_openers_are_the_first_three_of_each_section(made_up):
    corpus = load_corpus(made_up / "sentences")
    rows = choose_sentences(corpus, corpus.positions == 0, seed=0)
    assert len(rows) == 55 * 5 * 3
    articles = corpus.articles[rows]
    assert (np.diff(articles) != 0).sum() == 54
    assert not (np.diff(articles) >= 0).all()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "make"), [("sm", make_sm), ("md", make_md)])
def test_the_same_seed_gives_the_same_bytes_also_after_a_kill(
    name, make, made, made_up, tmp_path, monkeypatch
):
    compute = train.Trainer.compute_losses

    def fail_once(self, phase, step, *args):
        if step == 3:
            raise KeyboardInterrupt
        return compute(self, phase, step, *args)

    with monkeypatch.context() as patch:
        patch.setattr(train.Trainer, "compute_losses", fail_once)
        with pytest.raises((KeyboardInterrupt, SystemExit)):
            make(made_up, tmp_path)
    make(made_up, tmp_path)
    assert (tmp_path / train.WEIGHTS).read_bytes() == (made[name] / train.WEIGHTS).read_bytes()


def test_the_plain_terms_are_those_of_section_contrastive():
    from thinc.api import NumpyOps

    from spacy_thematic.losses.contrastive import create_section_contrastive
    from spacy_thematic.losses.targets import Targets

    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((9, 5)).astype("f")
    articles = np.array([0, 0, 0, 0, 1, 1, 1, 1, 1])
    sections = np.array([0, 0, 1, 1, 2, 2, 2, 3, 3])
    rows = Targets(np.zeros((0, 3), "i"), sections, articles, NumpyOps())
    _, expected = create_section_contrastive(0.1, 0.3)(vectors, rows)
    loss = SectionLoss(0.1, 0.2, 0.0, 0.3, 100)
    unit = torch.nn.functional.normalize(torch.from_numpy(vectors), dim=1)
    terms = loss(unit, torch.from_numpy(articles), torch.from_numpy(sections))
    assert sum(terms.values()).item() == pytest.approx(expected, rel=1e-5)


def test_a_row_moves_by_the_rate_at_first_and_others_stay():
    table = torch.nn.Embedding(4, 3, sparse=True)
    before = table.weight.detach().clone()
    table(torch.tensor([1, 1])).pow(2).sum().backward()
    RowRMSprop([table.weight], lr=0.1).step()
    moved = (table.weight.detach() - before).square().mean(1).sqrt()
    assert moved.tolist() == pytest.approx([0, 0.1, 0, 0], abs=1e-5)
