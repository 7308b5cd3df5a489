"""Another language than English in the shell, from the articles to the keywords."""

import random

import pytest
import spacy
import srsly

import spacy_thematic
from spacy_thematic.articles.article import Article, Section
from spacy_thematic.training import adapting
from tests.cli.conftest import run
from tests.conftest import make_article as make_english

GERMAN = (
    "Seit dem letzten Update kann ich mich nicht mehr anmelden. Nach der Eingabe des Passworts "
    "wird nur eine leere Seite angezeigt. Ich habe den Browser schon gewechselt."
)

THEMES = {
    "Landschaft": "Fluss Berg Tal Küste See Insel Grenze Klima Ebene Regen",
    "Wirtschaft": "Markt Handel Bank Steuer Lohn Industrie Währung Ernte Zoll Ware",
    "Musik": "Oper Gitarre Chor Melodie Konzert Trommel Geige Album Sänger Takt",
}


def make_article(number: int) -> Article:
    rng = random.Random(number)
    sections = [Section("", 1, ["Hier steht, was alles in diesem Artikel vorkommt."])]
    for title in rng.sample(sorted(THEMES), 3):
        words = THEMES[title].split()
        paragraphs = [
            f"Das sind {', '.join(rng.sample(words, 3))} und auch {rng.choice(words)} der Gegend."
            for _ in range(4)
        ]
        sections.append(Section(title, 2, paragraphs))
    sections.append(Section("Einzelnachweise", 2, ["Alle diese Angaben kommen aus dem Archiv."]))
    return Article(f"Land {number}", "erfunden", sections)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("german")
    srsly.write_jsonl(out / "wiki.jsonl", [make_article(n).to_dict() for n in range(24)])
    (out / "dump.xml").write_text(
        '<mediawiki version="0.11" xml:lang="de"><siteinfo><namespaces>'
        '<namespace key="6">Datei</namespace></namespaces></siteinfo>'
        + "".join(map(as_page, map(make_article, range(24))))
        + "</mediawiki>"
    )
    run("corpus", out / "dump.xml", out / "corpus", "--min-sections", 3, "--shares", "60/40/0")
    return out


def as_page(article: Article) -> str:
    text = "\n\n".join(
        "\n\n".join([f"== {section.title} ==" if section.title else "", *section.paragraphs])
        for section in article.sections
    )
    return f"<page><title>{article.title}</title><ns>0</ns><text>{text}</text></page>"


def test_a_model_of_another_language_than_the_dump_is_warned_of(folder):
    said = 'dump.xml says that its language is "de", and the model is for "en"'
    assert said in run("cluster", folder / "dump.xml")
    assert "its language" not in run("cluster", folder / "wiki.jsonl")


def test_a_model_of_another_language_than_the_corpus_is_warned_of(folder, tmp_path):
    arguments = ["evaluate", "en_thematic_sm", folder / "corpus" / "dev", "--min-sections", 2]
    printed = run(*arguments, "--no-bundled", "-o", tmp_path / "a.json")
    assert 'dev is in "de", and en_thematic_sm is for "en": its scores say little' in printed


def train(folder, out, *overrides, status=0):
    return run(
        "train", "configs/fast.cfg", "-o", out, "--paths.train", folder / "corpus" / "train",
        "--paths.dev", folder / "corpus" / "dev", "--training.max_steps", 4,
        "--training.eval_frequency", 2, *overrides, status=status,
    )  # fmt: skip


def test_the_language_of_a_dump_is_that_of_its_corpus_and_leads_to_keywords(folder, tmp_path):
    statistics = srsly.read_json(folder / "corpus" / "statistics.json")
    assert statistics["settings"]["lang"] == "de"
    # No section with sources: three sections of four openers each.
    assert statistics["train"]["sentences"] == 12 * statistics["train"]["articles"]
    assert "for the language" not in train(folder, tmp_path / "out", "--nlp.lang", "de")
    nlp = spacy.load(tmp_path / "out" / "model-best")
    assert nlp.lang == "de"
    doc = nlp(" ".join(p for section in make_article(1).sections for p in section.paragraphs))
    keywords = {word.lower() for theme in doc._.thematic_clusters for word in theme.keywords}
    assert keywords & {word.lower() for words in THEMES.values() for word in words.split()}
    assert not keywords & {"das", "sind", "und", "auch", "der", "hier", "in"}


