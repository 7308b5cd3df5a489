"""Articles as Docs with span groups, and shards of them on disk.

One Doc per article, so that a sentence is stored, and encoded in training, once, however many
triplets it is in. Everything lives in span groups, which survive DocBin without user data.

`doc.spans["sentences"]`: the kept sentences; `label_` is the section's title and `id` its number.
    Attrs: `title` and `source` of the article, `lang` of the tokenizer ("" if unknown),
    `paragraphs` (number of each sentence's).
`doc.spans["titles"]`: one per section, "article title section title" (the paper's footnote 3).
`doc.spans["foreign"]`: sentences of other articles, negatives of "sen-rand-article".
`doc.spans["others"]`: sentences that open no paragraph, where `thematic corpus` was asked for all;
    as in `sentences`. Attrs: `paragraphs`.
`doc.spans["triplets"]`: no spans. Attrs: `triplets` (lists of row numbers: anchor, positive,
    negative), `kind`, `seed`.

A row number counts the spans of `sentences`, then those of `titles`, then those of `foreign`.
"""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from spacy.tokens import Doc, DocBin, Span, SpanGroup
from spacy.vocab import Vocab

from spacy_thematic.articles.article import Article
from spacy_thematic.files import write_bytes
from spacy_thematic.triplets.mining import Triplet
from spacy_thematic.triplets.sentences import Sentence

SENTENCES = "sentences"
TITLES = "titles"
FOREIGN = "foreign"
OTHERS = "others"
TRIPLETS = "triplets"
_PIECE = 1 << 20
_SMALL = 1 << 28  # bytes that a shard may always have when decompressed
_MOST_TIMES = 100  # its size; those of articles have about 5


def make_article_doc(
    article: Article,
    sentences: Sequence[Sentence],
    titles: Sequence[Doc],
    triplets: Sequence[Triplet],
    *,
    foreign: Sequence[Sentence] = (),
    others: Sequence[Sentence] = (),
    kind: str,
    seed: int,
    vocab: Vocab,
) -> Doc:
    """Make a Doc from an article, after `apply_rules`: its kept sentences; for each section that
    has some, in order, the tokenized title, or none; triplets of row numbers of anchors, positives
    and negatives; sentences of other articles that serve as negatives, and others of the article,
    which no row number counts."""
    numbers = sorted({sentence.section for sentence in sentences})
    titled = [Sentence.read(doc, number, 0) for doc, number in zip(titles, numbers)]
    n_sections = len(article.sections)
    # A foreign sentence has a section to itself, so that no loss takes it for a positive.
    apart = [row._replace(section=n_sections + n) for n, row in enumerate(foreign)]
    labels = [section.title for section in article.sections] + [""] * len(foreign)
    words: list[str] = []
    spaces: list[bool] = []
    starts: list[bool] = []
    for row in (*sentences, *titled, *apart, *others):
        words += row.words
        spaces += [*row.spaces[:-1], True]
        starts += [True] + [False] * (len(row.words) - 1)
    doc = Doc(vocab, words=words, spaces=spaces, sent_starts=starts)  # type: ignore[arg-type]
    about = {"title": article.title, "source": article.source, "lang": vocab.lang}
    end = 0
    for key, rows, attrs in (
        (SENTENCES, sentences, {**about, "paragraphs": [row.paragraph for row in sentences]}),
        (TITLES, titled, {}),
        (FOREIGN, apart, {}),
        (OTHERS, others, {"paragraphs": [row.paragraph for row in others]}),
    ):
        spans = []
        for row in rows:
            start, end = end, end + len(row.words)
            spans.append(Span(doc, start, end, label=labels[row.section], span_id=row.section))
        if spans or key == SENTENCES:
            doc.spans[key] = SpanGroup(doc, name=key, spans=spans, attrs=attrs)
    doc.spans[TRIPLETS] = SpanGroup(
        doc,
        name=TRIPLETS,
        attrs={"triplets": [list(triplet) for triplet in triplets], "kind": kind, "seed": seed},
    )
    return doc


