"""The tests with the oldest and with the newest versions of what the package needs.

nox --session oldest newest
"""

import nox

nox.options.sessions = ["oldest", "newest"]
PARALLEL = ("-n", "2", "--dist", "worksteal")


@nox.session(python="3.11")
def oldest(session: nox.Session) -> None:
    """The versions of constraints-oldest.txt."""
    session.install("-c", "constraints-oldest.txt", "-e", ".[test]")
    session.run("pytest", *PARALLEL, *session.posargs)


@nox.session(python="3.12")
def newest(session: nox.Session) -> None:
    """Whatever is the newest within the ranges of setup.cfg."""
    session.install("--upgrade", "--upgrade-strategy", "eager", "-e", ".[test]")
    session.run("pytest", *PARALLEL, *session.posargs)
