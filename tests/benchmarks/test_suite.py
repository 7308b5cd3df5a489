"""`python -m benchmarks`: what it lists, what it skips, and one benchmark that it runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import srsly

from benchmarks.__main__ import BENCHMARKS, ROOT, make_arguments, missing_files
from benchmarks.__main__ import run as run_benchmark

SCRIPTS = {path.stem: path.read_text() for path in (ROOT / "benchmarks").glob("[!_]*.py")}


def run(*arguments) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "benchmarks", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_every_script_is_in_the_suite():
    scripts = {name for name, text in SCRIPTS.items() if "__main__" in text}
    modules = {one.module.rpartition(".")[2] for one in BENCHMARKS.values()} - {"spacy"}
    assert modules == scripts


@pytest.mark.parametrize("name", BENCHMARKS)
def test_options_are_those_of_the_script(name):
    module, *words, _ = BENCHMARKS[name]
    if module == "spacy":
        return
    script = SCRIPTS[module.rpartition(".")[2]]
    for shared in re.findall(r"benchmarks\.(\w+) import", script):
        script += SCRIPTS.get(shared, "")
    for flag in re.findall(r"--[a-z-]+", " ".join(words)):
        assert f'"{flag}"' in script, flag


def test_a_part_in_brackets_is_left_out_without_its_file(tmp_path):
    quality = BENCHMARKS["quality"]
    (tmp_path / "minilm").mkdir()
    arguments = make_arguments(quality, "quick", tmp_path, Path("made"))
    assert "--glove" not in arguments
    assert arguments[arguments.index("--minilm") + 1] == f"{tmp_path}/minilm"
    assert missing_files(quality.arguments, tmp_path) == ["wikipedia/test.jsonl.gz"]


def test_it_lists_runs_and_skips(tmp_path, articles):
    listed = run()
    assert [line.split()[0] for line in listed.stdout.splitlines()] == list(BENCHMARKS)
    data, work = tmp_path / "data", tmp_path / "work"
    (data / "wikipedia").mkdir(parents=True)
    srsly.write_gzip_jsonl(
        data / "wikipedia/train.jsonl.gz", [article.to_dict() for article in articles]
    )
    found = run("--quick", "--data", data, "--work", work, "--only", "corpus", "readers")
    assert found.returncode == 0, found.stderr
    corpus, readers = found.stdout.splitlines()
    assert re.fullmatch(r"corpus +\d+ s", corpus)
    assert readers.endswith(f"skipped: no enwik8 in {data}")
    assert (work / "corpus/train").is_dir()


def test_a_benchmark_that_fails_is_named(tmp_path):
    (tmp_path / "vectors").mkdir()
    (tmp_path / "vectors/glove6b-100d-120k.npz").write_text("no archive")
    found = run("--quick", "--data", tmp_path, "--work", tmp_path / "w", "--only", "vectors")
    assert found.returncode == 1
    assert "failed with status 1: vectors.md and .log" in found.stdout
    assert "glove6b-100d-120k.npz" in (tmp_path / "w/vectors.md").read_text()


def test_a_benchmark_without_its_package_is_skipped(tmp_path, monkeypatch):
    packages = ("spacy", "nowhere", "none")
    other = BENCHMARKS["collections"]._replace(arguments="", packages=packages)
    monkeypatch.setitem(BENCHMARKS, "other", other)
    found = run_benchmark("other", "quick", tmp_path, tmp_path)
    assert found == "skipped: pip install nowhere none"


def test_a_size_needs_folders():
    assert "need --data and --work" in run("--quick").stderr
