import bz2
import tracemalloc
from pathlib import Path

import gensim
import pytest

from spacy_thematic.articles import mediawiki
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.articles.mediawiki import read_mediawiki_dump
from spacy_thematic.articles.sources import ReadLog, SourceError
from spacy_thematic.triplets.rules import CorpusSettings, apply_rules, has_enough_sections

REAL_DUMP = (
    Path(gensim.__file__).parent
    / "test"
    / "test_data"
    / "enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"
)

HEADER = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-{version}/" version="{version}">
<siteinfo><sitename>Wikipedia</sitename>{dbname}<namespaces>
<namespace key="0" /><namespace key="1">Diskussion</namespace>
<namespace key="6">Datei</namespace><namespace key="14">Kategorie</namespace>
</namespaces></siteinfo>
"""


def page(title, text, *, namespace=None, extra=""):
    number = "" if namespace is None else f"<ns>{namespace}</ns>"
    return (
        f"<page><title>{title}</title>{number}{extra}<revision><comment>c</comment>"
        f'<text xml:space="preserve">{text}</text></revision></page>\n'
    )


def dump(*pages, version="0.10", dbname="<dbname>dewiki</dbname>"):
    return (HEADER.format(version=version, dbname=dbname) + "".join(pages)).encode()


END = b"</mediawiki>"


def write(tmp_path, content, name="dump.xml"):
    path = tmp_path / name
    path.write_bytes(content)
    return path


def test_articles_of_a_dump(tmp_path):
    content = dump(
        page("Eiche", "Eine [[Eiche]].[[Datei:x.jpg|y]]", namespace=0),
        page("Diskussion:Eiche", "?", namespace=1),
        page("Eichen", "#WEITERLEITUNG", namespace=0, extra='<redirect title="Eiche" />'),
        page("Modul", "{}", namespace=0, extra="<model>json</model>"),
        page("A: B", "Text.", namespace=0),
    )
    log = ReadLog()
    articles = list(read_articles(write(tmp_path, content + END), log=log))
    assert [article.title for article in articles] == ["Eiche", "A: B"]
    assert articles[0].sections[0].paragraphs == ["Eine Eiche."]
    assert articles[0].source == "mediawiki dewiki"
    assert log.articles == 2
    assert log.skipped == {"other namespace": 1, "redirect": 1, "not wikitext": 1}


def test_old_dumps_without_namespace_numbers(tmp_path):
    content = dump(
        page("Eiche", "Text."),
        page("Diskussion:Eiche", "?"),
        page("2001: A Space Odyssey", "Text."),
        page("Eichen", "#REDIRECT [[Eiche]]"),
        version="0.3",
        dbname="",
    )
    log = ReadLog()
    articles = list(read_articles(write(tmp_path, content + END), log=log))
    assert [article.title for article in articles] == ["Eiche", "2001: A Space Odyssey"]
    assert articles[0].source == "mediawiki Wikipedia"
    assert log.skipped == {"other namespace": 1, "redirect": 1}


def test_multistream(tmp_path):
    streams = [dump(), page("A", "a", namespace=0).encode(), page("B", "b").encode(), END]
    path = write(tmp_path, b"".join(map(bz2.compress, streams)), "dump.xml.bz2")
    assert [article.title for article in read_articles(path)] == ["A", "B"]


@pytest.mark.parametrize("broken", [b"<page><title>B</oops>", b"<page><title>\xff", b"<page>"])
def test_broken_xml(tmp_path, broken):
    path = write(tmp_path, dump(page("A", "a")) + broken)
    articles = read_articles(path)
    assert next(articles).title == "A"
    with pytest.raises(SourceError, match=r"dump\.xml, line \d+: not well-formed.*--skip-bad"):
        list(articles)
    log = ReadLog(skip_bad=True)
    assert [article.title for article in read_articles(path, log=log)] == ["A"]
    assert log.truncated
    assert "line" in log.problems[0]


def test_what_came_before_a_cut_in_a_compressed_dump_is_read(tmp_path):
    path = write(tmp_path, REAL_DUMP.read_bytes()[:900_000], "dump.xml.bz2")
    log = ReadLog()
    articles = list(read_articles(path, log=log))
    assert 10 < len(articles) < 106
    assert log.truncated
    assert "dump.xml.bz2 breaks off" in log.problems[0]


def test_entity_bombs_are_refused(tmp_path):
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<!DOCTYPE x [<!ENTITY e0 "lol">{entities}]>'.encode()
    path = write(tmp_path, bomb + dump(page("A", "&e9;")) + END)
    for skip_bad in (False, True):
        with pytest.raises(SourceError, match="document type"):
            list(read_articles(path, log=ReadLog(skip_bad=skip_bad)))


def test_other_xml(tmp_path):
    path = write(tmp_path, b"<html><body/></html>")
    with pytest.raises(SourceError, match="root <html>: expected <mediawiki>"):
        list(read_mediawiki_dump(path, ReadLog(skip_bad=True)))


def test_overlong_pages_are_skipped_in_bounded_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(mediawiki, "MAX_PAGE_LENGTH", 2**16)
    content = dump(page("Long", "word " * 4_000_000), page("B", "b")) + END
    path = write(tmp_path, bz2.compress(content), "dump.bz2")
    log = ReadLog()
    tracemalloc.start()
    articles = list(read_articles(path, log=log))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [article.title for article in articles] == ["B"]
    assert log.skipped == {"page too long": 1}
    assert peak < len(content) / 3


def test_the_real_dump():
    log = ReadLog()
    articles = list(read_articles(REAL_DUMP, log=log))
    assert len(articles) == log.articles == 106
    assert log.skipped == {"redirect": 99, "other namespace": 1}
    kept = [apply_rules(article, CorpusSettings()) for article in articles]
    assert sum(map(has_enough_sections, kept)) >= 60
    paragraphs = [
        paragraph
        for article in articles
        for section in article.sections
        for paragraph in section.paragraphs
    ]
    left = [
        paragraph
        for paragraph in paragraphs
        if any(mark in paragraph for mark in ("{{", "[[", "''", "<ref", "()", "( ,"))
    ]
    assert len(paragraphs) > 4000
    assert not left
