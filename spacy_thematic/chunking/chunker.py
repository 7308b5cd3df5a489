"""The chunker: texts in, chunks for retrieval out, with their places, headings and neighbours."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any, get_args

import numpy as np
from spacy.language import Language

from spacy_thematic.articles.documents import count_words
from spacy_thematic.checks import check_flags, check_whole, is_whole
from spacy_thematic.chunking.counting import Limits, TokenCounter
from spacy_thematic.chunking.cutting import Pieces, cut_text, find_pieces, make_source_doc
from spacy_thematic.chunking.source import Markup, Source, read_source
from spacy_thematic.clustering.units import map_to_topics
from spacy_thematic.lang.foreign import warn_of_language
from spacy_thematic.layout.lines import EMBEDDED_IMAGE
from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.reading import Reading, read_doc
from spacy_thematic.pipeline.text_encoder import find_encoder
from spacy_thematic.pipeline.texts import allow_long_texts
from spacy_thematic.pretrained.paths import check_model_name
from spacy_thematic.rows import unit_rows
from spacy_thematic.sentences.tokenizing import tokenize

_LONGEST_WORD, _OF_TOKEN = 100, 4
"""Characters of a token of spaCy that counts as one, and those of each in one that is longer."""


@dataclass
class Chunk:
    """A part of a text.

    Attributes:
        text: `source[start:end]`, without the data of images; of HTML what this says, a line for
            each block, without markup.
        start: In characters of the text that was cut.
        end: After the last character. The next chunk starts here, or before if chunks overlap.
        heading: The nearest heading that all of the chunk stands below, "" if there is none. A
            heading that a chunk begins with counts.
        path: The headings that all of the chunk stands below, from the highest to `heading`: of
            several small sections what they have in common. The title in front matter comes first,
            unless a single heading of level 1 is the title.
        table_header: The first row of the table within which the chunk begins, "" if within none.
            It is no part of the chunk, nor of its size.
        suggested_heading: What a person might call the chunk, if this was asked for; None where
            nothing fits, or where the model has not learned headings.
        vector: If it was asked for, a list of numbers: what it is about, to compare with
            `doc._.thematic_topic` of a question by the inner product; its thematic vector where the
            model has not learned topics. None where it is blank.
        line: Of the text that was cut, on which the chunk starts, from 1.
    """

    text: str
    start: int
    end: int
    heading: str
    path: list[str]
    table_header: str = ""
    suggested_heading: str | None = None
    vector: list[float] | None = None
    line: int = 1

    @property
    def context(self) -> str:
        """The path in one line, "Guide > Rivers", to put above the text when you embed it."""
        return " > ".join(self.path)


class Chunker:
    """Cuts texts into chunks that are each about one thing and within a size limit.

    Args:
        max_tokens: The largest size of a chunk, at least 1.
        tokenizer: Counts the size of a text: any callable from a text to its tokens or their
            number, or an object with `encode`; None: spaCy's tokenizer of `model`, and each
            character of Chinese and Japanese.
        min_tokens: The least size of a chunk, where sections and sentences allow it. Smaller
            sections are joined. None: a quarter of `max_tokens`.
        model: A bundled model or whatever else `thematic_embedder` loads, or a pipeline with it.
        markup: What texts are written in: "html", "markdown", "plain", or "auto" to look.
        suggest_headings: Whether to find a heading for each chunk that repeats none of those that
            are there.
        overlap: How many tokens of the sentences before it a chunk may begin with, whole ones of
            its own section. They count in its size.
        vectors: Whether to give each chunk its vector.

    Raises:
        ValueError: If a setting is out of its range, or the pipeline has no `thematic_embedder`.
        TypeError: If the tokenizer is none, or the model is neither a name nor a pipeline.
    """

    def __init__(
        self,
        max_tokens: int = 256,
        tokenizer: Any = None,
        min_tokens: int | None = None,
        model: str | Path | Language = "en_thematic_sm",
        markup: Markup = "auto",
        suggest_headings: bool = False,
        overlap: int = 0,
        vectors: bool = False,
    ) -> None:
        check_whole("max_tokens", max_tokens, 1)
        if not is_whole(overlap, 0) or overlap >= max_tokens:
            raise ValueError(
                f"Expected overlap to be 0 or more, and less than max_tokens, {max_tokens}, found "
                f"{overlap!r}."
            )
        most = int(max_tokens) - int(overlap)
        least = most // 4 if min_tokens is None else min_tokens
        if not is_whole(least, 0) or least > most:
            raise ValueError(
                f"Expected min_tokens to be from 0 to {most} (max_tokens less the overlap), or "
                f"None, found {min_tokens!r}."
            )
        if markup not in get_args(Markup):
            raise ValueError(f"Expected markup to be one of {get_args(Markup)}, found {markup!r}.")
        self.markup = markup
        self.suggest_headings = suggest_headings
        self.vectors = vectors
        check_flags(self, "suggest_headings", "vectors")
        self.nlp = model if isinstance(model, Language) else _load(check_model_name(model))
        find_embedder(self.nlp)
        unused = "thematic_segmenter", "thematic_clusterer"
        factories = {name: self.nlp.get_pipe_meta(name).factory for name in self.nlp.pipe_names}
        self._unused = [name for name, factory in factories.items() if factory in unused]
        count = TokenCounter(partial(_count_tokens, self.nlp) if tokenizer is None else tokenizer)
        self.limits = Limits(count, most, int(least))
        self.overlap = int(overlap)
        self._has_warned = False

    def __call__(self, text: str) -> list[Chunk]:
        """Return the chunks of a text, in order. Without overlap each ends where the next one
        starts, so joined they are the text, but for front matter, the data of images that are
        embedded in it, and the markup of HTML with menus, footers and what else stands beside the
        text of a page; a blank text has none. Raises ValueError if a single character is above
        `max_tokens`, or the text is longer than the `max_length` of the pipeline; TypeError if the
        text is none."""
        chunks = self.cut(text)
        if not self._has_warned:
            texts = (chunk.text for chunk in chunks)
            self._has_warned = warn_of_language(texts, self.nlp.lang or "")
        found = [chunk for chunk in chunks if chunk.vector is not None]
        topics = found and find_embedder(self.nlp).find_topics(len(found[0].vector or ()))
        if isinstance(topics, np.ndarray):
            vectors = map_to_topics(np.array([chunk.vector for chunk in found], "f"), topics)
            for chunk, vector in zip(found, vectors.tolist()):
                chunk.vector = vector
        return chunks

    def cut(self, text: str) -> list[Chunk]:
        """Return the chunks of a text as a call does, but their vectors are thematic vectors, not
        topics."""
        if not isinstance(text, str):
            raise TypeError(f"Expected a text to cut into chunks, found {text!r:.100}.")
        shown, places, removed = text, [], [0]
        if self.markup != "plain":
            for image in EMBEDDED_IMAGE.finditer(text):
                places.append(image.end(1) - removed[-1])
                removed.append(removed[-1] + image.end() - image.end(1))
            shown = EMBEDDED_IMAGE.sub(r"\1", text)
        chunks = self._cut(shown) if text.strip() else []
        for chunk in chunks:
            chunk.start += removed[bisect_right(places, chunk.start)]
            chunk.end += removed[bisect_right(places, chunk.end)]
        for before, chunk in pairwise([Chunk("", 0, 0, "", []), *chunks]):
            first, last = sorted((before.start, chunk.start))
            chunk.line = before.line + text.count("\n", first, last)
        return chunks

    def _cut(self, text: str) -> list[Chunk]:
        """Cut a text, in which no image is embedded."""
        source = read_source(text, self.markup)
        if not source.text[source.start :].strip():
            return []
        doc = self.nlp(make_source_doc(self.nlp, source), disable=self._unused)
        reading = read_doc(doc, find_encoder(self.nlp, doc), "chunker")
        pieces = find_pieces(reading, source, self.limits)
        cuts = [0, *cut_text(pieces, source, self.limits)]
        chunks = list(_make_chunks(cuts, pieces, source))
        if self.suggest_headings and len(doc):
            _suggest(chunks, cuts, pieces, reading)
        if self.vectors and len(doc):
            rows = [np.unique(pieces.sentences[first:after]) for first, after in pairwise(cuts)]
            means = [reading.vectors[own].mean(axis=0) for own in rows]
            for chunk, vector in zip(chunks, unit_rows(means, centre=False).tolist()):
                chunk.vector = vector if chunk.text.strip() else None
        starts = [chunk.start for chunk in chunks]
        if self.overlap:
            self._reach_back(chunks, cuts, pieces, source)
        if source.origins is not None:
            chunks = _place_in_page(chunks, starts, source, len(text))
        return chunks

    def _reach_back(
        self, chunks: list[Chunk], cuts: list[int], pieces: Pieces, source: Source
    ) -> None:
        """Let chunks begin with sentences before them, down to the heading of their section."""
        count, places = self.limits.count, pieces.places
        for chunk, first in zip(chunks, cuts):
            row = first
            while (
                row > 0
                and not pieces.headings[row - 1 : first + 1].any()
                and count(source.text[places[row - 1] : places[first]]) <= self.overlap
                and count(source.text[places[row - 1] : chunk.end])
                <= self.limits.largest + self.overlap
            ):
                row -= 1
            chunk.start = places[row]
            chunk.text = source.text[chunk.start : chunk.end]


def _suggest(chunks: list[Chunk], cuts: list[int], pieces: Pieces, reading: Reading) -> None:
    rows = [
        np.unique(pieces.sentences[first:after][~pieces.headings[first:after]])
        for first, after in pairwise(cuts)
    ]
    named = [number for number, own in enumerate(rows) if len(own)]
    if not named:
        return
    labels = np.repeat(np.arange(len(named)), [len(rows[number]) for number in named])
    finder = reading.make_finder(labels, np.concatenate([rows[number] for number in named]))
    taken = [heading for chunk in chunks for heading in chunk.path]
    for number, heading in zip(named, finder.choose(taken, new=True)):
        chunks[number].suggested_heading = heading and heading.text


def _place_in_page(
    chunks: list[Chunk], starts: list[int], source: Source, length: int
) -> list[Chunk]:
    """Say where chunks, which start there without overlaps, stand in a page, with the markup
    before."""
    shown = [(chunk, start) for chunk, start in zip(chunks, starts) if chunk.text.strip()]
    ends = [*(source.find_origin(start) for _, start in shown[1:]), length]
    for number, ((chunk, _), end) in enumerate(zip(shown, ends)):
        chunk.start = source.find_origin(chunk.start) if number else 0
        chunk.end, chunk.text = end, chunk.text.strip()
    return [chunk for chunk, _ in shown]


def _make_chunks(cuts: list[int], pieces: Pieces, source: Source) -> Iterator[Chunk]:
    paths = source.find_paths()
    starts = [heading.start for heading in source.headings]
    for first, after in pairwise(cuts):
        start, end = pieces.places[first], pieces.places[after]
        # A chunk stands where its texts do, after the headings that they begin with.
        words = first + np.flatnonzero(~pieces.headings[first:after])
        places = [pieces.places[word] for word in words] or [end - 1]
        levels = zip(*(paths[bisect_right(starts, place)] for place in places))
        path = [level[0] for level in takewhile(lambda level: len({*level}) == 1, levels)]
        heading = path[-1] if path else ""
        header = source.find_table_header(start)
        yield Chunk(source.text[start:end], start, end, heading, path, header)


def chunk(
    text: str,
    max_tokens: int = 256,
    tokenizer: Any = None,
    min_tokens: int | None = None,
    model: str | Path | Language = "en_thematic_sm",
    markup: Markup = "auto",
    suggest_headings: bool = False,
    overlap: int = 0,
    vectors: bool = False,
) -> list[Chunk]:
    """Cut a text into chunks that are each about one thing and within a size limit.

    A chunk never holds text of two sections, but for sections below `min_tokens`, which are joined
    with a neighbour. A section that fits is one chunk. Others, and a text without headings, are cut
    between sentences where the theme changes most, by kernel change point detection with the sizes
    as its constraints. A sentence above `max_tokens` is cut between lines, words or characters.

    The text is plain text, Markdown or HTML. All other arguments are those of `Chunker`, which is
    what to use for many texts with a pipeline or tokenizer of your own. Chunks are in order.
    Without overlap they are the text when they are joined, character for character, after front
    matter, unless it is HTML. Raises ValueError and TypeError as `Chunker` and its call do.
    """
    settings = suggest_headings, overlap, vectors
    return Chunker(max_tokens, tokenizer, min_tokens, model, markup, *settings)(text)


@lru_cache(maxsize=4)
def _load(model: str) -> Language:
    nlp = load_pipeline(model)
    allow_long_texts(nlp)
    return nlp


def _count_tokens(nlp: Language, text: str) -> int:
    """Count spaCy's tokens, or words where these are more: the tokenizers of other languages see
    one token in a whole clause of Chinese or Japanese. What is longer than a word counts by its
    length, as the tokenizers of language models split it."""
    lengths = map(len, tokenize(nlp, text))
    sizes = (1 if length <= _LONGEST_WORD else -(-length // _OF_TOKEN) for length in lengths)
    return max(sum(sizes), count_words(text))
