"""The README is true: its Python runs, its commands and settings exist, its defaults hold."""

import re
from ast import literal_eval
from configparser import ConfigParser
from pathlib import Path

import pytest
import spacy
import typer

from spacy_thematic.cli.app import app

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
COMMANDS = typer.main.get_command(app).commands


def find_blocks(language: str) -> list[str]:
    """The fenced blocks of a language, each below as many empty lines as stand before it, so that
    an error names the README's line."""
    found = re.finditer(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return ["\n" * README[: match.start(1)].count("\n") + match[1] for match in found]


def test_python_blocks_run_one_after_the_other(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    for block in find_blocks("python"):
        exec(compile(block, "README.md", "exec"), names)
        assert capsys.readouterr().out.strip()
    assert all(theme.size for theme in names["themes"].themes)
    first, second, third, _ = names["doc"].sents
    assert first._.thematic_similarity(second) > first._.thematic_similarity(third)


def test_commands_and_their_options_exist():
    used = re.findall(r"-m spacy thematic ([a-z-]+)([^`\n]*)", README)
    assert {name for name, _ in used} == set(COMMANDS)
    for name, arguments in used:
        known = {flag for option in COMMANDS[name].params for flag in option.opts}
        overrides = "ignore_unknown_options" in COMMANDS[name].context_settings
        for flag in re.findall(r"(?<=\s)--?[a-z][\w.-]*", arguments):
            assert flag in known or (overrides and "." in flag), (name, flag)


def test_configs_and_files_exist():
    for path in re.findall(r"\b(?:configs|benchmarks|scripts|spacy_thematic)/[\w/.]*\w", README):
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize(
    "factory", ["thematic_embedder", "thematic_clusterer", "thematic_segmenter"]
)
def test_settings_and_their_defaults_are_those_of_the_component(factory):
    section = README.split(f"### `{factory}`")[1].split("\n#")[0]
    listed = dict(re.findall(r"^\| `(\w+)` \| `?(.*?)`? \|", section, re.MULTILINE))
    defaults = spacy.blank("en").get_factory_meta(factory).default_config
    assert set(listed) == set(defaults)
    for name, value in defaults.items():
        if isinstance(value, dict) and value:
            assert listed[name] in value.values()
        else:
            assert literal_eval(listed[name]) == value


def test_the_python_it_asks_for_is_the_python_declared():
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg")
    (version,) = re.findall(r"Python (3\.\d+) or newer", README)
    assert setup["options"]["python_requires"] == f">={version}"
