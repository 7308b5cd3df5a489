"""What a user is told of mistakes: never a traceback, but what was found, what was expected, and
what to do. Mistakes that other tests make are not made again here."""

from pathlib import Path

import numpy as np
import pytest
import spacy

import spacy_thematic
from spacy_thematic.cli.shell import clear_errors
from spacy_thematic.pipeline.loading import load_pipeline
from tests.cli.conftest import run

CONFIGS = Path(__file__).parents[2] / "configs"
DEEP = b"[" * 200_000


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """What no command can read."""
    folder = tmp_path_factory.mktemp("files")
    contents = {
        "text.txt": b"The river floods. The king fought.",
        "empty.txt": b"",
        "bytes.txt": bytes(range(256)),
        "short.md": b"# River\n\nIt floods.\n",
        "deep.json": DEEP,
        "deep.jsonl": DEEP + b"\n",
        "list.json": b"[]",
        "unnamed.json": b'{"": ["river"]}',
        "junk.safetensors": b"\xff" * 100,
        "huge.safetensors": (2**62).to_bytes(8, "little") + b"{}",
        "deep.safetensors": len(DEEP).to_bytes(8, "little") + DEEP,
        "open.cfg": b"[nlp\nx=1",
        "empty.cfg": b"",
        "bytes.cfg": bytes(range(256)),
        "pipeline/config.cfg": b"junk",
        "pipeline/meta.json": b"junk",
        "corpus/train/0000.spacy": b"junk",
        "corpus/statistics.json": DEEP,
        "vectors.txt": b"river a b c\n",
        "vectors.npz": b"junk",
        "sick.zip": b"PK",
        "dump.xml.bz2": b"BZh9junk",
        "texts.parquet": b"PAR1junk",
        "themes/themes.json": DEEP,
    }
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    (folder / "folder").mkdir()
    nlp = spacy.blank("en")
    nlp.to_disk(folder / "own")
    config = nlp.config
    config["nlp"]["pipeline"] = ["own"]
    own = {"factory": "thematic_embedder", "model": {"@architectures": "own.Encoder.v1"}}
    config["components"] = {"own": own}
    config.to_disk(folder / "own/config.cfg")
    np.savez(folder / "strings.npz", words=np.array(["a"]), vectors=np.array([["x"]]))
    return folder


