"""Dumps of wikis in other languages than English, from the file to the sentences."""

import os
from pathlib import Path

import pytest

from spacy_thematic.articles.formats import find_language, read_articles
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.triplets.article_docs import make_sentence_splitter
from spacy_thematic.triplets.rules import CorpusSettings, apply_rules
from spacy_thematic.triplets.sentences import all_sentences

WIKIS = Path(__file__).parent / "wikis"

SENTENCES = {
    "de": {
        "Verlauf": [
            "Der Bach entspringt am 3. Hügel, fließt z. B. an der alten Mühle vorbei und wird ca. "
            "5 km weit begleitet.",
            "Danach mündet er in den See.",
            "Im unteren Tal ist der Bach breit und flach.",
            "Von links kommt nur ein kurzer Graben hinzu.",
        ],
        "Mühlen": [
            "Drei Mühlen nutzten das Wasser.",
            "Die letzte schloss 1960, vgl. Kategorie:Mühle.",
        ],
        "Tiere": ["Im klaren Wasser leben Forellen und viele Krebse."],
    },
    "ru": {
        "Течение": [
            "Река начинается у с. Горки, т. е. на холме, и течёт ок. 5 км до озера.",
            "Потом русло поворачивает.",
            "Весной вода поднимается очень высоко.",
        ],
        "Мельницы": [
            "В XIX в. на реке стояли три мельницы, последняя закрыта в 1960 г.",
            "Запись звука: шум старого колеса.",
        ],
        "Животные": ["В чистой воде живут форель и многие раки."],
    },
    "fr": {
        "Cours": [
            "Le ruisseau naît près de l'étang, p. ex. après la pluie, et coule env. 5 km vers le "
            "lac.",
            "Puis il tourne.",
            "Au printemps, l'eau monte très haut.",
        ],
        "Moulins": ["Trois moulins utilisaient l'eau.", "Le dernier a fermé en 1960."],
        "Faune": ["Des truites et des écrevisses vivent dans l'eau claire."],
    },
}


@pytest.mark.parametrize("lang, expected", SENTENCES.items())
def test_from_a_dump_to_sentences(lang, expected):
    log = ReadLog()
    (article,) = read_articles(WIKIS / f"{lang}.xml", log=log)
    assert log.skipped == {"redirect": 1, "other namespace": 1}
    assert len(article.sections[0].paragraphs) == 1
    settings = CorpusSettings(lang=lang)
    kept = apply_rules(article, settings)
    sentences = all_sentences(kept, make_sentence_splitter(settings))
    found: dict[str, list[str]] = {}
    for sentence in sentences:
        found.setdefault(kept.sections[sentence.section].title, []).append(sentence.text)
    assert found == expected


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_dump_says_its_language_in_any_encoding(tmp_path, encoding):
    path = tmp_path / "dump.xml"
    path.write_text((WIKIS / "ru.xml").read_text("utf8"), encoding)
    assert find_language(path) == "ru"
    assert [article.title for article in read_articles(path)] == ["Ивушка"]


def test_what_is_no_dump_says_no_language(tmp_path):
    path = tmp_path / "notes.md"
    path.write_text("# Notizen\n\nDer Bach ist breit.\n")
    assert find_language(path) == find_language(tmp_path) == ""


def test_a_pipe_that_was_read_for_its_language_is_read_from_its_beginning():
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write((WIKIS / "ru.xml").read_bytes())
    path = Path(f"/dev/fd/{reading}")
    assert find_language(path) == "ru"
    assert [article.title for article in read_articles(path)] == ["Ивушка"]
    os.close(reading)
