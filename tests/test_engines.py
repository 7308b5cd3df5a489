"""What runs functions on many tasks: here, processes of this machine."""

import subprocess
import sys

from tests.cli.test_streams import heed_interrupts

CODE = """
import os, signal, time
from pathlib import Path

def wait_for(name):
    while not Path(name).exists():
        time.sleep(0.01)

if __name__ == "__mp_main__":  # A worker that starts.
    Path("started").touch()
    wait_for("interrupted")

def give_tasks():
    yield from range(4)
    wait_for("started")
    try:
        os.killpg(0, signal.SIGINT)  # As a terminal does.
    finally:
        Path("interrupted").touch()

if __name__ == "__main__":
    from spacy_thematic.engines import LocalEngine

    try:
        with LocalEngine(3) as engine:
            list(engine.map(abs, give_tasks()))
    except KeyboardInterrupt:
        print("interrupted")
"""


def test_workers_that_are_interrupted_while_they_start_say_nothing(tmp_path):
    (tmp_path / "work.py").write_text(CODE)
    done = subprocess.run(
        [sys.executable, "work.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
        preexec_fn=heed_interrupts,
    )
    assert (done.stdout, done.stderr) == ("interrupted\n", "")
