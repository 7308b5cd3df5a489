import csv
import gzip
import re
import subprocess
import sys

import numpy as np
import pytest
import spacy
import srsly
from pyarrow import parquet
from typer.testing import CliRunner

import spacy_thematic
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.cli.app import app
from spacy_thematic.pipeline.texts import NamedText, make_doc, read_texts
from spacy_thematic.triplets.corpus import make_example
from tests.cli.conftest import flat, invoke
from tests.conftest import THEMES, article_doc, make_article
from tests.pipeline.test_clusterer import MINUTES

WORDS = {title: words.split() for title, words in THEMES.items()}
MODEL = {
    "@architectures": "spacy-thematic.WeightedMean.v1",
    "min_count": 1,
    "embed": {"@architectures": "spacy-thematic.StaticVectors.v1"},
}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A pipeline in which the words of a theme have nearly one vector."""
    rng = np.random.default_rng(0)
    nlp = spacy.blank("en")
    nlp.vocab.reset_vectors(width=16)
    for row, words in enumerate(WORDS.values()):
        for word in words:
            vector = np.eye(16)[row] + rng.normal(0, 0.05, 16)
            nlp.vocab.set_vector(word, vector.astype("f"))
    nlp.add_pipe("sentencizer")
    examples = [make_example(article_doc(make_article(0), nlp))]
    nlp.add_pipe("thematic_embedder", config={"model": MODEL})
    nlp.initialize(lambda: examples)
    path = tmp_path_factory.mktemp("model")
    nlp.to_disk(path)
    return path


def sentence(title, start):
    words = (WORDS[title] * 2)[start : start + 3]
    return f"The {words[0]} of the {words[1]} and {words[2]}."


@pytest.fixture
def folder(tmp_path):
    """Five texts in three formats, of three themes."""
    path = tmp_path / "texts"
    path.mkdir()
    music, sport, school = "Music", "Sport", "Education"
    (path / "a.txt").write_text(
        f"{sentence(music, 0)} {sentence(sport, 0)}\n\n{sentence(music, 3)}"
    )
    (path / "b.md").write_text(
        f"# Town\n\n## Sports\n\n{sentence(sport, 3)}\n\n## Schools\n\n{sentence(school, 0)} "
        f"{sentence(school, 3)}\n"
    )
    records = [
        {"text": f"{sentence(music, 5)} {sentence(sport, 6)}", "title": "Both"},
        {"text": sentence(music, 7)},
        {
            "title": "Article",
            "sections": [{"title": "S", "paragraphs": [sentence(school, 5)]}],
        },
    ]
    (path / "c.jsonl.gz").write_bytes(
        gzip.compress("".join(srsly.json_dumps(record) + "\n" for record in records).encode())
    )
    (path / "notes.bin").write_bytes(b"\0\1")
    return path


def run(*args, status=0):
    return flat(invoke("cluster", *args, status=status))


def test_themes_across_texts(folder, model, tmp_path):
    out = tmp_path / "out"
    output = run(
        folder, "--model", model, "--k", 3, "--out", out / "t.jsonl", "--html", out / "t.html"
    )
    records = list(srsly.read_jsonl(out / "t.jsonl"))
    assert [record["title"] for record in records] == ["a", "Town", "Both", "c 2", "Article"]
    themes = [[span["theme"] for span in record["sentences"]] for record in records]
    music, sport, school = themes[0][0], themes[0][1], themes[1][1]
    assert themes == [
        [music, sport, music],
        [sport, school, school],
        [music, sport],
        [music],
        [school],
    ]
    assert music == 1
    assert records[1]["sentences"][0]["text"] == sentence("Sport", 3)
    assert [theme["sentences"] for theme in records[0]["themes"]] == [2, 1]
    label = records[0]["themes"][0]["label"]
    assert f"1 {label}" in output
    page = (out / "t.html").read_text()
    assert page.count('class="sentence"') == 10
    assert "<h3>Sports</h3>" in page


def test_saved_themes_are_given_to_other_texts(folder, model, tmp_path):
    run(folder, "--model", model, "--k", 3, "--out", tmp_path / "1.jsonl", "--save", tmp_path / "s")
    new = tmp_path / "new.txt"
    new.write_text(f"{sentence('Education', 4)} {sentence('Music', 4)}")
    run(new, "--model", model, "--themes", tmp_path / "s", "--out", tmp_path / "2.jsonl")
    first = list(srsly.read_jsonl(tmp_path / "1.jsonl"))
    labels = [first[1]["sentences"][1]["label"], first[0]["sentences"][0]["label"]]
    (second,) = srsly.read_jsonl(tmp_path / "2.jsonl")
    assert [span["label"] for span in second["sentences"]] == labels
    options = ["--themes", tmp_path / "s", "--min-similarity", 1]
    assert "2 of 2 sentences belong to no theme" in run(new, "--model", model, *options)


def test_what_texts_repeat_is_shown_as_one_has_it(model, tmp_path):
    for n in range(12):
        said = " ".join(sentence(name, n) for name in ("Education", "Music"))
        (tmp_path / f"{n}.txt").write_text(f"{said} Version 1.{n} of the {WORDS['Music'][0]}.")
    output = run(tmp_path, "--model", model, "--units", "sentences")
    assert f'repeat: "Version 1.0 of the {WORDS["Music"][0]}."' in output


def test_lines_that_only_name_who_speaks_count_for_nothing(model, tmp_path):
    said = [sentence(name, n) for n in range(4) for name in ("Education", "Music")]
    turns = [f"{name}:\n{one}\n\n" for name, one in zip(["Ann", "Leo"] * 4, said)]
    (tmp_path / "talk.txt").write_text("".join([*turns, "Ann:\nYeah, okay.\n\n"]))
    output = run(tmp_path / "talk.txt", "--model", model)
    assert "1 of 9 sentences belong to no theme" in output


def test_texts_unlike_all_saved_themes_are_told(tmp_path):
    names = {
        "old": [
            "The striker scored twice in the second half of the match.",
            "The coach praised the goalkeeper after the match.",
            "The team lost the final of the league on penalties.",
            "A defender of the team was sent off in the league match.",
            "The orchestra played a symphony by Mozart.",
            "The singer recorded an album with a choir.",
            "Her new album has songs for piano and violin.",
            "The choir sang a song by Mozart.",
        ],
        "new": ["The goalkeeper saved a penalty in the match.", "The album has songs for choir."],
        "foreign": [
            "Why was I charged a fee for the transfer?",
            "My card was declined, and I cannot verify my account.",
            "How long does a refund to my bank account take?",
        ],
    }
    for name, texts in names.items():
        srsly.write_jsonl(tmp_path / f"{name}.jsonl", [{"text": text} for text in texts])
    options = ["--model", "en_thematic_md"]
    run(tmp_path / "old.jsonl", *options, "--k", 2, "--save", tmp_path / "s")
    options += ["--themes", tmp_path / "s"]
    assert "like none" not in run(tmp_path / "new.jsonl", *options)
    assert "3 of 3 texts are like none of these" in run(tmp_path / "foreign.jsonl", *options)


def test_themes_of_each_text(folder, model, tmp_path):
    output = run(
        folder, "-m", model, "--per-document", "--k", 2, "-o", tmp_path / "t.jsonl",
        "--html", tmp_path / "t.html", "--pages", 1,
    )  # fmt: skip
    records = list(srsly.read_jsonl(tmp_path / "t.jsonl"))
    assert [span["theme"] for span in records[1]["sentences"]] == [2, 1, 1]
    assert [len(record["themes"]) for record in records] == [2, 2, 2, 1, 1]
    assert "Town" in output
    assert (tmp_path / "t.html").read_text().count("<article id=") == 1
    assert "the first 1 of 5" in output


def test_a_single_text_is_clustered_by_itself_unless_its_themes_are_saved(tmp_path):
    text, out = tmp_path / "a.txt", tmp_path / "t.jsonl"
    text.write_text("\n\n".join(MINUTES))

    def find_themes(*options):
        output = run(text, "-o", out, *options)
        (record,) = srsly.read_jsonl(out)
        return [span["theme"] for span in record["sentences"]], "Texts" in output

    alone, says_texts = find_themes("--k", 4)
    assert alone == [1] * 3 + [2] * 3 + [3] * 3 + [4] * 3
    assert not says_texts
    assert find_themes("--k", 4, "--per-document") == (alone, False)
    saved, says_texts = find_themes("--k", 4, "--save", tmp_path / "saved")
    assert saved != alone
    assert says_texts
    assert find_themes("--themes", tmp_path / "saved") == (saved, True)


@pytest.mark.parametrize("has_clusterer", [False, True])
def test_segments_are_shown_beside_the_same_themes(model, tmp_path, has_clusterer):
    if has_clusterer:
        nlp = spacy.load(model)
        nlp.add_pipe("thematic_clusterer")
        model = tmp_path / "clustering"
        nlp.to_disk(model)
    text, seed_themes = tmp_path / "a.txt", tmp_path / "seed_themes.json"
    music, sport = ([sentence(title, start) for start in range(5)] for title in ("Music", "Sport"))
    music[2] = "The choir of the football, goal and coach."
    text.write_text(" ".join(music + sport))
    srsly.write_json(seed_themes, {"games": ["football"], "tunes": ["opera"]})
    page, out = tmp_path / "t.html", tmp_path / "t.jsonl"
    options = ["-m", model, "--seed-themes", seed_themes, "--html", page, "-o", out]
    run(text, *options, "--per-document")
    assert find_labels(out) == ["tunes"] * 2 + ["games"] + ["tunes"] * 2 + ["games"] * 5
    assert '<section class="segment"' not in page.read_text()
    themes = find_labels(out)
    run(text, *options, "--per-document", "--segments")
    assert find_labels(out) == themes
    assert '<section class="segment"' in page.read_text()
    (record,) = srsly.read_jsonl(out)
    places = [(segment["start"], segment["end"]) for segment in record["segments"]]
    assert "".join(text.read_text()[start:end] for start, end in places) == text.read_text()
    said = [(line["text"], line["start"], line["end"]) for line in record["sentences"]]
    assert all(text.read_text()[start:end] == found for found, start, end in said)
    run(text, *options, "--segments")
    assert '<section class="segment"' in page.read_text()
    if has_clusterer:
        nlp.get_pipe("thematic_clusterer").units = "segments"
        nlp.to_disk(model)
        run(text, *options, "--per-document", "--segments")
        assert find_labels(out) == ["tunes"] * 5 + ["games"] * 5


def find_labels(path):
    (record,) = srsly.read_jsonl(path)
    return [span["label"] for span in record["sentences"]]


def test_segments_are_those_of_the_segmenter_that_a_pipeline_has(folder, model, tmp_path):
    nlp = spacy.load(model)
    nlp.add_pipe("thematic_segmenter", config={"n": 3})
    nlp.to_disk(tmp_path / "own")
    page = tmp_path / "t.html"
    run(folder / "a.txt", "-m", tmp_path / "own", "--segments", "--html", page)
    assert page.read_text().count('<section class="segment"') == 3


@pytest.mark.parametrize("options", [[], ["--per-document"]])
def test_seed_themes(folder, model, tmp_path, options):
    seed_themes = tmp_path / "seed_themes.json"
    srsly.write_json(
        seed_themes, {"games": ["football coach"], "tunes": ["opera", "guitar melody"]}
    )
    out = tmp_path / "t.jsonl"
    output = run(folder, "-m", model, "--seed-themes", seed_themes, "--k", 2, "-o", out, *options)
    assert ("Seed themes: 1, 2" in output) == (not options)
    first, second, *_ = srsly.read_jsonl(out)
    assert [theme["heading"] for theme in first["themes"]] == [None, None]
    assert [span["label"] for span in first["sentences"]] == ["tunes", "games", "tunes"]
    assert second["sentences"][0]["label"] == "games"
    seed_themes.write_text('{"games": ["football"], "games": ["opera"]}')
    assert "'games' is there twice" in run(
        folder, "-m", model, "--seed-themes", seed_themes, status=1
    )
    srsly.write_json(seed_themes, {"games": "football"})
    assert "seed_themes.json: found {'games': 'football'}; expected {" in run(
        folder, "-m", model, "--seed-themes", seed_themes, status=1
    )
    seed_themes.write_text("{")
    assert "expected {" in run(folder, "-m", model, "--seed-themes", seed_themes, status=1)
    srsly.write_json(seed_themes, {"games": ["xyzzy"]})
    assert "'games' has no example" in run(
        folder, "-m", model, "--seed-themes", seed_themes, status=1
    )


def test_long_texts_with_one_theme_are_counted(model, tmp_path):
    texts = [sentence(title, n) for title in WORDS for n in range(8)] * 2
    long = " ".join(texts * 3)[:5_000]
    srsly.write_jsonl(tmp_path / "a.jsonl", [{"text": text} for text in [*texts, long]])
    assert "1 text of more than 100 sentences got one theme each" in run(tmp_path, "-m", model)


def test_lines_have_the_other_fields_of_their_rows(model, tmp_path):
    table, out = tmp_path / "a.csv", tmp_path / "t.jsonl"
    table.write_text(f"id,date,party,text\nno-1,1900,Whig,{sentence('Music', 0)}\n")
    run(table, "-m", model, "--id-column", "id", "-o", out)
    (record,) = srsly.read_jsonl(out)
    assert (record["title"], record["date"]) == ("no-1", "1900")
    assert record["metadata"] == {"id": "no-1", "date": "1900", "party": "Whig"}


@pytest.mark.parametrize("options", [[], ["--per-document"]])
def test_headings_and_broader_themes(folder, tmp_path, options):
    out = tmp_path / "t.jsonl"
    output = run(folder, "--broader", 1, "--k", 2, "-o", out, *options)
    records = list(srsly.read_jsonl(out))
    first = records[0]["themes"]
    headings = {theme["heading"] for record in records for theme in record["themes"]} - {None}
    assert headings and all(heading in output for heading in headings)
    run(folder, "--broader", 1, "--k", 2, "-o", out, "--no-headings", *options)
    assert next(srsly.read_jsonl(out))["themes"][0]["heading"] is None
    assert len({theme["parent"] for theme in first}) == 1
    assert first[0]["parent"]


def test_real_process_is_quiet_where_there_is_no_terminal(folder, model):
    command = [sys.executable, "-m", "spacy", "thematic", "cluster", folder, "-m", model]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "Keywords" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(
    "args, message",
    [
        (
            ["--k", "many"],
            "k to be \"auto\" or a whole number of at least 1, found 'many'",
        ),
        (["--k", "0"], "at least 1, found 0"),
        (["--per-document", "--save", "x"], "--per-document"),
        (["--themes", "nowhere"], "nowhere holds no themes.json"),
        (["--themes", "nowhere", "--k", "3"], "leave out"),
        (["--min-similarity", ".4"], "add --themes"),
        (["--html", "/"], "is a folder"),
        (["--html", "x.csv"], "x.csv: expected a name that ends in .html or .htm"),
        (["--out", "x.xlsx"], "x.xlsx: expected a name that ends in .jsonl or .csv or .parquet"),
        (["--segments"], "--segments needs --html or --out"),
    ],
)
def test_bad_options_are_named(folder, model, args, message):
    assert message in run(folder, "-m", model, *args, status=1)


def test_bad_texts_and_models_are_named(folder, model, tmp_path):
    assert "no file or folder" in run(tmp_path / "gone", "-m", model, status=1)
    (tmp_path / "empty").mkdir()
    assert "holds no file" in run(tmp_path / "empty", "-m", model, status=1)
    blank = tmp_path / "blank.txt"
    blank.write_text(" \n\n ")
    assert "no text to cluster" in run(blank, "-m", model, status=1)
    other = tmp_path / "russian.txt"
    other.write_bytes("Москва".encode("koi8-r"))
    assert "is no text: not UTF-8" in run(other, "-m", model, status=1)
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"text": "One."}\n{"body": "Two."}\n')
    assert "line 2" in run(broken, "-m", model, status=1)
    halves = tmp_path / "halves.jsonl"
    halves.write_text('{"text": "One."}\n{"text": "Half \\ud800 of a pair."}\n')
    found = run(halves, "-m", model, status=1)
    assert "halves.jsonl, line 2: half a surrogate pair at character 5" in found
    assert "would replace it" in run(blank, "-m", model, "--save", folder, status=1)
    spacy.blank("en").to_disk(tmp_path / "blank")
    assert "no thematic_embedder" in run(folder, "-m", tmp_path / "blank", status=1)


def test_bad_files_and_lines_are_skipped(folder, model, tmp_path):
    (folder / "aa.txt").write_bytes(b"\xff\xfe\0")
    with (folder / "z.jsonl").open("w") as file:
        file.write('{"text": "Half \\ud800."}\n{"text": 3}\n[\n{"text": "The opera."}\n')
    output = run(folder, "-m", model, "--skip-bad", "-o", tmp_path / "t.jsonl")
    records = list(srsly.read_jsonl(tmp_path / "t.jsonl"))
    assert [record["title"] for record in records] == ["a", "Town", "Both", "c 2", "Article", "z 4"]
    for bad in (
        "aa.txt is no text: not UTF-8",
        "line 1: half a surr",
        "line 2: expected",
        "line 3: not JSON",
    ):
        assert bad in output


def test_a_text_that_is_too_long_is_named():
    nlp = spacy.blank("en")
    nlp.max_length = 10
    with pytest.raises(ValueError, match='"novel" has 16 characters'):
        make_doc(nlp, NamedText("novel", ["More than a few."]))


def test_a_paragraph_starts_a_sentence_and_keeps_its_section():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    text = NamedText("", ["No full stop", "One. Two.", "Three"], ["", "History", "History"])
    doc = nlp(make_doc(nlp, text))
    assert [sent.text.strip() for sent in doc.sents] == ["No full stop", "One.", "Two.", "Three"]
    assert [span.label_ for span in doc.spans["sections"]] == ["", "History", "History"]
    assert [span.text for span in doc.spans["sections"]][1:] == ["One. Two.", "Three"]


def test_sections_of_markdown_are_themes(tmp_path):
    path, out = tmp_path / "notes.md", tmp_path / "themes.jsonl"
    path.write_text(
        "# Town\n\n## Harbour\n\nThe harbour wall is repaired. It will cost two million.\n\n"
        "## Schools\n\nThe school gets four classrooms. Parents had asked for them.\n"
    )
    run(path, "--out", out)
    sentences = srsly.read_json(out)["sentences"]
    assert [sentence["theme"] for sentence in sentences] == [1, 1, 2, 2]


def test_a_file_without_ending_and_format_is_plain_text(tmp_path):
    path = tmp_path / "notes"
    path.write_text("Some words.\n\nMore.")
    (text,) = read_texts([path], ReadLog())
    assert text.paragraphs == ["Some words.", "More."]


def test_a_file_that_is_named_twice_is_read_once(folder):
    once = list(read_texts([folder], ReadLog()))
    assert list(read_texts([folder / "a.txt", folder], ReadLog())) == once


def test_lines_without_break_are_one_paragraph(tmp_path):
    path = tmp_path / "wrapped.txt"
    path.write_bytes(b"\xef\xbb\xbfA line\r\nthat goes on.\r\n \r\n\r\nAnother.\r\n")
    (text,) = read_texts([path], ReadLog())
    assert text.paragraphs == ["A line\nthat goes on.", "Another."]


def test_control_characters_do_not_reach_the_terminal(model, tmp_path):
    path = tmp_path / "evil.jsonl"
    srsly.write_jsonl(path, [{"text": "The opera\x1b[31mguitar choir.", "title": "a\x1b]0;b"}])
    result = CliRunner().invoke(app, ["cluster", str(path), "-m", str(model), "--per-document"])
    assert result.exit_code == 0
    assert "\x1b]0" not in result.output
    assert "\x1b[31m" not in result.output


def test_lines_are_sentences_where_few_end_with_punctuation(model, tmp_path):
    path, out = tmp_path / "headlines.txt", tmp_path / "t.jsonl"
    lines = [sentence(title, 0)[:-1] for title in ("Music", "Sport", "Education", "Music")]
    path.write_text("\n".join(lines))
    for options, expected in (
        ([], lines),
        (["--lines", "yes"], lines),
        (["--lines", "no"], ["\n".join(lines)]),
    ):
        output = run(path, "-m", model, "-o", out, *options)
        assert ("Each line starts a sentence;" in output) == (not options), output
        (record,) = srsly.read_jsonl(out)
        assert [found["text"] for found in record["sentences"]] == expected


@pytest.mark.parametrize("options", [["--per-document"], [], "saved"])
def test_what_is_around_a_mail_is_kept_and_not_clustered(model, tmp_path, options):
    path, out = tmp_path / "mail.txt", tmp_path / "t.jsonl"
    said = [sentence("Music", 0), sentence("Sport", 0), sentence("Music", 3)]
    header = ["From: The opera", "To: The guitar"]
    path.write_text("\n".join([*header, "", *said, "", "> " + sentence("Sport", 3)]))
    if options == "saved":
        run(path, "-m", model, "--k", 2, "--save", tmp_path / "saved")
        options = ["--themes", tmp_path / "saved"]
    else:
        options = [*options, "--k", 2]
    run(path, "-m", model, "-o", out, *options)
    (record,) = srsly.read_jsonl(out)
    found = [(part["text"], part["theme"]) for part in record["sentences"]]
    assert found == list(zip([*header, *said, "> " + sentence("Sport", 3)], [0, 0, 1, 2, 1, 0]))
    assert [theme["sentences"] for theme in record["themes"]] == [2, 1]
    assert record["themes"][0]["representative"] in said


def test_why_so_many_themes_is_said(folder, model, tmp_path):
    page = tmp_path / "t.html"
    output = run(folder, "-m", model, "--explain", "--html", page)
    assert "Why 3 themes?" in output and "chosen" in output
    assert page.read_text().count("Why 3 themes?") == 1
    assert "as --max-k allows" not in output
    output = run(folder, "-m", model, "--max-k", 2)
    assert "as many themes as --max-k allows, 2" in output
    assert "Why" not in output
    # No text has enough sentences for scores.
    assert "was tried" not in run(folder, "-m", model, "--max-k", 2, "--per-document")
    titles = ("Music", "Sport", "Education") * 3
    (folder / "d.txt").write_text(" ".join(map(sentence, titles, range(9))))
    output = run(folder, "-m", model, "--max-k", 2, "--per-document")
    assert "themes of 1 text is the most that was tried, 2" in output
    output = run(folder, "-m", model, "--explain", "--per-document", "--html", page)
    whys = [re.findall(r"Why \d themes\?", text) for text in (page.read_text(), output)]
    assert whys[0] == whys[1] and len(whys[0]) == 1
    assert "not chosen by scores" in run(folder, "-m", model, "--explain", "--k", 3)


def test_saved_themes_say_why_there_are_so_many(folder, model, tmp_path):
    run(folder, "-m", model, "--save", tmp_path / "s")
    output = run(folder, "-m", model, "--explain", "--themes", tmp_path / "s")
    assert "Why 3 themes?" in output


def test_codes_in_names_of_files_do_not_reach_the_terminal(model, tmp_path):
    evil = tmp_path / "a\x1b]0;b\x07\udcff.txt"
    evil.write_bytes(b"\xff\xfe\0")
    (tmp_path / "good.txt").write_text(sentence("Music", 0))
    arguments = ["cluster", str(tmp_path), "-m", str(model)]
    for options, status in (([], 1), (["--skip-bad"], 0)):
        result = CliRunner().invoke(app, [*arguments, *options])
        assert result.exit_code == status
        assert "not UTF-8" in result.output
        assert "\x1b]0" not in result.output and "\x07" not in result.output


@pytest.mark.parametrize("suffix", [".txt", ".md", ".jsonl"])
def test_names_of_files_that_are_not_utf8_are_written_readably(tmp_path, suffix):
    texts = tmp_path / "texts"
    texts.mkdir()
    text = "The river floods the valley. The king fought two wars."
    content = f'{{"text": "{text}"}}' if suffix == ".jsonl" else text
    try:
        (texts / f"a\udcff{suffix}").write_text(content)
    except OSError:
        pytest.skip("this file system has no such names")
    (texts / f"b{suffix}").write_text(content)
    out = tmp_path / "out.jsonl"
    invoke("cluster", texts, "-m", "en_thematic_sm", "--out", out, "--html", tmp_path / "p.html")
    assert srsly.json_loads(out.read_text().splitlines()[0])["title"].startswith("a\ufffd")
    assert "a\ufffd" in (tmp_path / "p.html").read_text("utf8")
    if suffix != ".jsonl":
        invoke("chunk", texts, "--out", out)
        assert "a\\ufffd" in out.read_text()
    invoke("embed", texts, "--out", tmp_path / "store")


def test_fewer_themes_than_asked_for_are_told(tmp_path):
    for name, text in (("a", "A river floods. A king fought. A king fought."), ("b", "Bees fly.")):
        (tmp_path / f"{name}.txt").write_text(text)
    one = flat(invoke("cluster", tmp_path / "a.txt", "--k", 9))
    assert "Found 2 themes, not the 9 that were asked for: each needs a sentence of its own" in one
    each = flat(invoke("cluster", tmp_path, "--k", 2, "--per-document"))
    assert each.count("Found 1 theme, not the 2 that were") == 1
    texts = flat(invoke("cluster", tmp_path, "--k", 3, "--units", "texts"))
    assert "each needs a text of its own" in texts
    assert "not the" not in invoke("cluster", tmp_path, "--k", 3)


def test_dates_that_are_not_read_are_named(model, tmp_path):
    text = " ".join(f"The {word} is known." for word in WORDS["Music"])
    dates = ["11.12.2024", "\x1b[31m", 2024123, "2024-12-31", None, ""]
    path = tmp_path / "dated.jsonl"
    srsly.write_jsonl(path, [{"text": text, "date": date} for date in dates])
    output = " ".join(run(path, "-m", model, "--k", 2).split())
    assert "Ignored 3 dates that cannot be read" in output
    assert "expected dates such as 2024-05-31, 2024-05 or 2024, found '11.12.2024'" in output
    srsly.write_jsonl(path, [{"text": text, "date": date} for date in dates[3:]])
    assert "passed over" not in run(path, "-m", model, "--k", 2)


def test_update_adds_texts_to_saved_themes(model, tmp_path):
    def write(name, date, *titles):
        texts = [" ".join(f"The {word} is known." for word in WORDS[title]) for title in titles]
        records = [{"text": text, "date": date} for text in texts]
        srsly.write_jsonl(tmp_path / name, records)
        return tmp_path / name

    first = write("1.jsonl", "2024-05-01T10:00:00Z", "Music", "Sport")
    second = write("2.jsonl", "2024-06-01", "Music", "Religion")
    saved, html = tmp_path / "saved", tmp_path / "page.html"
    run(first, "-m", model, "--k", 2, "--save", saved)
    options = [second, "-m", model, "--themes", saved, "--update"]
    output = run(*options, "--html", html)
    assert "New themes: 3" in output
    assert "Updated" in output
    record = srsly.read_json(saved / "themes.json")
    assert [theme["size"] for theme in record["themes"]] in ([20, 10, 10], [10, 20, 10])
    assert [date for date, _ in record["timeline"]] == ["2024-05-01", "2024-06-01"]
    assert "Themes over time" in html.read_text()
    assert "New themes: none" in run(*options)
    assert "--update adds" in run(second, "-m", model, "--update", status=1)


def test_saved_themes_name_a_model_of_ones_own(folder, model, tmp_path):
    found = spacy_thematic.cluster([folder], model=model, k=3)
    found.themes.save(tmp_path / "saved")
    assert srsly.read_json(tmp_path / "saved" / "themes.json")["model"] == str(model)
    again = spacy_thematic.cluster([folder / "a.txt"], themes=tmp_path / "saved")
    assert again.nlp.meta["name"] == spacy.load(model).meta["name"]


def test_python_does_what_the_command_does(folder, model, tmp_path):
    """One text is clustered by itself, several together; a pipeline may be given for its name."""
    found = spacy_thematic.cluster([folder], model=model, k=3)
    run(folder, "--model", model, "--k", 3, "--out", tmp_path / "t.jsonl")
    records = list(srsly.read_jsonl(tmp_path / "t.jsonl"))
    assert [record["title"] for record in records] == found.names
    for record, doc in zip(records, found.docs, strict=True):
        spans = doc.spans["thematic_clusters"]
        assert [span["theme"] for span in record["sentences"]] == [span.id for span in spans]
    nlp = spacy.load(model)
    alone = spacy_thematic.cluster([folder / "a.txt"], model=nlp, k=2)
    assert alone.themes is None and alone.docs[0]._.thematic_clusters
    again = spacy_thematic.cluster([folder / "b.md"], model=nlp, themes=found.themes, update=True)
    assert again.themes is found.themes and again.changes.born == []
    for options, message in (
        ({"per_document": True, "themes": found.themes}, "leave out one"),
        ({"update": True}, "Expected the themes"),
        ({"min_similarity": 0.5}, "give themes"),
        ({"k": 0}, "at least 1"),
        ({"k": 3, "themes": found.themes}, "already exist and have names: leave out k"),
    ):
        with pytest.raises(ValueError, match=message):
            spacy_thematic.cluster([folder], model=nlp, **options)


def test_tables_by_ending_keep_all_columns(tmp_path):
    texts = [
        sentence
        for sentence in ("Rivers flood the valley.", "The king fought a war.")
        for _ in range(6)
    ]
    rows = [f'{n},{text},"x, y"' for n, text in enumerate(texts)]
    texts.append("")
    rows.append("12,,none")
    (tmp_path / "in.csv").write_text("\n".join(["id,text,theme", *rows]))
    for ending in (".csv", ".parquet"):
        run(tmp_path / "in.csv", "--k", 2, "--out", tmp_path / f"out{ending}")
    with (tmp_path / "out.csv").open() as file:
        found = list(csv.DictReader(file))
    assert [row["id"] for row in found] == [str(n) for n in range(13)]
    assert (found[-1]["theme"], found.pop()["thematic_theme"]) == ("none", "0")
    assert {row["theme"] for row in found} == {"x, y"}  # That of the input.
    assert len({(row["text"], row["thematic_theme"], row["theme_name"]) for row in found}) == 2
    assert not {"date", "file"} & {*found[0]}
    table = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert [row["text"] for row in table] == texts
    vectors = np.array([row["vector"] for row in table])
    assert vectors[0] @ vectors[1] == pytest.approx(1) and vectors[0] @ vectors[-2] < 0.5


def test_tables_can_be_read_back_and_clustered_again(tmp_path):
    lines = ["text,vector,theme,thematic_theme", "Rivers flood.,1,a,b", "Kings fight.,2,c,d"]
    (tmp_path / "in.csv").write_text("\n".join(lines))
    run(tmp_path / "in.csv", "--k", 2, "--out", tmp_path / "out.parquet")
    found = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert [(row["vector"], row["theme"], row["thematic_theme"]) for row in found] == [
        ("1", "a", "b"),
        ("2", "c", "d"),
    ]
    assert all(len(row["thematic_vector"]) > 9 for row in found)
    assert {row["thematic_thematic_theme"] for row in found} == {1, 2}


def test_a_table_has_the_columns_of_its_input_and_no_two_are_equal(tmp_path):
    texts = "Rivers flood.", "Kings fight."
    rows = "Title,Date,Text,Theme,title", *(f"a,May 2024,{text},b,c" for text in texts)
    (tmp_path / "a.csv").write_text("\n".join(rows))
    srsly.write_jsonl(tmp_path / "b.jsonl", [{"FILE": "e", "text": text} for text in texts])
    (tmp_path / "c.txt").write_text("Bees hum.")
    columns = ["Title", "Date", "Text", "Theme", "title.1"]
    found = ["thematic_theme", "theme_name", "theme_parent", "theme_share", "theme_confidence"]
    run(tmp_path / "a.csv", "--k", 2, "--out", tmp_path / "out.csv")
    with (tmp_path / "out.csv").open() as file:
        assert next(csv.reader(file)) == [*columns, *found]
    files = [tmp_path / name for name in ("a.csv", "b.jsonl", "c.txt")]
    run(*files, "--k", 2, "--out", tmp_path / "out.csv")
    with (tmp_path / "out.csv").open() as file:
        *_, row = read = list(csv.DictReader(file))
    assert [*row] == [*columns, "FILE", *found, "thematic_file"]
    assert [one["Text"] for one in read] == [*texts, *texts, "Bees hum."]
    assert row["Title"] == "c" and row["thematic_file"].endswith("c.txt")


def test_tables_and_records_of_several_files_say_which(tmp_path):
    files = [tmp_path / "2024-05-06.txt", tmp_path / "notes.txt"]
    for file in files:
        file.write_text("Rivers flood the valley. The king fought a war.")
    run(*files, "--k", 2, "--out", tmp_path / "out.csv", "--html", tmp_path / "page.html")
    run(*files, "--k", 2, "--out", tmp_path / "out.jsonl")
    with (tmp_path / "out.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["date"] for row in rows] == ["2024-05-06", ""]
    for found in (rows, srsly.read_jsonl(tmp_path / "out.jsonl")):
        assert [row["file"] for row in found] == [*map(str, files)]


def test_the_model_of_saved_themes_is_taken(tmp_path):
    text, themes = tmp_path / "a.txt", tmp_path / "themes"
    text.write_text("The river rises. The river floods. The king fought. The king lost.")
    invoke("cluster", text, "--model", "en_thematic_md", "--save", themes)
    assert "Theme" in invoke("cluster", text, "--themes", themes)
