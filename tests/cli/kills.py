"""Kills at each file operation of each command that writes, and two commands that write one output.

    python -m tests.cli.kills FOLDER [--all]

Prints a JSON line for each command, and for each that is stopped while others write to its output.
Commands run in forks of this process, which has imported what they use, with an audit hook that
sees each change of a file before it is made. With --all, every state of the disk and
each two commands are tried.
"""

import os
import random
import re
import shutil
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path

import srsly

from tests.conftest import make_article

_CHANGES = ("rename", "remove", "mkdir", "rmdir", "link", "symlink", "truncate")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_OF_OUTPUTS = re.compile(r"killed|(rename|remove)-\.?(made|run|saved|themes|model-|t\.|c\.|u\.)")
_DRAWN = 2
_UNFINISHED = re.compile(r"\.[0-9a-f]{8}\.tmp(/.*)?")


@dataclass(frozen=True)
class Job:
    """A command that writes.

    Attributes:
        outputs: What it writes.
        command: That is killed.
        before: That has written to the same outputs before it, so that something is replaced.
        again: That is given after the kill; `command` itself if it is empty.
        is_whole: Whether each output is always as before, or as the command leaves it.
    """

    outputs: str
    command: str
    before: str = ""
    again: str = ""
    is_whole: bool = True


TRAIN = "train tiny.cfg -o run --training.max_steps"
JOBS = {
    "chunk": Job(
        "c.jsonl", "chunk notes -m model -o c.jsonl", "chunk notes/a.md -m model -o c.jsonl"
    ),
    "cluster": Job(
        "t.jsonl t.html saved",
        "cluster notes -m model --k 3 --out t.jsonl --html t.html --save saved",
        "cluster notes -m model --k 2 --out t.jsonl --html t.html --save saved",
    ),
    "cluster --update": Job(
        "themes",
        "cluster notes/a.md -m model --themes themes --update --out u.jsonl",
    ),
    "corpus": Job("made", "corpus few.jsonl made", "corpus articles.jsonl made"),
    "train": Job(
        "run", f"{TRAIN} 4", f"{TRAIN} 2 --training.seed 5", f"{TRAIN} 4 --resume", is_whole=False
    ),
    "embed": Job("made", "embed notes -m model -o made", is_whole=False),
    "cluster-store": Job(
        "made", "cluster-store store --k 3 -o made", "cluster-store store --k 2 -o made"
    ),
    "export": Job("made.safetensors", "export model made.safetensors", "export model made --int8"),
    "adapt": Job(
        "made",
        "adapt articles.jsonl --from model --no-bundled -o made",
        "adapt articles.jsonl --from en_thematic_sm --no-bundled -o made",
    ),
    "evaluate": Job(
        "made.json",
        "evaluate model few.jsonl --no-bundled -o made.json",
        "evaluate model few.jsonl --no-bundled --seed 1 -o made.json",
    ),
}
FILES = (
    "chunk notes -m model -o {}",
    "cluster notes -m model --out {}",
    "cluster notes -m model --html {}",
    "evaluate model few.jsonl --no-bundled -o {}",
    "export model {}",
)
FOLDERS = (
    "adapt articles.jsonl --from model --no-bundled -o {}",
    "cluster notes -m model --save {}",
    "cluster-store store -o {}",
    "corpus articles.jsonl {}",
    "embed notes -m model -o {}",
    "train tiny.cfg --training.max_steps 2 -o {}",
)
UPDATES = ("cluster notes/a.md -m model --themes {} --update",)
SAID = "is being written by another command"


def main(folder: Path, is_all: bool) -> None:
    prepare(folder / "work")
    jobs: dict[str, Callable[[Path], list[str]]] = {}
    for name, job in JOBS.items():
        jobs[name] = partial(kill_everywhere, job, is_all)
    for group, out in ((FILES, "both.safetensors"), (FOLDERS, "both"), (UPDATES, "themes")):
        others = [command.format(out) for command in group]
        for number, first in enumerate(others):
            # With --all, each two. Otherwise each with itself, and with one other.
            met = others if is_all else {first, others[number - 1]}
            jobs[f"at once: {first}"] = partial(run_at_once, first, sorted(met))
    started: set[int] = set()
    for number, (name, job) in enumerate(jobs.items()):
        if len(started) == 2:
            started.remove(os.wait()[0])
        started.add(fork(lambda: show(name, job, folder, folder / str(number))))  # noqa: B023
    for child in started:
        os.waitpid(child, 0)


def show(name: str, job: Callable[[Path], list[str]], folder: Path, own: Path) -> None:
    shutil.copytree(folder / "work", own / "prepared")
    wrong = job(own)
    os.write(1, f"{srsly.json_dumps({'job': name, 'wrong': wrong})}\n".encode())
    shutil.rmtree(own)


