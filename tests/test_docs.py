"""README and the pages of `docs/` are true: their Python runs, and most of their commands. The
commands, settings and files that they, and the projects, name exist, and defaults hold."""

import csv
import re
import shlex
import shutil
from ast import literal_eval
from configparser import ConfigParser
from importlib.util import find_spec
from pathlib import Path

import pytest
import spacy
import srsly
import typer

from scripts.command_reference import PAGE, PYTHON_PAGE, make_python_reference, make_reference
from spacy_thematic.cli.app import app
from tests.cli.conftest import flat, invoke

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
DOCS = sorted((ROOT / "docs").rglob("*.md"))
PAGES = [README, *DOCS]
RESULTS = sorted(
    path for folder in ("benchmarks", "projects") for path in (ROOT / folder).rglob("*.md")
)
PROJECTS = [ROOT / "project.yml", *sorted(ROOT.glob("projects/*/project.yml"))]
READMES = sorted(ROOT.glob("projects/*/README.md"))
COMPONENTS = ROOT / "docs/reference/components.md"
COMMANDS = {
    name: command
    for name, command in typer.main.get_command(app).commands.items()
    if not command.hidden
}


def each(pages):
    return pytest.mark.parametrize("page", pages, ids=lambda page: str(page.relative_to(ROOT)))


by_page = each(PAGES)


