"""`thematic corpus` as a user meets it."""

import contextlib
import gzip
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import srsly

from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.cli import corpus
from spacy_thematic.cli.shell import bytes_bar, restart_rate, update_bytes_bar
from spacy_thematic.triplets.corpus_builder import build_corpus
from spacy_thematic.triplets.rules import CorpusSettings
from tests.cli.conftest import flat, invoke
from tests.conftest import make_article


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("source") / "articles.jsonl"
    srsly.write_jsonl(path, [make_article(number).to_dict() for number in range(200)])
    return path


def draw_bar(monkeypatch, limit: int) -> str:
    """What the bar writes to a pseudo-terminal, which has no width."""
    main, side = pty.openpty()
    log = ReadLog(total_bytes=1000)
    with os.fdopen(side, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        with bytes_bar(log, "Reading", limit) as bar:
            bar.mininterval = 0
            for log.articles, log.bytes_read in ((10, 100), (20, 200)):
                time.sleep(0.01)
                update_bytes_bar(bar, log, limit)
                if log.articles == 10:
                    restart_rate(bar)
        monkeypatch.undo()
    written = b""
    # At its end a pseudo-terminal gives an error.
    with contextlib.suppress(OSError):
        while part := os.read(main, 100_000):
            written += part
    os.close(main)
    return written.decode()


def test_the_bar_shows_how_far_how_fast_and_how_long(monkeypatch):
    by_bytes = draw_bar(monkeypatch, 0)
    assert "20%" in by_bytes
    assert "20 articles" in by_bytes
    assert "B/s" in by_bytes
    assert "40%" in draw_bar(monkeypatch, 50)


def test_the_bar_is_quiet_where_there_is_no_terminal(monkeypatch, capsys):
    with bytes_bar(ReadLog(), "Reading") as bar:
        update_bytes_bar(bar, ReadLog(bytes_read=5))
    assert capsys.readouterr().err == ""


def test_a_source_that_breaks_off_is_an_error_and_what_was_made_stays(source, tmp_path):
    out = tmp_path / "corpus"
    cut = tmp_path / "cut.jsonl.gz"
    data = gzip.compress(source.read_bytes())
    cut.write_bytes(data[: len(data) * 3 // 4])
    error = flat(invoke("corpus", cut, out, status=1))
    assert "breaks off" in error
    assert "--skip-bad" in error
    assert ".corpus.building" in error
    assert not out.exists()
    output = flat(invoke("corpus", cut, out, "--skip-bad"))
    assert "Resuming after 125 articles" in output
    assert "breaks off" in output
    invoke("corpus", cut, tmp_path / "afresh", "--skip-bad")
    names = [p.relative_to(out) for p in sorted(out.rglob("*")) if p.is_file()]
    for name in names:
        assert (out / name).read_bytes() == (tmp_path / "afresh" / name).read_bytes()
    plain = tmp_path / "cut.jsonl"
    plain.write_bytes(source.read_bytes()[:-40])
    assert "breaks off" in flat(invoke("corpus", plain, out, status=1))


def make_source(path, articles):
    srsly.write_jsonl(path, [article.to_dict() for article in articles])
    return path


def test_the_error_without_triplets_gives_advice_that_fits(tmp_path, source):
    out = tmp_path / "corpus"
    few = flat(invoke("corpus", source, out, "--min-sections", 9, "--limit", 20, status=1))
    assert "--min-sections" in few
    assert "usable openers" not in few
    one_opener = []
    for number in range(20):
        article = make_article(number)
        for section in article.sections:
            del section.paragraphs[1:]
        one_opener.append(article)
    wanting = flat(invoke("corpus", make_source(tmp_path / "one.jsonl", one_opener), out, status=1))
    assert "two openers of a section, at most three paragraphs apart" in wanting
    assert "--min-sections" not in wanting


def test_articles_of_another_source_are_left_out(tmp_path, source):
    few = make_source(tmp_path / "few.jsonl", [make_article(number) for number in range(4, 10)])
    more = make_source(tmp_path / "more.jsonl", [make_article(number) for number in range(50)])
    out = tmp_path / "corpus"
    output = flat(invoke("corpus", source, out, "--leave-out", few, "--leave-out", more))
    assert "150 of 200 articles kept" in output
    assert srsly.read_json(out / "statistics.json")["read"]["dropped by title"] == 50
    nothing = flat(invoke("corpus", source, out, "--leave-out", source, status=1))
    assert "title to be left out: " in nothing
    titles = tmp_path / "titles.txt"
    titles.write_text("\n".join(f"LAND_{number}" for number in range(30)))
    kept = flat(invoke("corpus", source, out, "--leave-out", titles))
    assert "170 of 200 articles kept" in kept
    assert "left out nothing" not in kept
    titles.write_text("Atlantis\n")
    assert "left out nothing" in flat(invoke("corpus", source, out, "--leave-out", titles))
    titles.write_text("\n")
    empty = flat(invoke("corpus", source, out, "--leave-out", titles, status=1))
    assert "holds no title" in empty


def test_articles_of_another_corpus_are_left_out_by_their_sentences(tmp_path, source):
    same = [make_article(number) for number in (3, 8)]
    for article in same:
        article.title = f"Renamed {article.title}"
    other = make_source(tmp_path / "other.jsonl", same)
    invoke("corpus", other, tmp_path / "first", "--shares", "1/0/0")
    out = tmp_path / "corpus"
    output = flat(invoke("corpus", source, out, "--leave-out", tmp_path / "first" / "train"))
    assert "198 of 200 articles kept" in output
    assert srsly.read_json(out / "statistics.json")["read"]["dropped by sentence"] == 2


def test_only_a_split_that_was_to_have_articles_is_said_to_be_empty(tmp_path, source):
    output = flat(invoke("corpus", source, tmp_path / "corpus", "--shares", "100/0/0"))
    assert "is empty" not in output
    output = flat(invoke("corpus", source, tmp_path / "corpus", "--shares", "9999/1/0"))
    assert "The dev split is empty" in output
    assert "The test split is empty" not in output


def test_a_large_folder_is_shared_by_all_cores(tmp_path, monkeypatch):
    (tmp_path / "released").mkdir()
    for split in ("train", "test"):
        (tmp_path / "released" / f"{split}.csv").write_text("x" * 600)
    monkeypatch.setattr(corpus, "SMALL_SOURCE", 1000)
    assert corpus._count_processes(tmp_path / "released") == 0  # All cores.
    assert corpus._count_processes(tmp_path / "released" / "train.csv") == 1


def test_all_sentences_are_counted(tmp_path):
    articles = [make_article(number) for number in range(60)]
    for article in articles:
        article.sections[1].paragraphs[0] += " The people of the land know them well."
    source = make_source(tmp_path / "articles.jsonl", articles)
    out = tmp_path / "corpus"
    invoke("corpus", source, out, "--sentences", "all")
    statistics = srsly.read_json(out / "statistics.json")
    splits = [statistics[split] for split in ("train", "dev", "test")]
    assert [split["others"] for split in splits] == [split["articles"] for split in splits]


def test_shares_are_proportions_and_processes_are_not_negative(tmp_path, source):
    out = tmp_path / "corpus"
    assert "kept" in invoke("corpus", source, out, "--shares", "80/30/10", "--limit", 60)
    shares = srsly.read_json(out / "statistics.json")["settings"]["shares"]
    assert shares == pytest.approx([2 / 3, 1 / 4, 1 / 12])
    invoke("corpus", source, out, "--processes", "-3", status=2)


def test_places_and_sources_that_cannot_be_are_named(tmp_path, source):
    (tmp_path / "file").write_text("mine")
    error = flat(invoke("corpus", source, tmp_path / "file" / "sub" / "x", status=1))
    assert "is a file" in error
    assert "Errno" not in error
    url = "https://example.org/dump.xml.bz2"
    assert "URLs are not read" in flat(invoke("corpus", url, tmp_path / "x", status=1))
    (tmp_path / "a.csv").write_text("one,two,three\n1,2,3\n")
    error = flat(invoke("corpus", tmp_path / "a.csv", tmp_path / "x", status=1))
    assert "released_triplets.py makes a corpus" in error
    for name, head in (("a.html", b"<html>"), ("b.html", b'<html><meta charset="utf-8">')):
        (tmp_path / name).write_bytes(head + b"<p>\x81</p></html>")
        error = flat(invoke("corpus", tmp_path / name, tmp_path / "x", status=1))
        assert "not UTF-8 (invalid start byte at byte" in error


BUILD = """
import sys
from pathlib import Path
from spacy_thematic.engines import LocalEngine
from spacy_thematic.triplets.corpus_builder import build_corpus
from spacy_thematic.triplets.rules import CorpusSettings
from spacy_thematic.triplets.corpus_builder import build_corpus
from spacy_thematic.triplets.rules import CorpusSettings
from tests.cli.conftest import flat, invoke
from tests.conftest import make_article

if __name__ == "__main__":
    articles = (make_article(number) for number in range(10**6))
    with LocalEngine(2) as engine:
        build_corpus(articles, Path(sys.argv[1]), CorpusSettings(shard_size=10), engine=engine)
"""


def test_workers_end_when_the_build_is_killed(tmp_path):
    script = tmp_path / "build.py"
    script.write_text(BUILD)
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    command = [sys.executable, str(script), str(tmp_path / "corpus")]
    # The pipe ends when the last process that has it does.
    child = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
    children = f"/proc/{child.pid}/task/{child.pid}/children"
    blocks = tmp_path / ".corpus.building" / "blocks"
    while len(list(blocks.glob("*.json"))) < 8 and child.poll() is None:
        time.sleep(0.05)
    with Path(children).open() as file:
        workers = [int(pid) for pid in file.read().split()]
    assert workers
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    ended = time.time() + 60
    while any(map(is_running, workers)) and time.time() < ended:
        time.sleep(0.1)
    assert not any(map(is_running, workers))


def is_running(pid: int) -> bool:
    try:
        with Path(f"/proc/{pid}/stat").open() as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("n", [3, 12])
def test_no_split_of_a_few_articles_is_empty(tmp_path, n):
    found = []
    for _ in range(2):
        statistics = build_corpus(articles_of(n), tmp_path, CorpusSettings(shares=(96, 2, 2)))
        found.append({split: statistics[split]["articles"] for split in ("train", "dev", "test")})
    assert found[0] == found[1] == {"train": n - 2, "dev": 1, "test": 1}
    none = build_corpus(articles_of(n), tmp_path, CorpusSettings(shares=(1, 0, 0)))
    assert none["train"]["articles"] == n and none["dev"]["articles"] == 0


def articles_of(n):
    return (make_article(number) for number in range(n))


def test_what_is_left_out_of_the_pages_of_a_dump_is_told(tmp_path):
    pages = ""
    for article in map(make_article, range(12)):
        sections = (
            f"== {section.title} ==\n" + "\n\n".join(section.paragraphs)
            for section in article.sections
        )
        text = "\n".join(["{{Infobox|name=The name}}", *sections])
        pages += (
            f"<page><title>{article.title}</title><revision><text>{text}</text></revision></page>"
        )
    path = tmp_path / "dump.xml"
    path.write_text(f"<mediawiki>{pages}</mediawiki>")
    result = invoke("corpus", path, tmp_path / "corpus", "--processes", "2")
    assert "Left out of the texts: 12 templates:" in flat(result)
