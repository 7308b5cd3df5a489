"""Small files of the formats in which the paper's data is published, made of any articles.

They are for `rehearsal.py`. The texts, the sections and what words a text has are
those of the articles; the choice of triplets, the scores of pairs and the vectors of words are
drawn at random. What is known to be odd in the published files is odd in these too.
"""

from __future__ import annotations

import bz2
import csv
import io
import random
import re
import tarfile
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

from paper_data import BENCHMARK, GLOVE, SICK, TRIPLET_ROWS, TRIPLETS
from released_triplets import COLUMNS as TRIPLET_COLUMNS
from released_triplets import MIRROR_COLUMNS
from sick import SIZES
from skip_thoughts_weights import DICTIONARY, NETS, UNKNOWN
from spacy_thematic.articles.article import Article
from spacy_thematic.articles.sentence_clustering import COLUMNS
from spacy_thematic.triplets.mining import Triplet, mine_adjacent
from spacy_thematic.triplets.rules import CorpusSettings, apply_rules

DUMP = "enwiki-latest-pages-articles.xml.bz2"
MIRROR = "wikipedia-sections-mirror"
SKIP_THOUGHTS = "skip-thoughts"

# Of the published files.
WORDS = 2_196_017
SKIP_THOUGHTS_WORDS = 930_911
BENCHMARK_ARTICLES = 692
XML_BYTES = 80e9

# Of the largest article of IBM's benchmark.
LARGEST, LARGEST_SECTION = 1614, 1308
SMALLEST = 17
SECTIONS = 5, 12
TRIPLETS_AN_ARTICLE = 2.2
# Of GloVe 840B: words with spaces, and one that Python takes for the end of a line.
ODD_WORDS = (",", ". . .", "at name@domain.com", "\x85", "• name@domain.com", ". . . . .")
WIDTH = 300
NAMESPACES = {-1: "Special", 1: "Talk", 4: "Wikipedia", 6: "File", 10: "Template", 14: "Category"}
# Of skip-thoughts: the width of words, and the units of each net in a direction.
SKIP_THOUGHTS_WIDTH, UNITS = 620, {"uni": 2400, "bi": 1200}
# Short articles and redirects for each article with five sections.
SHORT_PAGES, REDIRECTS = 5, 8


def write_files(
    articles: Sequence[Article], folder: Path, share: float, dump_share: float, rng: random.Random
) -> None:
    """Write all files, of a share of the size of those that are published.

    Args:
        articles: in random order.
        folder: for the files.
        share: of the rows, words, pairs and articles.
        dump_share: of the bytes of the dump.
        rng: draws.
    """
    folder.mkdir(parents=True, exist_ok=True)
    count = max(2, round(BENCHMARK_ARTICLES * share))
    used = write_benchmark(articles, folder / BENCHMARK[0], count)
    rows = {split: round(size * share) for split, size in TRIPLET_ROWS.items()}
    write_triplets(articles[count:], folder, rows, rng)
    write_sick(articles, folder / SICK, share, rng)
    write_glove(articles, folder / GLOVE[0], round(WORDS * share), rng)
    write_skip_thoughts(articles, folder / SKIP_THOUGHTS, round(SKIP_THOUGHTS_WORDS * share))
    # The articles of the benchmark are in the dump, and as many of the triplets' as chance has it.
    dumped = sorted(
        rng.sample(articles, len(articles)), key=lambda article: article.title not in used
    )
    write_dump(dumped, folder / DUMP, round(XML_BYTES * dump_share), rng)


def split_sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?]) (?=[A-Z])", text)


def write_benchmark(articles: Sequence[Article], path: Path, count: int) -> set[str]:
    """IBM's clustering benchmark: articles of 5 to 12 sections, of which the first is the largest
    and the second the smallest that was released. Returns the titles."""
    pool = (
        (article.title, sections)
        for article in articles
        if len(sections := _list_sections(article)) >= SECTIONS[0]
    )
    # For those two, of other articles.
    texts = (text for _, sections in pool for texts in sections.values() for text in texts)
    rest = np.array_split(np.arange(LARGEST - LARGEST_SECTION), SECTIONS[1] - 1)
    largest = [LARGEST_SECTION, *map(len, rest)]
    smallest = [3] * (SECTIONS[0] - 1) + [SMALLEST - 3 * (SECTIONS[0] - 1)]
    chosen = []
    for sizes in (largest, smallest):
        title, sections = next(pool)
        names = [*sections, *(f"Part {number}" for number in range(SECTIONS[1]))]
        chosen.append((title, {name: list(islice(texts, n)) for name, n in zip(names, sizes)}))
    chosen += islice(pool, count - len(chosen))
    rows = (
        (title, re.sub(r"\.$", " .", text), name, _link(title))
        for title, sections in chosen
        for name, texts in sections.items()
        for text in texts
    )
    data = "".join(_csv_lines((COLUMNS, *rows))).encode()
    with tarfile.open(path, "w:gz") as tar:
        for name, content in (("README.txt", b"Made of other articles.\n"), ("dataset.csv", data)):
            member = tarfile.TarInfo(f"thematic-clustering-of-sentences/{name}")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return {title for title, _ in chosen}