def find_blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language, each below as many empty lines as stand before it, so that
    an error names the page's line."""
    found = re.finditer(rf"```{language}\n(.*?)```", text, re.DOTALL)
    return ["\n" * text[: match.start(1)].count("\n") + match[1] for match in found]


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """What a reader has beside a page: the documentation itself, and texts of his own."""
    for folder in ("docs", "examples"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    shutil.copy(README, tmp_path)
    shutil.copytree(ROOT / "examples/minutes", tmp_path / "notes")
    texts = [{"text": path.read_text()} for path in sorted((tmp_path / "notes").iterdir())]
    for name in ("may", "articles"):
        srsly.write_jsonl(tmp_path / f"{name}.jsonl", texts)
    later = [{"text": path.read_text()} for path in (tmp_path / "examples/later").iterdir()]
    srsly.write_jsonl(tmp_path / "june.jsonl", later)
    with (tmp_path / "tickets.csv").open("w", newline="", encoding="utf8") as file:
        csv.writer(file).writerows([["text"], *(record.values() for record in texts)])
    monkeypatch.chdir(tmp_path)
    return tmp_path


@by_page
def test_python_runs_and_prints_what_the_page_says(page, clone, capsys):
    names: dict = {}
    text = page.read_text()
    for block in find_blocks(text, "python"):
        if ".groupby(" in block and not find_spec("pandas"):
            continue
        exec(compile(block, str(page), "exec"), names)
        out = capsys.readouterr().out
        assert out.strip()
        if shown := find_shown(text, block):
            assert out == shown


def find_shown(text: str, block: str) -> str:
    """What a page says that a block prints, "" if it says nothing."""
    after = text.partition(block.strip())[2]
    shown = re.match(r"\n```\n+(?:This )?prints[^\n]*\n+```text\n(.*?)```", after, re.DOTALL)
    return shown[1] if shown else ""


@each([README, *(ROOT / f"docs/{name}.md" for name in ("tutorial", "collections", "segments"))])
def test_commands_run_and_print_what_the_page_says(page, clone):
    """The workflow and the tests, in the README, have tests of their own; `adapt`, the last part of
    the tutorial, is for more texts than these."""
    text = page.read_text().partition("\n## Is the model right")[0]
    for block in find_blocks(text, "(?:bash|sh)"):
        out = ""
        for line in block.strip().splitlines():
            arguments = shlex.split(line)
            if arguments[:4] == ["python", "-m", "spacy", "thematic"]:
                out = invoke(*arguments[4:])
        if shown := find_shown(text, block):
            assert flat(shown) in flat(re.sub(r"\x1b\[[\d;]*m", "", out))
    if "chunks.jsonl" in text:
        assert (clone / "chunks.jsonl").read_text().count("\n") >= 12
    if "--html themes.html" in text:
        assert "<html" in (clone / "themes.html").read_text()


def test_sentences_of_one_theme_are_nearer(clone):
    names: dict = {}
    exec(find_blocks(README.read_text(), "python")[0], names)
    assert names["first"]._.thematic_similarity(names["second"]) > names[
        "first"
    ]._.thematic_similarity(names["third"])


def test_the_reference_of_commands_is_what_their_help_says():
    """If not, `python -m scripts.command_reference` writes it."""
    assert make_reference() == PAGE.read_text()


def test_the_reference_of_python_is_what_docstrings_say():
    assert make_python_reference() == PYTHON_PAGE.read_text()


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_an_example_with_options_that_it_has(name):
    example = COMMANDS[name].epilog
    assert f"{example} ".startswith(f"Example: python -m spacy thematic {name} ")
    known = {flag for option in COMMANDS[name].params for flag in option.opts}
    assert set(re.findall(r"--[a-z-]+", example)) <= known


@pytest.mark.parametrize(
    "factory", ["thematic_embedder", "thematic_clusterer", "thematic_segmenter", "thematic_layout"]
)
def test_settings_and_their_defaults_are_those_of_the_component(factory):
    section = COMPONENTS.read_text().split(f"## `{factory}`")[1].split("\n#")[0]
    listed = dict(re.findall(r"^\| `(\w+)` \| `?(.*?)`? \|", section, re.MULTILINE))
    nlp = spacy.blank("en")
    nlp.add_pipe(factory)
    defaults = nlp.get_factory_meta(factory).default_config
    assert set(listed) == set(defaults)
    rows = re.findall(r"^\| `(\w+)` (.*)", section, re.MULTILINE)
    for setting, row in rows:
        for name, value in re.findall(r"`(\w+)`, (\d+(?:\.\d+)?)", row):
            assert nlp.get_pipe_config(factory)[setting][name] == float(value)
    for name, value in defaults.items():
        if isinstance(value, dict) and value:
            assert listed[name] in value.values()
        else:
            assert literal_eval(listed[name]) == value


def test_the_python_it_asks_for_is_the_python_declared():
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg")
    (version,) = re.findall(r"Python (3\.\d+) or newer", README.read_text())
    assert setup["options"]["python_requires"] == f">={version}"


@each([*PAGES, *READMES, *PROJECTS])
def test_commands_and_their_options_exist(page):
    for name, arguments in re.findall(r"-m spacy thematic ([a-z-]+)([^`\n]*)", page.read_text()):
        known = {
            flag
            for option in COMMANDS[name].params
            for flag in (*option.opts, *option.secondary_opts)
        }
        overrides = "ignore_unknown_options" in COMMANDS[name].context_settings
        for flag in re.findall(r"(?<=\s)--?[a-z][\w.-]*", arguments):
            assert flag in known or (overrides and "." in flag), (name, flag)


@each([*PAGES, *RESULTS])
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / link).exists(), link


def test_the_summary_of_results_lists_every_table():
    summary = ROOT / "benchmarks/RESULTS.md"
    linked = re.findall(r"\]\(([\w./]*results/\w+\.md)\)", summary.read_text())
    found = {(summary.parent / link).resolve() for link in linked}
    assert found == {path for path in RESULTS if path.parent.name == "results"}


@each([*PAGES, *READMES])
def test_files_exist(page):
    folders = "configs|benchmarks|projects|scripts|spacy_thematic"
    for path in re.findall(rf"(?<![\w/.])(?:{folders})/[\w/.]*\w", page.read_text()):
        assert (ROOT / path).exists() or (page.parent / path).exists(), path


def test_the_site_lists_every_page():
    site = srsly.read_yaml(ROOT / "mkdocs.yml")

    def pages(entry):
        if isinstance(entry, str):
            return [entry]
        entries = entry if isinstance(entry, list) else entry.values()
        return [page for one in entries for page in pages(one)]

    assert sorted(pages(site["nav"])) == [str(page.relative_to(ROOT / "docs")) for page in DOCS]
