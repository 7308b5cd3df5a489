"""`python -m benchmarks`: what it lists, a benchmark that it runs, and one that fails."""

import re
import subprocess
import sys
from pathlib import Path

import srsly

from benchmarks.__main__ import ROOT, find_benchmarks

SCRIPTS = {path.stem: path.read_text() for path in (ROOT / "benchmarks").glob("[!_]*.py")}


def run(*arguments) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "benchmarks", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_each_script_is_listed_with_a_sentence():
    listed = dict(line.split(maxsplit=1) for line in run().stdout.splitlines())
    assert {"encoders", "themes", "segments", "chunks", "speed"} <= set(listed)
    assert listed == find_benchmarks()
    for name, sentence in listed.items():
        assert sentence.endswith("."), name
        assert f"python -m benchmarks.{name}" in SCRIPTS[name]


def test_options_of_its_own_help_exist():
    for name in find_benchmarks():
        flags = set(re.findall(r"(?<=[\s\[])--[a-z-]+", SCRIPTS[name].split('"""')[1]))
        known = set(re.findall(r'"(--[a-z-]+)"', SCRIPTS[name] + SCRIPTS["harness"]))
        assert flags <= known, name


def test_it_runs_a_benchmark(tmp_path, articles):
    data, out = tmp_path / "data", tmp_path / "out"
    path = data / "wikipedia/test.jsonl.gz"
    path.parent.mkdir(parents=True)
    srsly.write_gzip_jsonl(path, [article.to_dict() for article in articles])
    found = run("--quick", "--data", data, "--out", out, "--only", "segments")
    assert found.returncode == 0, (out / "segments.log").read_text()
    assert re.fullmatch(r"segments +\d+ s\n", found.stdout)
    assert "Skipped segments/wiki50" in (out / "segments.log").read_text()
    printed = (out / "segments.md").read_text()
    assert "| ours, en_thematic_sm, number told | " in printed
    assert "`python -m benchmarks.segments --data DATA --quick`, commit " in printed


def test_a_benchmark_without_data_fails_and_is_named(tmp_path):
    found = run("--quick", "--data", tmp_path, "--out", tmp_path, "--only", "chunks")
    assert found.returncode == 1
    assert "failed with status 1: chunks.log" in found.stdout
    assert "None of these" in Path(tmp_path / "chunks.log").read_text()


def test_a_run_needs_both_folders():
    assert "needs --data and --out" in run("--data", "x").stderr
