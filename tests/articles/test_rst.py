"""reStructuredText as plain text."""

import re

import pytest

from spacy_thematic.articles.rst import strip_rst
from spacy_thematic.articles.sources import ReadLog

SAYS = "Ships sail to the sea, and rivers rise in the"
LINE = f"+-+{'-' * 50}+"
GRID = f"{LINE}\n|a|b{' ' * 49}|\n{LINE}\n|1|{SAYS:50}|\n| |{'hills.':50}|\n{LINE}\n\nShips"


@pytest.mark.parametrize(
    "source, shown",
    [
        ("See :ref:`a <b>`, :func:`~ships.sail` and ``x = 1``.", "See a, ships.sail and x = 1."),
        ("See `the sea\n<http://a.b>`_, `Rivers`_ and ships_.", "See the sea, Rivers and ships."),
        ("**Ships** sail *far* [1]_, 2 * 3 * 4 and a*b*c.", "Ships sail far, 2 * 3 * 4 and a*b*c."),
        ("*Ships sail\nfar.* Not *so\n\nfar*.", "Ships sail\nfar. Not *so\n\nfar*."),
        ("* Ships\n* *sail\n  far* off", "* Ships\n* sail\n  far off"),
        ("Ships::\n\n    x = 1\n\n    y = 2\n\nThey sail.", "Ships:\n\nThey sail."),
        ("::\n\n  x = 1\nThey sail.", "\n\nThey sail."),
        (".. code-block:: python\n   :linenos:\n\n   x = 1\n\nThey sail.", "\n\nThey sail."),
        (".. note:: Mind it.\n   :class: x\n\n   Ships sail.", "Mind it.\n\n   Ships sail."),
        (".. A comment\n   of two lines.\n\n.. _sea:\n\nShips", "\n\nShips"),
        (".. [1] Ships sail.", "Ships sail."),
        (":Of us: Ann and Leo Lee\n:a: b\n\nShips", "Of us: Ann and Leo Lee\n:a: b\n\nShips"),
        ("=== ===\na   b\n=== ===\n1   2\n\n3   4\n=== ===\n\nShips", "\n\n3   4\n\nShips"),
        (f"== ==\na  {SAYS}\n   hills.\n== ==\n\nShips", f"\na – {SAYS} hills.\n\nShips"),
        (GRID, f"\na – b\n\n1 – {SAYS} hills.\n\nShips"),
        (f"== ==\na  b\n== ==\n1  {SAYS}\n== ==\n\nShips", f"\n1 – {SAYS}\n\nShips"),
    ],
)  # fmt: skip
def test_prose_and_headings_stay_and_markup_goes(source, shown):
    assert re.sub("\n{2,}", "\n\n", strip_rst(source)) == shown


def test_what_is_left_out_is_told():
    log = ReadLog()
    strip_rst(
        "Ships sail.\n\n=== ===\na   b\n=== ===\n\n.. table::\n\n   1 2\n\n"
        ".. code::\n\n   a\n\n.. toctree::\n\n   b\n",
        log,
    )
    assert log.describe_left_out() == [
        "Left out of the texts: 1 code block, 2 tables: 75 % of the words"
    ]
