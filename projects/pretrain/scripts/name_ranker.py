"""Learn which phrases of sections are what their headings say, for `spacy_thematic.naming.ranking`.

    python scripts/name_ranker.py ARTICLES [...] --model en_thematic_md --documents 2400 --out FILE

Trees are grown one after the other on the gradient of the softmax over the candidates of a section
(ListNet, Cao et al. 2007). Prints the share of held-out sections whose best candidate says what the
heading says, which is an F1 of their stems of at least .5.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import typer
from sklearn.tree import DecisionTreeRegressor
from tqdm import tqdm

from learn_headings import normalise_heading
from mix_articles import find_templates
from spacy_thematic.articles.article import Article, normalize_title
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.lang import get_words
from spacy_thematic.naming.candidates import find_candidates, find_phrases
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.reading import read_doc
from spacy_thematic.pipeline.text_encoder import find_encoder
from spacy_thematic.rows import group_by, mean_row, unit_rows

LEAST_TEXT, MOST_TEXT, MOST_OF_HEADING, MOST_SECTIONS = 250, 5000, 4, 8
HELD_OUT, SHARE, RATE, LEAVES, LEAST_OF_LEAF = 0.1, 0.3, 0.12, 16, 60
WEAK = frozenset(
    "a an the of and or in on at to for with by from as is are was be were it its their his her "
    "this that these those how what why when who s".split()
)


class Section(NamedTuple):
    """Of a section its candidates' features, and how well each says what the heading says."""

    rows: np.ndarray
    agreement: np.ndarray


