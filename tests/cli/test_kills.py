"""A command that is killed at any moment can be given again; two commands do not mix."""

import os
import subprocess
import sys

import pytest
import srsly

from tests.cli import kills

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot fork")


@pytest.mark.slow
def test_commands_that_are_killed_or_meet_another(tmp_path):
    """What was wrong after each kill, and with each two commands, is nothing."""
    command = [sys.executable, "-m", "tests.cli.kills", str(tmp_path)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    found = [srsly.json_loads(line) for line in done.stdout.splitlines()]
    assert [line for line in found if line["wrong"]] == []
    assert done.returncode == 0, done.stderr
    groups = (kills.FILES, kills.FOLDERS, kills.UPDATES)
    assert len(found) == len(kills.JOBS) + sum(map(len, groups))
