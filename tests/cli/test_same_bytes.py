"""Equal commands write equal bytes, also in processes whose sets are in another order."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import srsly

from tests.conftest import make_article

CONFIG = Path(__file__).parents[2] / "configs" / "fast.cfg"
SOURCE = "articles.jsonl"
COMMANDS = (
    f"corpus {SOURCE} corpus --shares 60/20/20",
    f"train {CONFIG} -o training --paths.train corpus/train --paths.dev corpus/dev "
    "--training.max_steps 4 --training.eval_frequency 2 --training.batcher.size 500",
    "export training/model-best mine",
    f"adapt {SOURCE} -o adapted --from en_thematic_sm --no-bundled",
    "cluster text.txt notes.txt -o themes.jsonl --html themes.html --save themes --segments",
    "cluster text.txt --per-document -m training/model-best -o own.jsonl --html own.html",
    "chunk text.txt notes.txt -o chunks.jsonl --max-tokens 40 --suggest-headings",
)
CODE = """
import sys
import spacy_thematic
from spacy_thematic.cli import app
for command in sys.argv[1:]:
    app(command.split(), standalone_mode=False)
nlp = spacy_thematic.load("en_thematic_sm")
nlp.add_pipe("thematic_segmenter", config={"levels": 2})
nlp.to_disk("pipeline")
with open("pipeline.bytes", "wb") as file:
    file.write(nlp.to_bytes())
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """All that equal commands write in two folders: the name and content of each file."""
    folders = tmp_path_factory.mktemp("runs")

    def run(seed: str) -> dict[str, bytes]:
        folder = folders / seed
        folder.mkdir()
        articles = [make_article(number) for number in range(30)]
        srsly.write_jsonl(folder / SOURCE, [article.to_dict() for article in articles])
        for name, article in zip(("text.txt", "notes.txt"), articles):
            sections = (" ".join(section.paragraphs) for section in article.sections)
            (folder / name).write_text("\n\n".join(sections))
        command = [sys.executable, "-c", CODE, *COMMANDS]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        files = sorted(file for file in folder.rglob("*") if file.is_file())
        return {str(file.relative_to(folder)): file.read_bytes() for file in files}

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(run, ("1", "2")))


def test_they_write_the_same_files(runs):
    first, second = runs
    assert list(first) == list(second)
    written = {Path(name).parts[0] for name in first}
    assert written == {
        SOURCE, "text.txt", "notes.txt", "corpus", "training", "mine.safetensors", "adapted",
        "themes.jsonl", "themes.html", "themes", "own.jsonl", "own.html", "chunks.jsonl",
        "pipeline", "pipeline.bytes",
    }  # fmt: skip


def test_their_content_is_the_same(runs):
    first, second = runs
    assert [name for name, content in first.items() if content != second[name]] == []
