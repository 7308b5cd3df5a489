"""Commands whose reader goes, and that write to standard output."""

import os
import signal
import subprocess
import sys

import pytest
import srsly

TEXT = "The river floods the valley. The king fought a war. " * 20
COMMAND = [sys.executable, "-m", "spacy", "thematic"]


@pytest.fixture
def text(tmp_path):
    (tmp_path / "text.txt").write_text(TEXT)
    return tmp_path / "text.txt"


def heed_interrupts():
    """Where the tests run in the background, the shell has turned interrupts off for them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(command, **options):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
    return subprocess.Popen(list(map(str, command)), preexec_fn=heed_interrupts, **options)


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_loses_no_file(text, unbuffered):
    outputs = [text.with_name(name) for name in ("out.jsonl", "page.html", "saved")]
    out, page, saved = outputs
    arguments = ["cluster", text, "-o", out, "--html", page, "--save", saved, "--explain"]
    reading, writing = os.pipe()
    os.close(reading)
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    process = start([*COMMAND, *arguments], stdout=writing, env=environment)
    os.close(writing)
    assert process.communicate()[1] == ""
    assert all(path.exists() for path in outputs)


def test_messages_do_not_stand_among_what_is_written_to_standard_output(text):
    process = start([*COMMAND, "chunk", text, "-o", "/dev/stdout"])
    written, said = process.communicate()
    assert [srsly.json_loads(line)["source"] for line in written.splitlines()] == [str(text)]
    assert "Saved /dev/stdout: 1 chunk" in said
    process = start([*COMMAND, "chunk", text, "-o", "-"])
    assert "names no file" in process.communicate()[0] and process.returncode == 1


def test_standard_input_is_named_as_the_user_named_it(tmp_path):
    out = tmp_path / "out.jsonl"
    process = start([*COMMAND, "chunk", "-", "-o", out], stdin=subprocess.PIPE)
    process.communicate(TEXT)
    assert [row["source"] for row in srsly.read_jsonl(out)] == ["-"]