def _list_sections(article: Article) -> dict[str, list[str]]:
    """The sentences of each section with at least three, of up to twelve sections."""
    found = {}
    for section in apply_rules(article, CorpusSettings()).sections:
        texts = [text for paragraph in section.paragraphs for text in split_sentences(paragraph)]
        if len(texts) >= 3:
            found[section.title] = texts
    return dict(list(found.items())[: SECTIONS[1]])


def _link(title: str) -> str:
    return f"https://en.wikipedia.org/wiki/{title.replace(' ', '_')}"


def _csv_lines(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for row in rows:
        line = io.StringIO(newline="")
        csv.writer(line).writerow(row)
        yield line.getvalue()


def write_triplets(
    articles: Iterable[Article], folder: Path, rows: dict[str, int], rng: random.Random
) -> None:
    """The released triplets as a .zip of CSV files, and those of the mirror as Parquet."""
    import pyarrow
    from pyarrow import parquet

    found = _iter_triplets(articles, rng)
    (folder / MIRROR).mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / TRIPLETS, "w", zipfile.ZIP_DEFLATED) as archive:
        for split in ("test", "validation", "train"):
            taken = [next(found) for _ in range(rows[split])]
            archive.writestr(f"{split}.csv", "".join(_csv_lines((TRIPLET_COLUMNS, *taken))))
            table = pyarrow.table(dict(zip(MIRROR_COLUMNS, zip(*taken))))
            parquet.write_table(table, folder / MIRROR / f"{split}-00000-of-00001.parquet")


def _iter_triplets(
    articles: Iterable[Article], rng: random.Random
) -> Iterator[tuple[str, str, str]]:
    """Some triplets of each article: 2.2 in the mean, as in the release."""
    for article in articles:
        openers, sections, paragraphs = [], [], []
        for number, section in enumerate(apply_rules(article, CorpusSettings()).sections):
            for place, paragraph in enumerate(section.paragraphs):
                opener = split_sentences(paragraph)[0]
                if 5 <= len(opener.split()) <= 50:
                    openers.append(opener)
                    sections.append(number)
                    paragraphs.append(place)
        mined: list[Triplet] = mine_adjacent(sections, paragraphs, rng)
        count = min(len(mined), rng.choice((1, 1, 2, 3, 4)))
        for anchor, positive, negative in rng.sample(mined, count):
            yield openers[anchor], openers[positive], openers[negative]


def write_sick(articles: Sequence[Article], path: Path, share: float, rng: random.Random) -> None:
    """SICK as on Zenodo: one table for all splits, beside a note."""
    columns = ("pair_ID", "sentence_A", "sentence_B", "entailment_label", "relatedness_score")
    lines = ["\t".join((*columns, "SemEval_set"))]
    texts = [
        split_sentences(paragraph)[0]
        for article in articles[:1000]
        for section in article.sections
        for paragraph in section.paragraphs[:1]
    ]
    for split, size in SIZES.items():
        for _ in range(max(10, round(size * share))):
            pair = (" ".join(text.split()) for text in rng.sample(texts, 2))
            score = f"{rng.uniform(1, 5):.1f}"
            lines.append("\t".join((str(len(lines)), *pair, "NEUTRAL", score, split.upper())))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("readme.txt", "Made of other articles.\n")
        archive.writestr("SICK.txt", "\n".join(lines) + "\n")


def write_glove(articles: Sequence[Article], path: Path, n_words: int, rng: random.Random) -> None:
    """GloVe 840B: one text file, no first line of sizes, words by frequency."""
    common = (word for word in _list_words(articles, n_words) if word not in ODD_WORDS)
    words = islice(chain(ODD_WORDS, common), n_words)
    numbers = [f"{rng.gauss(0, 0.4):.5g}" for _ in range(100_000)]
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("glove.840B.300d.txt", "w") as file,
    ):
        for word in words:
            file.write(f"{word} {' '.join(rng.choices(numbers, k=WIDTH))}\n".encode())


def _list_words(articles: Sequence[Article], n_words: int) -> list[str]:
    """The most frequent words of some articles, and made ones where these have not so many."""
    counts: Counter[str] = Counter()
    for article in articles[:2000]:
        for section in article.sections:
            for paragraph in section.paragraphs:
                counts.update(re.findall(r"\w+|[^\w\s]", paragraph))
    made = (f"www.{number}.com" for number in range(n_words))
    return list(islice(chain((word for word, _ in counts.most_common()), made), n_words))