def test_a_corpus_of_another_language_is_not_trained_on(folder, tmp_path):
    printed = train(folder, tmp_path / "out", status=1)
    assert 'is a corpus in the language "de"' in printed
    assert "--nlp.lang de" in printed and "--lang en" in printed
    assert not (tmp_path / "out" / "model-best").exists()
    train(folder, tmp_path / "mixed", "--nlp.lang", "xx")


def test_plain_spacy_train_is_told_too(folder):
    from spacy_thematic.triplets.corpus import create_triplet_corpus

    read = create_triplet_corpus(folder / "corpus" / "train")
    with pytest.raises(ValueError, match="--nlp.lang de"):
        next(iter(read(spacy.blank("en"))))
    assert next(iter(read(spacy.blank("de")))).reference.spans["sentences"].attrs["lang"] == "de"


def test_an_option_is_stronger_than_the_dump(folder, tmp_path):
    printed = run(
        "corpus", folder / "dump.xml", tmp_path / "out", "--lang", "nl", "--min-sections", 3
    )
    assert 'says that its language is "de"; --lang nl is used' in printed
    assert srsly.read_json(tmp_path / "out" / "statistics.json")["settings"]["lang"] == "nl"
    unknown = run("corpus", folder / "dump.xml", tmp_path / "no", "--lang", "qq", status=1)
    assert 'no language with the code "qq"' in unknown and "another --lang" in unknown


def test_an_english_model_is_adapted_to_another_language_with_one_warning(
    folder, tmp_path, monkeypatch
):
    monkeypatch.setattr(adapting, "STEPS", 30)
    out = tmp_path / "adapted"
    command = ("adapt", folder / "wiki.jsonl", "-o", out, "--from", "en_thematic_sm")
    printed = run(*command, "--lang", "de")
    assert printed.count('is for the language "en"') == 1
    assert "24 of 24 documents have sections to compare" in printed
    # The bundled models for the language of the start are beside it.
    assert all(f"en_thematic_{size}" in printed for size in ("sm", "md", "lg"))
    assert spacy.load(out).lang == "de"
    assert "do not read like English" not in printed
    unnamed = run(*command)
    assert "is for the language" not in unnamed
    assert "The documents do not read like English: name their language with --lang" in unnamed
    monkeypatch.setattr(adapting, "STANDARD_ERRORS", 1e9)
    unchanged = run(*command, "--lang", "de")
    assert "not clearly better than en_thematic_sm, so nothing changed" in unchanged
    assert unchanged.count('is for the language "en"') == 1
    assert 'the code "qq"' in run(*command, "--lang", "qq", status=1)


def test_corpus_warns_of_articles_that_do_not_read_like_english(folder, tmp_path):
    english, said = tmp_path / "english.jsonl", "do not read like English: name their language"
    srsly.write_jsonl(english, [make_english(number).to_dict() for number in range(30)])
    command = ("corpus", folder / "wiki.jsonl", tmp_path / "corpus", "--min-sections", 2)
    assert said in run(*command)
    assert said not in run(*command, "--lang", "de")
    assert said not in run("corpus", english, tmp_path / "corpus", "--min-sections", 2)


def test_evaluate_warns_of_articles_that_do_not_read_like_english(folder, tmp_path):
    german, english = folder / "wiki.jsonl", tmp_path / "english.jsonl"
    srsly.write_jsonl(english, [make_english(number).to_dict() for number in range(3)])
    command = ("evaluate", "en_thematic_sm", "--no-bundled", "-o", tmp_path / "m.json")
    said = "does not read like English, which en_thematic_sm is for: its scores say little"
    assert said in run(*command, german, "--min-sections", 3)
    assert "read like" not in run(*command, english)