def main(
    articles: list[Path] = typer.Argument(..., help="Sources, in equal shares"),
    model: str = typer.Option("en_thematic_md"),
    documents: int = typer.Option(2400),
    trees: int = typer.Option(120),
    out: Path = typer.Option(...),
):
    rng = random.Random(0)
    nlp = load_pipeline(model)
    drawn = [one for path in articles for one in draw(path, documents // len(articles), rng)]
    rng.shuffle(drawn)
    texts = [[*describe(nlp, sections, rng)] for sections in tqdm(drawn)]
    n_held = int(HELD_OUT * len(texts))
    held, learned = (
        [section for text in part for _, section in text]
        for part in (texts[:n_held], texts[n_held:])
    )
    names = next(names for text in texts for names, _ in text)
    values, grown = boost(learned, held, trees)
    save(out, names, values, grown)
    print(f"{len(learned)} sections, {len(held)} held out, {out.stat().st_size} bytes")


def draw(path: Path, most: int, rng: random.Random) -> Iterator[list[tuple[str, str]]]:
    """Runs of sections of random articles, sources in turn: their headings, "" for one that says
    nothing of what they are about, that is of the source's template, or that was drawn often, and
    their texts."""
    by_source: dict[str, list[Article]] = defaultdict(list)
    for article in read_articles(path):
        by_source[article.source].append(article)
    templates = {source: find_templates(own) for source, own in by_source.items()}
    for own in by_source.values():
        rng.shuffle(own)
    used: Counter[tuple[str, str]] = Counter()
    while most > 0 and any(by_source.values()):
        for source, own in by_source.items():
            sections = cut(own.pop(), templates[source], rng) if own else []
            for place, (heading, text) in enumerate(sections):
                used[source, heading.lower()] += 1
                if used[source, heading.lower()] > MOST_OF_HEADING:
                    sections[place] = "", text
            if sum(bool(heading) for heading, _ in sections) > 1 and most > 0:
                most -= 1
                yield sections


def cut(article: Article, templates: set[str], rng: random.Random) -> list[tuple[str, str]]:
    roles = get_words("en").headings_of_roles
    found = []
    for section in article.sections:
        paragraphs = [" ".join(text.split()) for text in section.paragraphs]
        text = "\n\n".join(text for text in paragraphs if text)[:MOST_TEXT]
        heading = normalise_heading(section.title)
        if len(text) >= LEAST_TEXT:
            is_template = heading.lower() in roles or normalize_title(section.title) in templates
            found.append(("" if is_template else heading, text))
    size = rng.randint(3, MOST_SECTIONS)
    start = rng.randrange(max(1, len(found) - size + 1))
    return found[start : start + size]


def describe(nlp, sections, rng) -> Iterator[tuple[list[str], Section]]:
    """The names of the features, and the sections; some as a clusterer might find them: two as one,
    or a part of one."""
    bounds = np.cumsum([0, *(len(text) + 2 for _, text in sections)])
    doc = nlp("\n\n".join(text for _, text in sections))
    reading = read_doc(doc, find_encoder(nlp, doc), "name_ranker")
    starts = np.array([sentence.start_char for sentence in reading.sentences])
    labels = np.searchsorted(bounds, starts, side="right") - 1
    headings = [[heading] if heading else [] for heading, _ in sections]
    way = rng.random()
    if way < 0.25 and len(sections) > 3:
        second = rng.randrange(1, len(sections))
        labels[labels == second] = second - 1
        headings[second - 1] += headings[second]
    elif way < 0.5:
        keep = np.ones(len(labels), bool)
        for rows in (np.flatnonzero(labels == label) for label in np.unique(labels)):
            if len(rows) > 7:
                keep[rows[rng.randrange(len(rows) // 3, len(rows)) :]] = False
        reading, labels = reading.take(np.flatnonzero(keep)), labels[keep]
    kept, labels = np.unique(labels, return_inverse=True)
    if len(kept) < 2:
        return
    order = np.argsort(labels, kind="stable")
    rows = unit_rows(reading.vectors, centre=False)[order]
    groups = group_by(reading.contents, labels)
    phrases = find_phrases(groups)
    means = np.stack([rows[labels[order] == label].mean(axis=0) for label in range(len(kept))])
    texts = [*dict.fromkeys(phrases.texts)]
    scores = reading.score_headings(means.astype("f"), mean_row(rows), texts)
    found = find_candidates(groups, rows, phrases, scores, seen=True)
    features = np.stack([*found.features.values()], axis=1).astype("f")
    for number, label in enumerate(kept.tolist()):
        own = np.flatnonzero(found.groups == number)
        if headings[label] and len(own):
            named = [scores.headings[column] for column in found.columns[own].tolist()]
            agreed = [max(agree(name, heading) for heading in headings[label]) for name in named]
            yield [*found.features], Section(features[own], np.array(agreed))


def agree(name: str, heading: str) -> float:
    """F1 of the stems of two names."""
    a, b = (
        {
            re.sub(r"(ies|ing|ed|es|s|ation|ment|al|ly)$", "", word) or word
            for word in re.findall(r"[a-z0-9]+", text.lower().replace("'s", ""))
            if word not in WEAK
        }
        for text in (name, heading)
    )
    return 2 * len(a & b) / max(1, len(a) + len(b))


def boost(learned: list[Section], held: list[Section], n: int):
    """The values of the leaves of each tree, and the trees."""
    named = [section for section in learned if (section.agreement >= 0.5).any()]
    features, others = (np.concatenate([s.rows for s in part]) for part in (named, held))
    starts, groups = number(named)
    gain = np.concatenate([np.where(s.agreement >= 0.5, s.agreement, 0) for s in named])
    wanted = gain / np.add.reduceat(gain, starts)[groups]
    odds, odds_held = np.zeros(len(features)), np.zeros(len(others))
    rng, values, grown = np.random.default_rng(0), [], []
    for round in range(n):
        raised = np.exp(odds - np.maximum.reduceat(odds, starts)[groups])
        share = raised / np.add.reduceat(raised, starts)[groups]
        drawn = (rng.random(len(starts)) < SHARE)[groups]
        tree = DecisionTreeRegressor(
            max_leaf_nodes=LEAVES,
            min_samples_leaf=LEAST_OF_LEAF,
            max_features=0.5,
            random_state=round,
        ).fit(features[drawn], (wanted - share)[drawn])
        leaves, nodes = tree.apply(features), tree.tree_.node_count
        slope = np.bincount(leaves, wanted - share, nodes)
        curve = np.bincount(leaves, share * (1 - share) + 1e-3, nodes)
        values.append(RATE * slope / (curve + 1))
        grown.append(tree.tree_)
        odds += values[-1][leaves]
        odds_held += values[-1][tree.apply(others)]
        if round % 20 == 19:
            first = np.append(number(held)[0], len(others))
            best = [s.agreement[odds_held[a:b].argmax()] for s, a, b in zip(held, first, first[1:])]
            print(f"{round + 1} trees: {np.mean(np.array(best) >= 0.5):.3f}", flush=True)
    return values, grown


def number(sections: list[Section]) -> tuple[np.ndarray, np.ndarray]:
    """The first row of each section, and the section of each row."""
    sizes = [len(section.rows) for section in sections]
    return np.cumsum(sizes) - sizes, np.repeat(np.arange(len(sizes)), sizes)


def save(out: Path, names: list[str], values: list[np.ndarray], grown: list) -> None:
    roots = np.cumsum([0, *(tree.node_count for tree in grown)])[:-1]
    features, texts, children = [], [], []
    for root, tree, value in zip(roots, grown, values):
        is_leaf, own = tree.children_left < 0, np.arange(tree.node_count)
        left = np.where(is_leaf, own, tree.children_left)
        right = np.where(is_leaf, own, tree.children_right)
        unknown = np.where(tree.missing_go_to_left.astype(bool), left, right)
        features.append(np.where(is_leaf, -1, tree.feature))
        texts.append(np.where(is_leaf, value, tree.threshold))
        children.append(root + np.stack([left, right, unknown], axis=1))
    np.savez_compressed(
        out,
        names=" ".join(names),
        roots=roots.astype(np.uint16),
        features=np.concatenate(features).astype(np.int8),
        values=np.concatenate(texts).astype(np.float32),
        children=np.concatenate(children).astype(np.uint16),
    )


if __name__ == "__main__":
    typer.run(main)