@pytest.fixture(autouse=True)
def in_folder(files, monkeypatch):
    monkeypatch.chdir(files)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("cluster deep.jsonl", "deep.jsonl, line 1: nested too deeply"),
        ("cluster texts.parquet", "texts.parquet is not a readable Parquet file"),
        ("cluster http://a.b/c", "is a URL, and URLs are not read. Download it"),
        ("cluster dump.xml.bz2", "Nothing can be read from dump.xml.bz2"),
        ("cluster text.txt -m nope", 'Cannot find the model "nope": it is not a bundled model'),
        ("cluster text.txt -m junk.safetensors", "is not a safetensors file, or is truncated"),
        ("cluster text.txt -m huge.safetensors", "is not a safetensors file, or is truncated"),
        ("cluster text.txt -m deep.safetensors", "is not a safetensors file, or is truncated"),
        ("cluster text.txt -m pipeline", "The pipeline pipeline cannot be loaded"),
        ("export own new", '"python -m spacy package MODEL OUT --code FILE" makes'),
        ("cluster text.txt -m folder", "Expected a saved pipeline, with its config.cfg"),
        ("cluster text.txt --seed-themes nope.json", "nope.json: No such file or directory"),
        ("cluster text.txt --seed-themes deep.json", "deep.json: Reached object decoding depth"),
        ("cluster text.txt --seed-themes list.json", 'list.json: found'),
        ("cluster text.txt --seed-themes unnamed.json", "Expected seed_themes to be {"),
        ("cluster text.txt --seed-themes bytes.txt", "bytes.txt: 'utf-8' codec can't decode"),
        ("cluster text.txt --k 1.5", "Expected k to be \"auto\" or a whole number of at least 1"),
        ("cluster text.txt --k 2 --max-k 1", '--max-k is an upper limit for --k "auto"'),
        ("cluster text.txt --themes themes", "The themes in themes are damaged"),
        ("cluster text.txt --themes text.txt", "text.txt holds no themes.json"),
        ("cluster text.txt --out text.txt/x", "text.txt is a file: text.txt/x cannot be in it"),
        ("cluster text.txt --out /dev/full", "/dev/full: No space left on device"),
        ("cluster text.txt --html /dev/full", "/dev/full: No space left on device"),
        ("cluster " + "a" * 300, ": File name too long"),
        ("chunk empty.txt -o chunks", "empty.txt: there is no text to cut"),
        ("chunk bytes.txt -o chunks", "bytes.txt is no text: not UTF-8"),
        ("chunk text.txt -o folder", "folder is a folder: give the name of a file"),
        ("chunk text.txt -o chunks --min-tokens -3", "Expected min_tokens to be from 0 to"),
        ("chunk text.txt -o /dev/full", "/dev/full: No space left on device"),
        ("corpus bytes.txt new", "which has no sections"),
        ("corpus package:nope/x new", 'names a file of the package "nope", which is not inst'),
        ("corpus package:../x new", 'names a file of the package "..", which is not inst'),
        ("corpus deep.jsonl new --lang zz", 'spaCy has no language with the code "zz": give a'),
        ("corpus deep.jsonl new --leave-out bytes.txt", "bytes.txt: not UTF-8 (invalid start"),
        ("train open.cfg -o new", "Make sure the sections and values are formatted correctly"),
        ("train bytes.cfg -o new", "bytes.cfg is not UTF-8 text"),
        ("train empty.cfg -o new", "The config has no [training] block"),
        ("train folder -o new", "There is no config at folder"),
        ("train {configs}/fast.cfg -o new foo", "Invalid config override 'foo'"),
        ("train {configs}/fast.cfg -o new --training.max_steps x", "max_steps"),
        ("train {configs}/fast.cfg -o new --paths.vectors nope", "could not be found at 'nope'"),
        ("adapt text.txt -o new", "which has no sections"),
        ("adapt folder -o new", "folder is empty: expected articles"),
        ("adapt short.md -o new --from pipeline", "config.cfg is damaged, or not the config of a"),
        ("adapt deep.jsonl -o text.txt", "text.txt is a file, and a pipeline would replace it"),
        ("evaluate en_thematic_sm corpus", "The corpus corpus has no test articles"),
        ("evaluate en_thematic_sm short.md", "holds no article to measure on (articles drop"),
        ("evaluate en_thematic_sm text.txt --vectors en_thematic_sm", "has no word vectors"),
        ("benchmark --articles a", "There is no benchmark any more"),
        ("export pipeline new", "The pipeline pipeline cannot be loaded"),
        ("train {configs}/fast.cfg -o new --paths.vectors vectors.txt",
         "Line 1 of vectors.txt is not a word and 3 numbers"),
        ("train {configs}/fast.cfg -o new --paths.vectors vectors.npz",
         "Expected vectors.npz to hold the arrays `words`"),
        ("train {configs}/fast.cfg -o new --paths.vectors strings.npz",
         "Expected strings.npz to hold the arrays `words`"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_clear_message(command, message):
    if "/dev/full" in command and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    output = run(*command.format(configs=CONFIGS).split(), status=1)
    assert message in output
    assert "Traceback" not in output
    assert not Path("new").exists()


@pytest.mark.parametrize("content", [b"", b"[]"])
def test_every_damaged_file_of_a_pipeline_is_an_error(tmp_path, content):
    nlp = spacy_thematic.load("en_thematic_sm")
    nlp.add_pipe("thematic_segmenter", before="thematic_clusterer")
    nlp.to_disk(tmp_path)
    files = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    refused = []
    for file in files:
        whole = file.read_bytes()
        file.write_bytes(content)
        try:
            load_pipeline(tmp_path)
        except (ValueError, OSError) as error:
            assert len(str(error)) > 40
            refused.append(file.name)
        file.write_bytes(whole)
    # An empty list is what some of these hold, and others are not read.
    assert {"config.cfg", "meta.json", "settings.json", "model"} <= set(refused)
    load_pipeline(tmp_path)


def test_too_little_memory_is_said(capsys):
    with pytest.raises(SystemExit, match="1"), clear_errors():
        np.empty(2**58)
    assert "There is not enough memory: Unable to allocate 2.00 EiB" in capsys.readouterr().out