def prepare(work: Path) -> None:
    """Make what commands read, and import what they use."""
    (work / "notes").mkdir(parents=True)
    for name, numbers in (("a", range(2)), ("b", range(2, 5))):
        sections = [section for number in numbers for section in make_article(number).sections[1:]]
        text = "".join(f"## {s.title}\n\n" + "\n\n".join(s.paragraphs) + "\n\n" for s in sections)
        (work / "notes" / f"{name}.md").write_text(text)
    articles = [make_article(number).to_dict() for number in range(36)]
    srsly.write_jsonl(work / "articles.jsonl", articles)
    srsly.write_jsonl(work / "few.jsonl", articles[:8])
    in_fork(lambda: write_config(work))
    for command in (
        "corpus articles.jsonl corpus --shares 60/20/20",
        "train tiny.cfg -o first --training.max_steps 2",
        "embed notes -m first/model-best -o store",
        "cluster notes/b.md -m first/model-best --k 3 --save themes",
        "cluster-store store --k 3 -o grouped",
    ):
        succeed(command, work)
    (work / "first" / "model-best").rename(work / "model")
    succeed("embed notes -m model -o store", work)
    for name in ("first", "store", "grouped"):
        shutil.rmtree(work / name)
    succeed("embed notes -m model -o store", work)


def write_config(work: Path) -> None:
    from tests.training.conftest import load_config

    config = load_config(Path("corpus"))
    config["training"]["eval_frequency"] = 2
    config.to_disk(work / "tiny.cfg")


def kill_everywhere(job: Job, is_all: bool, folder: Path) -> list[str]:
    """Give a command again from states in which a kill may leave the disk. Returns what was
    wrong."""
    work, states, said = folder / "work", folder / "states", folder / "said"
    reset(folder / "prepared", work)
    if job.before:
        succeed(job.before, work)
    reset(work, folder / "start")
    earlier = read_outputs(job, work)
    states.mkdir()
    in_fork(lambda: run(job.command, work, keep_states(work, states)))
    whole, expected = read_tree(work), read_outputs(job, work)
    reset(folder / "start", work)
    if in_fork(lambda: run(job.command, work, kill_at(work, 3))) != -signal.SIGKILL:
        return ["was not killed"]
    work.rename(states / "killed")
    wrong = []
    for state in choose(sorted(states.iterdir()), is_all):
        reset(state, work)
        found = read_outputs(job, work)
        if job.is_whole:
            for name, content in found.items():
                if content not in (earlier[name], expected[name], {}):
                    wrong.append(f"{state.name}: {name} is not whole")
        if "--update" in job.command and found == expected:
            continue  # It is done: again, it would add the texts again.
        # Before the command has changed anything, there is nothing of it to resume.
        again = job.again if job.again and without_hidden(found) != earlier else job.command
        if status := in_fork(lambda: run(again, work, said=said)):  # noqa: B023
            wrong.append(f"{state.name}: again, it ends with {status}: {said.read_text()}")
        tree = read_tree(work)
        if different := [path for path in {**whole, **tree} if whole.get(path) != tree.get(path)]:
            wrong.append(f"{state.name}: {', '.join(sorted(different))} differ")
    return wrong


def run_at_once(first: str, others: Sequence[str], folder: Path) -> list[str]:
    """Stop a command when it begins to write, run others with the same output, and let it go on.
    Returns what was wrong."""
    work = folder / "work"
    reset(folder / "prepared", work)
    succeed(first, work)
    expected = read_tree(work)
    reset(folder / "prepared", work)
    stopped = fork(lambda: run(first, work, stop_at_first(work)))
    os.waitpid(stopped, os.WUNTRACED)
    wrong = []
    for other in others:
        said = folder / "said"
        status = in_fork(lambda: run(other, work, said=said))  # noqa: B023
        if status != 1 or SAID not in " ".join(said.read_text().split()):
            wrong.append(f"{other} ended with {status}: {said.read_text()}")
    os.kill(stopped, signal.SIGCONT)
    if os.waitpid(stopped, 0)[1]:
        wrong.append(f"{first} failed")
    found = read_tree(work)
    wrong += [
        f"{path} differs" for path in {**expected, **found} if found.get(path) != expected.get(path)
    ]
    return wrong


def run(
    command: str, work: Path, hook: Callable | None = None, said: Path = Path(os.devnull)
) -> int:
    """Run a command in a folder, in this process, and return its status."""
    from typer.testing import CliRunner

    from spacy_thematic.cli.app import app

    os.chdir(work)
    if hook:
        sys.addaudithook(hook)
    result = CliRunner().invoke(app, command.split())
    with said.open("w") as file:
        file.write(result.output)
        if result.exception and not isinstance(result.exception, SystemExit):
            file.write(repr(result.exception))
            return 99
    return result.exit_code