def write_skip_thoughts(articles: Sequence[Article], folder: Path, n_words: int) -> None:
    """The weights of skip-thoughts, in their true size, and tables of fewer words, as arrays of
    numbers: those that are published are of objects."""
    folder.mkdir(exist_ok=True)
    words = [UNKNOWN, *_list_words(articles, n_words - 1)]
    (folder / DICTIONARY).write_text("".join(f"{word}\n" for word in words), "utf8")
    rng = np.random.default_rng(0)
    for name, net in NETS.items():
        n, width = UNITS[name], SKIP_THOUGHTS_WIDTH
        shapes = {"W": (width, 2 * n), "b": (2 * n,), "U": (n, 2 * n)}
        shapes |= {"Wx": (width, n), "bx": (n,), "Ux": (n, n)}
        arrays = {
            f"{prefix}_{key}": 0.02 * rng.standard_normal(shape, "f")
            for prefix in net.directions
            for key, shape in shapes.items()
        }
        np.savez(folder / net.weights, **arrays)
        np.save(folder / net.table, rng.standard_normal((len(words), width), "f"))


def write_dump(articles: Iterable[Article], path: Path, size: int, rng: random.Random) -> None:
    """A dump of so many bytes of XML: articles, several short ones and redirects for each, and
    pages that are no articles."""
    written = 0
    with bz2.open(path, "wt", encoding="utf8") as file:
        for text in _iter_dump(articles, rng):
            written += file.write(text)
            if written >= size:
                break
        file.write("</mediawiki>\n")


def _iter_dump(articles: Iterable[Article], rng: random.Random) -> Iterator[str]:
    names = "".join(
        f'<namespace key="{key}" case="first-letter">{name}</namespace>\n'
        for key, name in NAMESPACES.items()
    )
    yield (
        '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" '
        'xml:lang="en">\n<siteinfo>\n<sitename>Wikipedia</sitename>\n<dbname>enwiki</dbname>\n'
        f'<namespaces>\n{names}<namespace key="0" case="first-letter" />\n</namespaces>\n'
        "</siteinfo>\n"
    )
    for article in articles:
        yield _page(article.title, _to_wikitext(article, rng))
        yield _page(f"Talk:{article.title}", "== Move ==\nSupport.", 1)
        for number in range(SHORT_PAGES):
            title = f"{article.title} ({number})"
            part = rng.sample(article.sections, min(3, len(article.sections)))
            yield _page(title, _to_wikitext(Article(title, "", part), rng))
        for number in range(REDIRECTS):
            text = f"#REDIRECT [[{article.title}]]"
            yield _page(f"{article.title} /{number}/", text, redirect=article.title)


def _page(title: str, text: str, namespace: int = 0, redirect: str = "") -> str:
    target = f'<redirect title="{escape(redirect, {chr(34): "&quot;"})}" />\n' if redirect else ""
    return (
        f"<page>\n<title>{escape(title)}</title>\n<ns>{namespace}</ns>\n<id>1</id>\n{target}"
        "<revision>\n<id>2</id>\n<timestamp>2026-11-01T00:00:00Z</timestamp>\n<contributor>"
        "<username>A</username><id>3</id></contributor>\n<model>wikitext</model>\n"
        f'<format>text/x-wiki</format>\n<text bytes="{len(text.encode())}" xml:space="preserve">'
        f"{escape(text)}</text>\n<sha1>0</sha1>\n</revision>\n</page>\n"
    )


def _to_wikitext(article: Article, rng: random.Random) -> str:
    """An article with what stands around the prose: an infobox, links, notes, a table, lists."""
    parts = [
        "{{Short description|Article}}\n{{Use dmy dates|date=May 2026}}\n{{Infobox settlement\n"
        f"| name = {article.title}\n| image = A.jpg\n| population = {{{{formatnum:12345}}}}\n"
        "| website = {{URL|example.org}}\n}}\n"
    ]
    for section in article.sections:
        if section.title:
            marks = "=" * max(2, section.level)
            parts.append(f"\n{marks} {section.title} {marks}\n")
        parts += [_mark_up(paragraph, rng) for paragraph in section.paragraphs]
    parts.append(
        '\n{| class="wikitable"\n! Year !! Count\n|-\n| 1990 || {{val|12}}\n|-\n| 2000 || 14\n|}\n'
        "\n== See also ==\n* [[Other]]\n* [[Another|one]]\n\n== References ==\n{{Reflist|30em}}\n"
        "\n== External links ==\n* [https://example.org Site]\n{{Authority control}}\n"
        "[[Category:Articles]]\n[[Category:Made of others]]\n"
    )
    return "\n".join(parts)


def _mark_up(paragraph: str, rng: random.Random) -> str:
    words = paragraph.split(" ")
    for place in range(rng.randrange(12), len(words), 12):
        if words[place].isalpha():
            words[place] = rng.choice(("[[{0}]]", "[[Page|{0}]]", "''{0}''")).format(words[place])
    note = (
        '<ref name="a{0}">{{{{cite web |url=https://example.org/{0} |title=Page {0} |last=Smith '
        "|first=J. |date=1 May 2020 |publisher=Example |access-date=2 June 2021}}}}</ref>"
    )
    return " ".join(words) + note.format(rng.randrange(10**6)) + "\n"
