import os
from pathlib import Path

import pytest
import spacy

from spacy_thematic.files import (
    check_is_replaceable,
    open_whole,
    remove_unfinished,
    resume_folder,
    write_bytes,
    write_folder,
    write_json,
)


def test_a_file_that_cannot_be_written_leaves_the_former(tmp_path):
    path = tmp_path / "scores.json"
    write_json(path, {"a": 1})

    def fill_the_disk():
        with open_whole(path) as file:
            file.write(b"half")
            raise OSError("No space left on device")

    with pytest.raises(OSError, match="No space left"):
        fill_the_disk()
    assert path.read_text() == '{\n  "a":1\n}\n'
    assert [path.name for path in tmp_path.iterdir()] == ["scores.json"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_names_the_file(tmp_path):
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write_bytes(Path("/dev/full"), b"data")

    def fill(folder):
        (folder / "meta.json").write_text("{}")
        with Path("/dev/full").open("wb") as file:
            file.write(b"data")

    with pytest.raises(OSError, match="No space left on device: .*pipeline'"):
        write_folder(tmp_path / "pipeline", fill)


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_bytes(pipe, b"data")
    assert os.read(reader, 10) == b"data"
    os.close(reader)
    assert pipe.is_fifo()


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there is no /dev/fd")
def test_a_pipe_of_the_shell_is_written_to():
    """As in `--html >(less)`."""
    out, into = os.pipe()
    write_bytes(Path(f"/dev/fd/{into}"), b"data")
    os.close(into)
    assert os.read(out, 10) == b"data"
    os.close(out)


def make(marker: str):
    def to_disk(path):
        (path / "meta.json").write_text(marker)

    return to_disk


def test_a_pipeline_replaces_a_pipeline_and_nothing_else(tmp_path):
    path = tmp_path / "model"
    write_folder(path, make("old"))
    write_folder(path, make("new"))
    assert (path / "meta.json").read_text() == "new"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(FileExistsError, match="a folder with other things in it"):
        write_folder(tmp_path / "mine", make("x"))
    with pytest.raises(FileExistsError, match="is a file"):
        write_folder(tmp_path / "mine" / "thesis.txt", make("x"))
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "years of work"


def test_a_pipeline_that_fails_half_way_leaves_the_former(tmp_path):
    path = tmp_path / "model"
    write_folder(path, make("old"))

    def full(folder):
        (folder / "meta.json").write_text("half")
        raise OSError("No space left on device")

    with pytest.raises(OSError, match="No space left"):
        write_folder(path, full)
    assert (path / "meta.json").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_a_folder_that_holds_more_than_its_own_is_not_replaced(tmp_path):
    own = ("mark.json", "part-*")
    for name in ("mark.json", "part-0"):
        (tmp_path / name).touch()
    check_is_replaceable(tmp_path, "mark.json", "a result", own)
    (tmp_path / ".hidden").touch()
    with pytest.raises(FileExistsError, match=r"holds \.hidden beside a result"):
        check_is_replaceable(tmp_path, "mark.json", "a result", own)
    (tmp_path / ".hidden").unlink()
    for name in ("notes.txt", "more"):
        (tmp_path / name).touch()
    with pytest.raises(FileExistsError, match="holds more and 1 more beside a result"):
        check_is_replaceable(tmp_path, "mark.json", "a result", own)
    check_is_replaceable(tmp_path, "mark.json", "a result")


def test_a_folder_within_a_result_may_not_be_hidden(tmp_path):
    (tmp_path / "mark.json").touch()
    (tmp_path / ".git").mkdir()
    with pytest.raises(FileExistsError, match=r"holds \.git beside a result"):
        check_is_replaceable(tmp_path, "mark.json", "a result", ("mark.json",))


def test_a_pipeline_is_replaced_that_holds_nothing_else(tmp_path):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer", name="my sentences")
    nlp.add_pipe("thematic_embedder")
    path = tmp_path / "model"
    for _ in range(2):
        write_folder(path, nlp.to_disk)
    (path / "notes.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="holds notes.txt beside a pipeline"):
        write_folder(path, nlp.to_disk)
    assert (path / "notes.txt").read_text() == "mine"


def test_another_folder_with_meta_json_is_not_replaced(tmp_path):
    (tmp_path / "meta.json").write_text("{}")
    (tmp_path / "src").mkdir()
    with pytest.raises(FileExistsError, match="holds src beside a pipeline"):
        check_is_replaceable(tmp_path, "meta.json", "a pipeline")


def list_names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_of_two_writers_one_wins(tmp_path):
    path = tmp_path / "out"
    with open_whole(path) as first, open_whole(path) as second:
        first.write(b"one, which is longer")
        second.write(b"two")
    assert path.read_bytes() == b"one, which is longer"
    assert list_names(tmp_path) == ["out"]


def test_a_former_folder_that_a_kill_left_is_removed(tmp_path):
    (tmp_path / ".model.former").mkdir()
    (tmp_path / ".model.former" / "meta.json").write_text("older")
    write_folder(tmp_path / "model", make("new"))
    assert (tmp_path / "model" / "meta.json").read_text() == "new"
    assert list_names(tmp_path) == ["model"]


def test_unfinished_work_keeps_no_unfinished_files(tmp_path):
    work = tmp_path / "work"
    resume_folder(work, {"seed": 1})
    (work / "done").touch()
    (work / ".part.0123abcd.tmp").mkdir()
    (work / ".part.0123abcd.tmp" / "half").touch()
    resume_folder(work, {"seed": 1})
    assert list_names(work) == ["done", "made_from.json"]


def test_a_folder_of_nothing_but_what_a_kill_left_is_free(tmp_path):
    (tmp_path / ".mark.json.0123abcd.tmp").touch()
    check_is_replaceable(tmp_path, "mark.json", "a result")


def test_what_a_killed_worker_has_begun_is_removed(tmp_path):
    begun, other = tmp_path / ".part.parquet.0123abcd.tmp", tmp_path / ".part.parquet.tmp"
    begun.write_bytes(b"PAR1")
    other.write_text("the user's")
    remove_unfinished(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [other.name]