def get_triplets(doc: Doc) -> list[list[int]]:
    """The triplets of an article's Doc, as lists of row numbers."""
    return doc.spans[TRIPLETS].attrs["triplets"] if TRIPLETS in doc.spans else []


def get_lang(doc: Doc) -> str:
    """The language of an article's Doc, "" if unknown."""
    return doc.spans[SENTENCES].attrs.get("lang", "") if SENTENCES in doc.spans else ""


def get_sections(doc: Doc) -> list[int]:
    """The number of each sentence's section."""
    return [sentence.id for sentence in doc.spans[SENTENCES]]


def get_rows(doc: Doc) -> list[Span]:
    """The spans that the row numbers of the triplets count: the sentences, the titles, those
    of other articles."""
    if SENTENCES not in doc.spans:
        raise ValueError(
            f'This Doc has no span group "{SENTENCES}" (it has: {sorted(doc.spans) or "none"}): '
            "training and evaluation read the shards written by "
            '"python -m spacy thematic corpus".'
        )
    return [span for key in (SENTENCES, TITLES, FOREIGN) for span in doc.spans.get(key, ())]


def read_article(doc: Doc) -> tuple[list[Span], np.ndarray]:
    """The rows of an article's Doc that training encodes: its sentences, and the titles and foreign
    sentences that triplets name; and the triplets as numbers of these, int64 (m, 3).

    Raises ValueError if a triplet names a row that is not there."""
    rows = get_rows(doc)
    triplets = np.asarray(get_triplets(doc), dtype="int64").reshape(-1, 3)
    if len(triplets) and not 0 <= triplets.min() <= triplets.max() < len(rows):
        raise ValueError(
            f"A triplet names row {triplets.max()}, but the article has {len(rows)} rows: the "
            'corpus is damaged. Build it again with "python -m spacy thematic corpus".'
        )
    used = np.union1d(np.arange(len(doc.spans[SENTENCES])), triplets)
    return [rows[row] for row in used], np.searchsorted(used, triplets)


def write_shard(docs: Iterable[Doc], path: Path) -> None:
    """Write Docs as one DocBin, whole or not at all."""
    write_bytes(path, DocBin(attrs=["SENT_START"], docs=docs).to_bytes())


def find_shards(path: Path) -> list[Path]:
    """The shards at a path: a .spacy file, or all below a folder, sorted. Raises FileNotFoundError
    if there are none."""
    shards = [path] if path.is_file() else sorted(path.glob("**/*.spacy"))
    if not shards:
        state = "no .spacy file in it" if path.is_dir() else "no such file or folder"
        if path.exists() and not path.is_dir():
            state = "it is a pipe or a device, and a shard is read twice"
        raise FileNotFoundError(
            f"Cannot read a corpus from {path}: {state}. Make one with "
            '"python -m spacy thematic corpus SOURCE OUT".'
        )
    return shards


def read_shards(path: Path, vocab: Vocab) -> Iterator[Doc]:
    """The Docs of all shards at a path, one after the other. Raises ValueError if a file is not a
    whole DocBin."""
    for shard in find_shards(path):
        try:
            _check_size(shard)
            yield from DocBin().from_disk(shard).get_docs(vocab)
        except Exception as error:
            raise ValueError(
                f"{shard} is not a readable DocBin ({type(error).__name__}: {error}). Delete it "
                'and build the corpus again with "python -m spacy thematic corpus".'
            ) from error


def _check_size(shard: Path) -> None:
    """Refuse a file that would blow up beyond all memory: DocBin decompresses it all at once."""
    most = max(_SMALL, _MOST_TIMES * shard.stat().st_size)
    decompressor = zlib.decompressobj()
    size = 0
    with shard.open("rb") as file:
        while piece := decompressor.unconsumed_tail or file.read(_PIECE):
            size += len(decompressor.decompress(piece, _PIECE))
            if size > most:
                raise ValueError(f"more than {most:,} bytes when decompressed")
