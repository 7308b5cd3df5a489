import gzip
import json

import pytest

from spacy_thematic.articles import sources
from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.articles.json_records import read_article_jsonl
from spacy_thematic.articles.sources import ReadLog, SourceError

OAK = Article("Oak", "test", [Section("", 1, ["An oak is a tree."]), Section("Uses", 2, ["Wood."])])
ELM = Article("Elm", "test", [Section("Bark", 3, ["Grey.", "Fissured."])])
GOOD = json.dumps(OAK.to_dict()).encode() + b"\n"

BAD_LINES = {
    "not JSON": (b"{not json}\n", "not JSON"),
    "a list": (b'["Oak"]\n', r"found \['Oak'\]"),
    "no sections": (b'{"title": "Oak"}\n', '"sections": Field required'),
    "wrong level": (
        b'{"title": "Oak", "sections": [{"title": "", "level": "2", "paragraphs": []}]}\n',
        '"sections.0.level": Input should be a valid integer',
    ),
    "invalid UTF-8": (b'{"title": "\xff", "sections": []}\n', "not UTF-8"),
    "NUL": (b'{"title": "a\x00b", "sections": []}\n', "not JSON"),
    "escaped NUL": (b'{"title": "a\\u0000b", "sections": [{"title":"","paragraphs":[]}]}\n', "NUL"),
    "half a surrogate pair": (b'{"title": "\\ud800", "sections": []}\n', "surrogate"),
    "deep nesting": (b"[" * 100_000 + b"\n", "nested too deeply"),
}


def write(tmp_path, content):
    path = tmp_path / "articles.jsonl"
    path.write_bytes(content)
    return path


def test_articles_round_trip(tmp_path):
    path = tmp_path / "articles.jsonl.gz"
    records = "\n".join(json.dumps(article.to_dict()) for article in (OAK, ELM))
    path.write_bytes(gzip.compress(records.encode()))
    log = ReadLog()
    assert list(read_articles(path, log=log)) == [OAK, ELM]
    assert log.articles == 2
    assert log.bytes_read == log.total_bytes == path.stat().st_size


def test_blank_lines_and_a_byte_order_mark_are_passed_over(tmp_path):
    path = write(tmp_path, b"\xef\xbb\xbf\n" + GOOD + b"\n  \n" + GOOD)
    log = ReadLog()
    assert list(read_articles(path, log=log)) == [OAK, OAK]
    assert not log.skipped


@pytest.mark.parametrize("line, found", BAD_LINES.values(), ids=BAD_LINES)
def test_a_line_that_is_no_article(tmp_path, line, found):
    path = write(tmp_path, GOOD + line + GOOD)
    with pytest.raises(SourceError, match=f"articles.jsonl, line 2: .*{found}.*--skip-bad"):
        list(read_article_jsonl(path, ReadLog()))
    log = ReadLog(skip_bad=True)
    assert list(read_article_jsonl(path, log)) == [OAK, OAK]
    assert log.skipped == {"bad record": 1}
    assert "line 2" in log.problems[0]


def test_an_overlong_line_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "MAX_LINE", 1000)
    path = write(tmp_path, GOOD + b"x" * 5000 + b"\n" + GOOD)
    held = [len(line) for _, line in sources.read_lines(path, ReadLog())]
    assert held == [len(GOOD), 1001, len(GOOD)]


def test_a_record_that_a_cut_left_unfinished_is_no_bad_record(tmp_path):
    path = tmp_path / "articles.jsonl.gz"
    records = [
        json.dumps(Article(f"Tree {number}", "", [Section("", 1, [str(number) * 50])]).to_dict())
        for number in range(5000)
    ]
    data = gzip.compress("\n".join(records).encode())
    path.write_bytes(data[: len(data) // 2])
    log = ReadLog()
    articles = list(read_articles(path, log=log))
    assert log.truncated
    assert not log.skipped
    assert 100 < len(articles) == log.articles < 5000


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_empty_file(tmp_path, content):
    with pytest.raises(SourceError, match="is empty"):
        list(read_articles(write(tmp_path, content)))


def test_unknown_content_names_the_known_formats(tmp_path):
    with pytest.raises(SourceError, match=r'a tree grows.*"mediawiki".*"jsonl"'):
        list(read_articles(write(tmp_path, b"a tree grows")))