def fork(do: Callable[[], int | None]) -> int:
    """Do something in a fork, and return its number."""
    child = os.fork()
    if not child:
        status = 98
        try:
            status = do() or 0
        finally:
            os._exit(status)
    return child


def in_fork(do: Callable[[], int | None]) -> int:
    """Do something in a fork, and return its status."""
    return os.waitstatus_to_exitcode(os.waitpid(fork(do), 0)[1])


def succeed(command: str, work: Path) -> None:
    """Run a command in a fork, and import what it has imported, so that the next does not."""
    said, modules = work.parent / "said", work.parent / "modules"

    def act() -> int:
        status = run(command, work, said=said)
        srsly.write_json(modules, sorted(sys.modules))
        return status

    if status := in_fork(act):
        raise SystemExit(f"{command} ended with {status}: {said.read_text()}")
    for name in srsly.read_json(modules):
        if name not in sys.modules and not name.startswith("pip"):
            with suppress(Exception):
                import_module(name)


def watch(work: Path, act: Callable[[str, str], None]) -> Callable:
    """A hook that calls `act` before each change of a file, with its kind and its path."""

    def hook(event: str, args: tuple) -> None:
        kind = event.removeprefix("os.")
        if event == "open":
            path, _, flags = args
            if not (isinstance(flags, int) and flags & _WRITING):
                return
        elif event.startswith("os.") and kind in _CHANGES:
            path = args[0]
        else:
            return
        if isinstance(path, (str, bytes, os.PathLike)):
            path = str(Path(os.fsdecode(path)).absolute())
            if path.startswith(f"{work}/"):
                act(kind, path)

    return hook


def keep_states(work: Path, states: Path) -> Callable:
    """A hook that copies what is on the disk before each operation, as a kill would leave it there:
    what the process has not handed to the system is not in it. Of states that differ only in an
    unfinished file or folder, which is removed as a whole, the first is kept."""
    known = set()

    def act(kind: str, path: str) -> None:
        state = sorted((_UNFINISHED.sub(".tmp", name), content) for name, content in read_all(work))
        key = hash(tuple(dict(state).items()))
        if key not in known:
            shutil.copytree(work, states / f"{len(known):03d}-{kind}-{Path(path).name}")
            known.add(key)

    return watch(work, act)


def read_all(work: Path) -> list[tuple[str, bytes]]:
    """Files and folders; the content only of what is not unfinished."""
    return [
        (
            str(path.relative_to(work)),
            b"" if path.is_dir() or _UNFINISHED.search(str(path)) else path.read_bytes(),
        )
        for path in work.rglob("*")
    ]


def kill_at(work: Path, number: int) -> Callable:
    left = number

    def act(kind: str, path: str) -> None:
        nonlocal left
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1

    return watch(work, act)


def stop_at_first(work: Path) -> Callable:
    """A hook that stops this process, once, at the first change that is not of a lock."""
    is_locked, is_done = False, False

    def act(kind: str, path: str) -> None:
        nonlocal is_locked, is_done
        if path.endswith(".lock"):
            is_locked = True
        elif is_locked and not is_done:
            is_done = True
            os.kill(os.getpid(), signal.SIGSTOP)

    return watch(work, act)


def choose(states: list[Path], is_all: bool) -> list[Path]:
    """All states; or those before outputs are renamed and removed, and a few of the others."""
    kept = [state for state in states if is_all or _OF_OUTPUTS.search(state.name)]
    others = [state for state in states if state not in kept]
    return kept + random.Random(0).sample(others, min(_DRAWN, len(others)))


def reset(source: Path, work: Path) -> None:
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(source, work)


def read_tree(work: Path) -> dict[str, bytes]:
    """All files, but for how long things took, and the order of sets and settings, which is another
    in a pipeline that was loaded."""
    files = (path for path in sorted(work.rglob("*")) if path.is_file())
    return {str(path.relative_to(work)): read(path) for path in files}


def read(path: Path) -> bytes:
    if path.name == "log.jsonl":
        lines = [{**line, "seconds": 0} for line in srsly.read_jsonl(path)]
        return srsly.json_dumps(lines).encode()
    if path.name in ("sentencizer.json", "config.cfg"):
        return b"".join(sorted(line.strip(b" ,\n") for line in path.read_bytes().splitlines()))
    return path.read_bytes()


def without_hidden(outputs: dict[str, dict[str, bytes]]) -> dict[str, dict[str, bytes]]:
    return {
        name: {path: content for path, content in files.items() if "/." not in f"/{path}"}
        for name, files in outputs.items()
    }


def read_outputs(job: Job, work: Path) -> dict[str, dict[str, bytes]]:
    """The files of each output."""
    found = {}
    for name in job.outputs.split():
        place = work / name
        found[name] = {"": place.read_bytes()} if place.is_file() else read_tree(place)
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), "--all" in sys.argv)
