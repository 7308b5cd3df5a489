import pytest
import srsly

from spacy_thematic.scale.store import SentenceStore
from tests.cli.conftest import run, run_process


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.jsonl"
    srsly.write_jsonl(path, [{"text": "The river floods. The king fought."}, {"text": "A king."}])
    return path


def test_embeds_quietly_where_there_is_no_terminal(texts, tmp_path):
    output = run_process("embed", texts, "--out", tmp_path / "store")
    assert "store: 3 sentences from 2 texts" in output
    assert SentenceStore.open(tmp_path / "store").count_rows() == [3]


def test_says_what_could_not_be_read(texts, tmp_path):
    with texts.open("a") as file:
        file.write("[\n")
    options = ["embed", texts, "--out", tmp_path / "store", "--processes", 1]
    assert "texts.jsonl, line 3: not JSON" in run(*options, status=1)
    output = run(*options, "--skip-bad")
    assert "line 3: not JSON" in output
    assert "1 could not be read" in output


def test_bad_options_are_named(texts, tmp_path):
    out = ["--out", tmp_path / "store", "--processes", 1]
    assert "no file or folder" in run("embed", tmp_path / "gone", *out, status=1)
    assert 'Cannot find the model "gone"' in run("embed", texts, *out, "-m", "gone", status=1)
    run("embed", texts, *out)
    assert "(size of partitions)" in run("embed", texts, *out, "--partition-size", 1, status=1)


def test_a_partition_that_is_damaged_is_named_when_it_resumes(texts, tmp_path):
    command = ["embed", texts, "--out", tmp_path / "store", "--processes", 1]
    run(*command)
    part = SentenceStore.open(tmp_path / "store").part(0)
    part.write_bytes(part.read_bytes()[:-100])
    assert f"{part.name} is not a readable Parquet file" in run(*command, status=1)
    part.unlink()
    assert "3 sentences from 2 texts" in run(*command)
