"""The pages of `docs/` are true: their Python runs, the tutorial's commands too, and their links
lead somewhere."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
import srsly
import typer

from spacy_thematic.cli.app import app
from tests.cli.conftest import invoke

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs").rglob("*.md"))
COMMANDS = typer.main.get_command(app).commands
by_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def find_blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language, each below as many empty lines as stand before it, so that
    an error names the page's line."""
    found = re.finditer(rf"```{language}\n(.*?)```", text, re.DOTALL)
    return ["\n" * text[: match.start(1)].count("\n") + match[1] for match in found]


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """What a reader has beside a page: the documentation itself."""
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "README.md", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@by_page
def test_python_runs(page, clone, capsys):
    names: dict = {}
    for block in find_blocks(page.read_text(), "python"):
        exec(compile(block, str(page), "exec"), names)
        assert capsys.readouterr().out.strip()


def test_the_commands_of_the_tutorial_run(clone):
    text, own_folder, _ = (ROOT / "docs/tutorial.md").read_text().partition("\n## Is the model right")
    assert own_folder
    for block in find_blocks(text, "bash"):
        for line in block.strip().splitlines():
            arguments = shlex.split(line)
            assert arguments[:4] == ["python", "-m", "spacy", "thematic"]
            invoke(*arguments[4:])
    assert "<html" in (clone / "themes.html").read_text()
    assert (clone / "chunks.jsonl").read_text().count("\n") > 20


@by_page
def test_commands_and_their_options_exist(page):
    for name, arguments in re.findall(r"-m spacy thematic ([a-z-]+)([^`\n]*)", page.read_text()):
        known = {flag for option in COMMANDS[name].params for flag in option.opts}
        overrides = "ignore_unknown_options" in COMMANDS[name].context_settings
        for flag in re.findall(r"(?<=\s)--?[a-z][\w.-]*", arguments):
            assert flag in known or (overrides and "." in flag), (name, flag)


@by_page
def test_links_and_files_exist(page):
    text = page.read_text()
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / link).exists(), link
    for path in re.findall(r"\b(?:configs|benchmarks|scripts|spacy_thematic)/[\w/.]*\w", text):
        assert (ROOT / path).exists(), path


def test_the_site_lists_every_page():
    site = srsly.read_yaml(ROOT / "mkdocs.yml")

    def pages(entry):
        if isinstance(entry, str):
            return [entry]
        entries = entry if isinstance(entry, list) else entry.values()
        return [page for one in entries for page in pages(one)]

    assert sorted(pages(site["nav"])) == [str(page.relative_to(ROOT / "docs")) for page in PAGES]
