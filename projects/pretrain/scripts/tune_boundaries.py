"""Learn where sections begin in whole articles, and themes in outlines that readers wrote, from the
vectors of an encoder as they are: goes on with a net that has learned.

python scripts/tune_boundaries.py MODEL LEARNED CORPUS... --held CORPUS --like MODEL --out MODEL
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import spacy
import torch
import torch.nn.functional as F
import typer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from thinc.api import Model
from tqdm import tqdm

import spacy_thematic
from bare_encoder import take_encoder, write_beside
from gap_trees import UNKNOWN, encode, read_themes
from learn_boundaries import count_characters, draw_runs, find_text_order
from padded import Boundaries
from passages import pad
from sampled_sections import warm_up_decay
from spacy_thematic.models.section_boundaries import NAME, WITH_BOUNDARIES
from spacy_thematic.models.section_headings import WITH_HEADINGS
from spacy_thematic.pipeline.batching import Forms
from spacy_thematic.pipeline.reading import read_doc
from spacy_thematic.pipeline.text_encoder import find_encoder
from spacy_thematic.pretrained import find_pretrained
from spacy_thematic.rows import unit_rows
from spacy_thematic.triplets.compiled import open_compiled

MOST = 160
"""Sentences of a text."""

N_TEXTS, MIXED, AVERAGE, DROPOUT = 24, 0.25, 0.95, 0.2
OUTLINED = 0.6
"""The share of outlines among the texts of a step, where there are any."""

KEPT = 0.3
"""The share of the weights before in those after learning from outlines. It keeps what the net has
learned of sections (WiSE-FT, Wortsman et al. 2022)."""

WARM_UP, LOWEST_RATE = 50, 0.03
ARTICLES_AT_ONCE = 16


class Text(NamedTuple):
    """Vectors of sentences, unit rows; their characters; and whether a section or a theme begins at
    each, or `UNKNOWN`."""

    vectors: np.ndarray
    characters: np.ndarray
    begins: np.ndarray


def main(
    name: str = typer.Argument(..., help="Model file of the encoder"),
    learned: str = typer.Argument(..., help="Model file with the net, of its transformer"),
    corpora: list[Path] = typer.Argument(..., help="Training splits of corpora"),
    held: list[Path] = typer.Option(..., help="Other splits, to measure on"),
    like: str = typer.Option(..., help="Model file whose log odds the trees of gaps know"),
    out: Path = typer.Option(..., help="Model file to write"),
    outlines: list[Path] = typer.Option([], help="Folders of outlines, as of gap_trees.py"),
    fold: int | None = typer.Option(None, help="Of the outlines, to learn from those of others"),
    n_articles: int = typer.Option(5_000, help="Of each corpus, at most"),
    steps: int = typer.Option(800),
    rate: float = typer.Option(3e-4),
    seed: int = typer.Option(0),
):
    """Write the encoder with the net. Its log odds are made to mean what those of another model
    mean, by a logistic regression of each on articles held out."""
    rng = np.random.default_rng(seed)
    torch.manual_seed(seed)
    encoder = find_pretrained(name)
    trained = take_encoder(encoder, WITH_HEADINGS, WITH_BOUNDARIES)
    texts = [text for path in corpora for text in read_texts(trained[1], path, n_articles, rng)]
    others = [text for path in held for text in read_texts(trained[1], path, n_articles, rng)]
    outlined = [*read_outlined(name, outlines, fold)]
    shares = np.array(trained[0].get("weights", [1.0]))
    scale = float(np.linalg.norm(shares) / shares[0])
    width = texts[0].vectors.shape[1]
    net = Boundaries(width, dropout=DROPOUT)
    net.read(find_net(learned), scale)
    learn(net, texts, outlined, steps, rate, rng)
    slope, shift = calibrate(others, [tell(net, text) for text in others])

    model = find_pretrained(like)
    own = take_encoder(model, WITH_HEADINGS, WITH_BOUNDARIES)[1]
    theirs = [text for path in held for text in read_texts(own, path, n_articles, rng)]
    their_net = find_net(like)
    found = [their_net.predict([(text.vectors, text.characters)]) for text in theirs]
    their_slope, their_shift = calibrate(theirs, found)
    with torch.no_grad():
        net.out.weight *= slope / their_slope
        net.out.bias.mul_(slope).add_(shift - their_shift).div_(their_slope)

    built = net.build(width)
    write_beside(out, encoder, WITH_BOUNDARIES, trained, "boundaries", built, exact=True)


def find_net(name: str) -> Model:
    """The net of boundaries of a model file, whatever the width of the vectors that it reads. It
    may be that of a part of the encoder."""
    pretrained = find_pretrained(name)
    model = pretrained.build()
    pretrained.fill(model)
    nets = [node for node in model.walk() if node.name == NAME]
    if not nets:
        raise typer.BadParameter(f"{name} has no net of boundaries.")
    return nets[0]


def read_texts(model, folder: Path, most: int, rng: np.random.Generator) -> list[Text]:
    """The first sentences of random articles of a corpus."""
    vocab = spacy.blank("en").vocab
    corpus = open_compiled(folder, vocab)
    forms = Forms(corpus.forms, vocab)
    numbers = rng.permutation(len(corpus))[:most].tolist()
    texts = []
    for start in tqdm(range(0, len(numbers), ARTICLES_AT_ONCE), unit=" chunks", disable=None):
        batch = corpus.take(numbers[start : start + ARTICLES_AT_ONCE])
        order = find_text_order(batch)
        inputs = forms.to_doc_spans(model.ops, batch.words, batch.lengths)
        vectors = unit_rows(np.asarray(model.predict(inputs), "f")[order], centre=False)
        characters = count_characters(corpus, batch)[order]
        articles, sections = batch.articles[order], batch.sections[order]
        for article in np.unique(articles):
            rows = np.flatnonzero(articles == article)[:MOST]
            own = sections[rows]
            begins = np.diff(own, prepend=own[:1]) != 0
            texts.append(Text(vectors[rows].astype("float16"), characters[rows], begins))
    return texts


def read_outlined(name: str, folders: Sequence[Path], fold: int | None) -> Iterator[Text]:
    """The sentences of outlined texts, without those of a fold. It is not known whether a theme
    begins at those of none."""
    nlp = spacy_thematic.load(name)
    texts = [text for folder in folders for text in read_themes(folder) if text.fold != fold]
    for text in tqdm(texts, unit=" texts", disable=None):
        doc = encode(nlp, text.text)
        reading = read_doc(doc, find_encoder(nlp, doc), "tune_boundaries")
        theme_of, last = dict(zip(text.starts, text.known)), ""
        begins = np.full(len(reading.sentences), UNKNOWN)
        for row, sentence in enumerate(reading.sentences):
            theme = theme_of.get(sentence.start_char, "-")
            if theme != "-":
                begins[row] = theme != last if last else UNKNOWN
                last = theme
        characters = np.array([len(sentence.text) for sentence in reading.sentences])
        yield Text(unit_rows(reading.vectors, centre=False).astype("float16"), characters, begins)


def learn(
    net: Boundaries,
    texts: Sequence[Text],
    outlined: Sequence[Text],
    steps: int,
    rate: float,
    rng: np.random.Generator,
) -> None:
    """Learn from random articles, some of them mixed, and outlined texts. The net has the running
    average of the weights at the end."""
    optimizer = torch.optim.AdamW(net.parameters(), betas=(0.9, 0.98), weight_decay=0.05)
    n_outlined = round(OUTLINED * N_TEXTS) if outlined else 0
    before, averages = ([weight.detach().clone() for weight in net.parameters()] for _ in range(2))
    rates = warm_up_decay(rate, WARM_UP, steps, lowest=LOWEST_RATE)
    for _, learn_rate in zip(tqdm(range(steps), unit=" steps", disable=None), rates):
        optimizer.param_groups[0]["lr"] = learn_rate
        drawn = [texts[number] for number in rng.integers(len(texts), size=N_TEXTS - n_outlined)]
        own = [mix(texts, rng) if rng.random() < MIXED else text for text in drawn]
        if outlined:
            own += [outlined[number] for number in rng.integers(len(outlined), size=n_outlined)]
        logits, _ = run(net, own)
        begins = torch.full(logits.shape, float(UNKNOWN))
        for row, text in zip(begins, own):
            row[1 : len(text.begins)] = torch.from_numpy(text.begins[1:])
        known = begins != UNKNOWN
        loss = F.binary_cross_entropy_with_logits(logits[known], begins[known])
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        with torch.no_grad():
            torch._foreach_lerp_(averages, [*net.parameters()], 1 - AVERAGE)
    with torch.no_grad():
        torch._foreach_copy_([*net.parameters()], averages)
        torch._foreach_lerp_([*net.parameters()], before, KEPT if outlined else 0.0)


def mix(texts: Sequence[Text], rng: np.random.Generator) -> Text:
    """A text of runs of sentences of several articles, as those of Choi (2000)."""
    parts = []
    for number, own in draw_runs([len(text.begins) for text in texts], rng):
        vectors, characters, _ = (column[own] for column in texts[number])
        parts.append((vectors, characters, np.arange(len(vectors)) == 0))
    return Text(*(np.concatenate(column)[:MOST] for column in zip(*parts)))


def run(net: Boundaries, texts: Sequence[Text]) -> tuple[torch.Tensor, torch.Tensor]:
    """What a net says of texts, (texts, sentences), and where a sentence is."""
    mask = torch.from_numpy(pad([np.zeros(len(text.begins)) for text in texts]) == 0)
    vectors = torch.zeros(*mask.shape, texts[0].vectors.shape[1])
    characters = torch.zeros(mask.shape)
    for row, text in enumerate(texts):
        vectors[row, : len(text.begins)] = torch.from_numpy(text.vectors.astype("f"))
        characters[row, : len(text.begins)] = torch.from_numpy(text.characters)
    return net(vectors, characters, mask), mask


@torch.no_grad()
def tell(net: Boundaries, text: Text) -> np.ndarray:
    net.eval()
    return run(net, [text])[0][0].numpy()


def calibrate(texts: Sequence[Text], found: Sequence[np.ndarray]) -> tuple[float, float]:
    """The slope and the shift by which log odds are right on texts."""
    labels = np.concatenate([text.begins[1:] for text in texts])
    scores = np.concatenate([own[1:] for own in found])
    precision = average_precision_score(labels, scores)
    typer.echo(f"{len(texts)} texts held out: average precision {precision:.3f}")
    fitted = LogisticRegression(C=1e6).fit(scores[:, None], labels)
    return float(fitted.coef_[0, 0]), float(fitted.intercept_[0])


if __name__ == "__main__":
    typer.run(main)