def test_a_model_of_ones_own_is_not_adapted_to_another_language(folder, tmp_path):
    own = tmp_path / "own"
    spacy_thematic.load("en_thematic_sm").to_disk(own)
    command = (
        "adapt",
        folder / "wiki.jsonl",
        "-o",
        tmp_path / "out",
        "--from",
        own,
        "--lang",
        "de",
    )
    printed = run(*command, status=1)
    assert 'own is for the language "en", and the documents are in "de": start from' in printed
    assert not (tmp_path / "out").exists()


def test_a_saved_pipeline_of_another_language_warns_in_the_shell(tmp_path):
    nlp = spacy.blank("de")
    nlp.add_pipe("sentencizer")
    with pytest.warns(UserWarning):
        nlp.add_pipe("thematic_embedder")
    nlp.to_disk(tmp_path / "blank")
    for number in range(3):
        text = "\n\n".join(
            p for section in make_article(number).sections for p in section.paragraphs
        )
        (tmp_path / f"{number}.txt").write_text(text)
    printed = run("cluster", *tmp_path.glob("*.txt"), "--model", tmp_path / "blank")
    assert printed.count('is for the language "en"') == 1


def test_texts_that_do_not_read_like_english_are_warned_of():
    nlp = spacy_thematic.load("en_thematic_sm")
    docs = [nlp(f"{GERMAN} {' '.join(make_article(n).sections[1].paragraphs)}") for n in range(6)]
    with pytest.warns(UserWarning, match="do not read like English"):
        spacy_thematic.cluster_docs(docs, nlp=nlp)


def test_a_ticket_in_another_language_is_warned_of_once_a_command(tmp_path):
    (tmp_path / "a.txt").write_text(GERMAN)
    (tmp_path / "b.txt").write_text(f"Bitte helfen Sie mir schnell. {GERMAN}")
    commands = [
        ("cluster",),
        ("chunk", "--out", tmp_path / "chunks.jsonl"),
        ("search", "Anmeldung", "--model", "en_thematic_sm"),
    ]
    for name, *options in commands:
        printed = run(name, tmp_path, *options)
        assert printed.count("do not read like English") == 1, name


@pytest.mark.parametrize(
    "n_english, n_german, warns", [(30, 2, False), (12, 2, True), (300, 10, True)]
)
def test_some_texts_in_another_language_are_warned_of(n_english, n_german, warns, recwarn):
    nlp = spacy_thematic.load("en_thematic_sm")
    texts = ["The minister of trade said that prices would rise in the spring."] * n_english
    spacy_thematic.cluster_docs([*map(nlp, [*texts, *[GERMAN] * n_german])], nlp=nlp)
    said = f"{n_german} of the first {n_english + n_german} paragraphs do not read like English"
    assert any(said in str(one.message) for one in recwarn) == warns


def test_a_text_half_of_which_is_in_another_language_is_warned_of():
    english = "The minister of trade said that it was the rise of prices that he had in mind."
    for half in (GERMAN[:78], "首先，什么是故事？你会觉得奇怪，但我先告诉你，它们为何有影响力。"):
        with pytest.warns(UserWarning, match="3 of the first 6 paragraphs do not read like Engl"):
            spacy_thematic.chunk("\n\n".join([english, half] * 3))


@pytest.mark.parametrize("text", [GERMAN[:90], "今天天气很好。 我们 去 公园 散步。 你 来 吗？"])
def test_chunks_in_another_language_are_warned_of(text):
    with pytest.warns(UserWarning, match="do not read like English"):
        spacy_thematic.chunk(text)


@pytest.mark.parametrize(
    "text",
    [
        "Storm closes ports. Minister of trade resigns. Prices rise in May. Crash on A4. " * 10,
        "Maria da Silva, João dos Santos, Ludwig van Beethoven, Juan de la Cruz, Leonardo da Vinci",
        "ok, bin gleich da! see you at the station, don't be late. was für ein day",
        "Der Fluss.",
    ],
)
def test_headlines_names_mixtures_and_few_words_are_not_warned_of(text, recwarn):
    nlp = spacy_thematic.load("en_thematic_sm")
    spacy_thematic.cluster_docs([nlp(text)], nlp=nlp)
    spacy_thematic.chunk(text, model=nlp)
    assert not [one for one in recwarn if "read like English" in str(one.message)]
