import json
import re
import unicodedata
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

import spacy_thematic
from spacy_thematic import cluster, cluster_docs, search
from spacy_thematic.articles.sources import SourceError
from spacy_thematic.cli import app
from spacy_thematic.clustering import ThemeSettings
from spacy_thematic.engines import make_engine
from spacy_thematic.scale.clustering import cluster_store
from spacy_thematic.scale.embedding import embed_files
from spacy_thematic.scale.store import SentenceStore


def run_in_process(*args):
    result = CliRunner().invoke(app, [*map(str, args)])
    assert result.exit_code == 0, result.output
    return result


TEXTS = {
    "rivers.txt": "The river rises in the mountains. It floods the valley each spring. Trees grow.",
    "kings.txt": "The king fought two wars. His army lost the first battle. He died in exile.",
    "again.md": "The king fought two wars.",
    "mail.txt": "Dear Ann,\n\nthe ships are late.\n\nBest regards,\nLeo\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("texts")
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf8")
    return folder


@pytest.fixture(scope="module")
def store(folder, tmp_path_factory):
    out = tmp_path_factory.mktemp("store") / "store"
    embed_files([folder], out, make_engine("local"), "en_thematic_sm")
    return out


def test_arguments_of_another_kind_say_what_is_expected(folder):
    path = folder / "kings.txt"
    with pytest.raises(TypeError, match="the name or path of a model, .* found <spacy"):
        search(path, "war", model=spacy_thematic.load("en_thematic_sm"))
    with pytest.raises(TypeError, match=r"path of a store, .* found \['a', 2\]"):
        search(["a", 2], "war")
    with pytest.raises(ValueError, match="units to be None or one of .* found 'foo'"):
        search(path, "war", units="foo")


def test_the_nearest_sentences_come_first_and_equal_ones_once(store):
    first, second, *others = search(store, "a war between two monarchs")
    assert first.text.strip() == "The king fought two wars."
    assert second.text.strip() == "His army lost the first battle."
    assert len({hit.text for hit in (first, second, *others)}) == 2 + len(others)
    scores = [hit.score for hit in (first, second, *others)]
    assert scores == sorted(scores, reverse=True) and 0 < scores[-1] <= scores[0] <= 1
    assert second.context == TEXTS["kings.txt"]
    assert TEXTS["kings.txt"][second.start : second.end].strip() == second.text.strip()


def test_lines_are_those_of_the_file(tmp_path):
    page = "# A\n\nShips cross [the\nseas](http://x.y).\n\nThe *king* &amp; queen\nfought a war.\n"
    (tmp_path / "a.md").write_text(page)
    (tmp_path / "b.csv").write_text("text\nA war with a king.\n")
    wars = [*search(tmp_path / "a.md", "a war", 1), *search(tmp_path / "b.csv", "a war", 1)]
    assert [hit.line for hit in wars] == [6, None]
    both = search([tmp_path / "a.md", tmp_path / "b.csv"], "a war")
    assert {Path(hit.id.rpartition(":")[0]).name for hit in both} == {"a.md", "b.csv"}
    (ships,) = search(tmp_path, "ships", 1, files="a.md")
    assert ships.line == 3
    run = CliRunner().invoke(app, ["search", str(tmp_path / "a.md"), "a war", "--top", "1"])
    assert "a.md:6\n" in run.stdout
    same = "Ships of the north cross the seas in"
    (tmp_path / "c.txt").write_text(f"{same} spring.\n\n{same} a war.\n\n{same} {{}} autumn.")
    hits = search(tmp_path / "c.txt", "a war in spring or autumn", 3)
    assert sorted(hit.line for hit in hits) == [1, 3, 5]
    (tmp_path / "u.txt").write_text(
        unicodedata.normalize("NFD", "Schön.\n\nFür Häfen ist es kühl.")
    )
    assert [hit.line for hit in search(tmp_path / "u.txt", "für Häfen", 1)] == [3]
    (tmp_path / "d.md").write_text("# Ports\n\n1. [Old](http://x.y) _ports_\n2. New <http://x.y>\n")
    for units, line in (("segments", 3), ("chunks", 1)):
        assert [hit.line for hit in search(tmp_path / "d.md", "ports", units=units)] == [line]
    rst = "The ports:\n\nPorts\n=====\n\nOld `ports <http://x.y>`_ are here.\n"
    (tmp_path / "e.rst").write_text(rst)
    assert [hit.line for hit in search(tmp_path / "e.rst", "ports", units="chunks")] == [3]
    embed_files([tmp_path / "a.md"], tmp_path / "store", make_engine("local"))
    (tmp_path / "a.md").write_text("It was written anew.")
    assert [hit.line for hit in search(tmp_path / "store", "a war", 1)] == [None]


def test_a_pattern_says_in_which_files_to_look(store, folder):
    for pattern in ("rivers.txt", "riv*", f"{folder.name}/riv*.txt"):
        hits = search(store, "a war between two monarchs", files=pattern)
        assert hits and all("rivers.txt" in hit.id for hit in hits)
    assert len(search(store, "a war", 1)) == 1


def test_a_theme_says_where_to_look(store, tmp_path):
    themes = cluster_store(
        SentenceStore.open(store), tmp_path / "themes", ThemeSettings(k=2), make_engine("local")
    )
    look = partial(search, store, "a war after the floods", 20, themes=tmp_path / "themes")
    of_all = look()
    opened = SentenceStore.open(store)
    assert sum(opened.count("kept")) < sum(opened.count_rows())
    assert {hit.theme for hit in of_all} <= {theme.name for theme in themes.themes} | {None}
    for theme in themes.themes:
        of_theme = [hit for hit in of_all if hit.theme == theme.name]
        assert look(theme=theme.name) == look(theme=theme.number) == of_theme
    assert len({hit.theme for hit in of_all}) > 1
    with pytest.raises(ValueError, match="has no theme 'pirates': it has"):
        look(theme="pirates")


def test_themes_of_a_store_before_an_update_are_told(tmp_path, recwarn):
    (tmp_path / "texts").mkdir()
    text, themes = tmp_path / "texts/kings.txt", tmp_path / "themes"
    text.write_text(TEXTS["kings.txt"])

    def embed():
        paths, engine = [tmp_path / "texts"], make_engine("local")
        return embed_files(paths, tmp_path / "store", engine, "en_thematic_sm")

    cluster_store(embed(), themes, ThemeSettings(k=2), make_engine("local"))
    assert search(tmp_path / "store", "a war", themes=themes) and not recwarn.list
    text.write_text(TEXTS["kings.txt"].replace("king", "duke"))
    embed()
    with pytest.warns(match="of this one before its texts changed: .* Run cluster-store again"):
        hits = search(tmp_path / "store", "a war", themes=themes)
    assert hits[0].theme and not any("king " in hit.text for hit in hits)


def test_what_the_first_search_keeps_changes_nothing(folder, tmp_path):
    embed_files([folder], tmp_path / "store", make_engine("local"), "en_thematic_sm")
    first = search(tmp_path / "store", "a war")
    (index,) = (tmp_path / "store").glob("_search.npy")
    assert search(tmp_path / "store", "a war") == first
    index.write_bytes(index.read_bytes()[:100])
    assert search(tmp_path / "store", "a war") == first


def test_a_sentence_that_repeats_leaves_room_for_others(tmp_path):
    (tmp_path / "a.txt").write_text("The king fought two wars. " * 40 + TEXTS["kings.txt"])
    hits = search(tmp_path, "a war between two monarchs", 3, model="en_thematic_sm")
    assert [hit.text.strip() for hit in hits][:2] == [
        "The king fought two wars.",
        "His army lost the first battle.",
    ]


def test_texts_are_embedded_first(folder, store):
    found = search(folder, "floods in spring", model="en_thematic_sm")
    assert found == search(store, "floods in spring")


@pytest.mark.parametrize(
    "query, kwargs, message",
    [
        ("a war", {"top": 0}, "whole number from 1, found 0"),
        ("a war", {"top": "5"}, "whole number from 1, found '5'"),
        (" ", {}, "a query with words, found ' '"),
        (None, {}, "a query with words, found None"),
        ("a war", {"model": "en_thematic_md"}, "not the model that made .* en_thematic_sm"),
        ("a war", {"theme": "wars"}, "A theme is one of saved themes"),
        ("a war", {"units": "chunks"}, "has vectors of sentences, not of chunks"),
        ("a war", {"files": "*.pdf"}, r"matches the pattern '\*.pdf'"),
    ],
)
def test_bad_questions_are_errors(store, query, kwargs, message):
    with pytest.raises(ValueError, match=message):
        search(store, query, **kwargs)


def test_the_command_prints_passages_or_json(store):
    run = CliRunner().invoke(app, ["search", str(store), "a war between monarchs", "--top", "1"])
    assert run.exit_code == 0 and "The king fought two wars." in run.stdout
    run = CliRunner().invoke(app, ["search", str(store), "a war", "--top", "2", "--json"])
    assert [json.loads(line)["title"] for line in run.stdout.splitlines()]


def test_the_command_says_what_it_left_out(tmp_path):
    (tmp_path / "a.md").write_text("The king fought two wars.\n\n```\nfor a in b: print(a)\n```\n")
    (tmp_path / "b.csv").write_text("text\nA war.\n")
    command = ["search", str(tmp_path), "a war", "--model", "en_thematic_sm", "--json"]
    run = CliRunner().invoke(app, command)
    assert "1 code block" in run.stderr and ".csv (1) are not read" in run.stderr
    assert [json.loads(line)["text"] for line in run.stdout.splitlines()]


def test_a_column_is_searched(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\nThe king fought.,Ships sail.\nA war.,Boats sail.\n")
    search_in = partial(search, tmp_path / "a.csv", "a war", model="en_thematic_sm")
    assert search_in(1, text_column="a")[0].text == "A war."
    with pytest.raises(ValueError, match="has no column c"):
        search_in(text_column="c")


@pytest.mark.parametrize("units", ["sentences", "chunks"])
def test_hits_have_the_title_the_date_and_the_other_fields_of_their_row(tmp_path, units):
    (tmp_path / "a.csv").write_text("id,on,party,text\nno-1,1900,Whig,The king fought a war.\n")
    named = ["--id-column", "id", "--date-column", "on", "--units", units]
    command = ["search", tmp_path / "a.csv", "a war", "--model", "en_thematic_sm", *named]
    assert "a.csv (text 1: no-1, 1900)" in run_in_process(*command).stdout
    hit = json.loads(run_in_process(*command, "--json").stdout)
    assert (hit["title"], hit["date"]) == ("no-1", "1900")
    assert hit["metadata"] == {"id": "no-1", "on": "1900", "party": "Whig"}


def test_what_cannot_be_searched_is_told(store, tmp_path):
    (tmp_path / "a.txt").write_text(" \n")
    with pytest.raises(ValueError, match="there is no text to search"):
        search(tmp_path, "a war")


GUIDE = """# Guide

## Rivers

The river rises in the mountains. It floods the valley each spring.

## Kings

The king fought two wars. His army lost the first battle.
"""


def test_who_speaks_next_is_no_context(tmp_path):
    said = ["The river floods.", "The king fought two wars.", "His army lost.", "Boats sink."]
    turns = [f"{name}\n{one}\n" for name, one in zip(["Ann", "Leo"] * 4, said * 2)]
    (tmp_path / "a.txt").write_text("\n".join(turns))
    (hit,) = search(tmp_path, "wars of kings", 1, model="en_thematic_sm")
    assert " ".join(hit.context.split()) == "Leo The king fought two wars."


@pytest.mark.parametrize("units", ["segments", "chunks"])
def test_segments_and_chunks_are_found_too(units, tmp_path):
    texts, text = tmp_path / "texts", GUIDE
    if units == "chunks":
        text = re.sub("The .*", lambda found: " ".join([found[0]] * 9), GUIDE)
    texts.mkdir()
    (texts / "a.md").write_text(text)
    (texts / "b.jsonl").write_text('{"text": "Ships sail."}\n{"text": "A king."}\n')
    look = partial(search, model="en_thematic_sm", units=units)
    first, *others = look(texts, "a war between two monarchs", files="a.md")
    assert others and first.text.strip().endswith("His army lost the first battle.")
    assert first.context == " ".join(first.text.split())
    if units == "chunks":
        assert text[first.start : first.end] == first.text
        assert (first.title, first.line) == ("Guide > Kings", 7)
    assert {hit.id for hit in look(texts, "kings and ships")} >= {f"{texts / 'b.jsonl'}:2"}
    args = "embed", texts, "--units", units, "--out", tmp_path / "store"
    assert f"{units}" in run_in_process(*args).stdout
    again = search(tmp_path / "store", "a war between two monarchs", files="a.md", units=units)
    assert [replace(hit, score=round(hit.score, 5)) for hit in again] == [
        replace(hit, score=round(hit.score, 5)) for hit in (first, *others)
    ]


def test_other_files_of_a_folder_are_not_read(tmp_path):
    (tmp_path / "broken.txt").write_bytes(b"a\xfa")
    (tmp_path / "kings.txt").write_text(TEXTS["kings.txt"])
    look = partial(search, tmp_path, "a war", model="en_thematic_sm")
    with pytest.raises(SourceError, match="broken.txt"):
        look()
    assert {hit.title for hit in look(files="kings*")} == {"kings"}
    with pytest.raises(ValueError, match=r"No file of .* matches the pattern 'queens\*'"):
        look(files="queens*")


def test_saved_themes_say_where_to_look_in_files(folder, tmp_path):
    found = cluster([folder], per_document=False, k=2)
    found.themes.save(tmp_path / "themes")
    for units in ("sentences", "segments"):
        look = partial(search, folder, "a war after floods", 20, units=units)
        hits = look(themes=tmp_path / "themes")
        names = [theme.name for theme in found.themes.themes]
        assert {hit.theme for hit in hits} <= {*names, None}
        for name in names:
            of_theme = [hit for hit in hits if hit.theme == name]
            assert of_theme and look(themes=tmp_path / "themes", theme=name) == of_theme


def test_themes_of_another_model_are_refused(store, tmp_path):
    nlp = spacy_thematic.load("en_thematic_md")
    themes = cluster_docs([nlp(TEXTS["kings.txt"])], k=2)
    themes.save(tmp_path)
    with pytest.raises(ValueError, match="en_thematic_md found the themes in"):
        search(store, "a war", themes=tmp_path)


def test_answers_far_from_the_question_are_weak(store):
    near, far = search(store, "a war between two monarchs"), search(store, "a printer without ink")
    assert near[0].score > 0.45 and not near[0].is_weak
    assert far and all(hit.is_weak and hit.score < 0.45 for hit in far)
    run = CliRunner().invoke(app, ["search", str(store), "a printer without ink"])
    assert "(weak)\n" in run.stdout and "Nothing is much like the question" in run.output
    run = CliRunner().invoke(app, ["search", str(store), "a war between two monarchs"])
    assert "Nothing is much like" not in run.output
    (with_the_word,) = [hit for hit in search(store, "late") if "late" in hit.text]
    assert with_the_word.score < 0.45 and not with_the_word.is_weak
