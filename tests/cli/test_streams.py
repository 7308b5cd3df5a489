"""Commands whose reader goes, whose output has no room, and that are interrupted."""

import os
import signal
import subprocess
import sys
from pathlib import Path

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
    assert process.returncode == 0
    assert all(path.exists() for path in outputs)


def test_messages_do_not_stand_among_what_is_written_to_standard_output(text):
    process = start([*COMMAND, "chunk", text, "-o", "/dev/stdout"])
    written, said = process.communicate()
    assert [srsly.json_loads(line)["source"] for line in written.splitlines()] == [str(text)]
    assert "Saved /dev/stdout: 1 chunk" in said
    process = start([*COMMAND, "chunk", text, "-o", "-"])
    assert "names no file" in process.communicate()[0] and process.returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has it")
def test_output_without_room_is_told_and_loses_no_file(text):
    with Path("/dev/full").open("w") as full:
        out = text.with_name("out.jsonl")
        process = start([*COMMAND, "cluster", text, "-o", out], stdout=full)
        assert process.communicate()[1] == "What was printed is lost: No space left on device\n"
    assert process.returncode == 1
    assert out.exists()


# Each stands for what is imported at a moment: our commands by spaCy, spaCy by us, a command's own.
@pytest.mark.parametrize(
    ("module", "command"),
    [
        ("spacy_thematic.cli.adapt", COMMAND),
        ("torch", [sys.executable, "-m", "spacy_thematic"]),
        ("spacy_thematic.scale", COMMAND),
    ],
)
def test_ctrl_c_during_imports_is_one_line(text, module, command):
    text.with_name("sitecustomize.py").write_text(
        f"""
import os, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
"""
    )
    paths = os.pathsep.join([str(text.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": paths}
    process = start([*command, "cluster", text], env=environment)
    said = "".join(process.communicate())
    assert process.returncode == 130, said
    assert "Interrupted" in said
    assert len(said.split("\n")) == 2, said
