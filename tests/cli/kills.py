"""Kills at each file operation of each command that writes, and two commands that write one output.

    python -m tests.cli.kills FOLDER

Prints a JSON line for each command. Each command runs in a fork of this process, which has imported
all that commands use and has no thread of its own. A fork dies by `os._exit` just before the file
operation of some number, as by SIGKILL: what it has not handed to the system is lost, and no code
of its own runs any more.
"""

import os
import random
import shutil
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import srsly

from tests.conftest import make_article

_CHANGES = ("rename", "remove", "mkdir", "rmdir", "link", "symlink", "truncate")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_FEW, _DRAWN = 14, 3


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
    "chunk": Job("c.jsonl", "chunk notes -m model -o c.jsonl", "chunk notes/a.md -m model -o c.jsonl"),
    "cluster": Job(
        "t.jsonl t.html saved",
        "cluster notes -m model --k 3 --out t.jsonl --html t.html --save saved",
        "cluster notes -m model --k 2 --out t.jsonl --html t.html --save saved",
    ),
    "cluster --update": Job(
        "themes",
        "cluster notes/a.md -m model --themes themes --update --out u.jsonl",
    ),
    "corpus": Job("made", "corpus articles.jsonl made", "corpus articles.jsonl made --limit 16"),
    "train": Job(
        "run", f"{TRAIN} 4", f"{TRAIN} 2 --training.seed 5", f"{TRAIN} 4 --resume", is_whole=False
    ),
    "embed": Job("made", "embed notes -m model -o made", is_whole=False),
    "cluster-store": Job(
        "made", "cluster-store store --k 3 -o made", "cluster-store store --k 2 -o made"
    ),
    "segment-store": Job(
        "made", "segment-store store -o made", "segment-store store --levels 2 -o made"
    ),
    "export": Job(
        "made.safetensors", "export model made.safetensors", "export model made --int8"
    ),
    "join": Job("made", "join model model -o made", "join model model --scale none -o made"),
    "adapt": Job(
        "made",
        "adapt articles.jsonl --from model --no-bundled --limit 8 -o made",
        "join model model -o made",
    ),
    "evaluate": Job(
        "made.json",
        "evaluate model articles.jsonl --no-bundled -o made.json",
        "evaluate model articles.jsonl --no-bundled --seed 1 -o made.json",
    ),
    "report": Job(
        "made.html",
        "report model articles.jsonl -n 1 -o made.html",
        "report model articles.jsonl -n 2 -o made.html",
    ),
    "vectors": Job("made", "vectors glove.txt made", "vectors glove.txt made --limit 1"),
}
FILES = (
    "chunk notes -m model -o {}",
    "cluster notes -m model --out {}",
    "cluster notes -m model --html {}",
    "evaluate model articles.jsonl --no-bundled -o {}",
    "export model {}",
    "report model articles.jsonl -o {}",
)
FOLDERS = (
    "adapt articles.jsonl --from model --no-bundled --limit 8 -o {}",
    "cluster notes -m model --save {}",
    "cluster-store store -o {}",
    "corpus articles.jsonl {}",
    "embed notes -m model -o {}",
    "join model model -o {}",
    "segment-store store -o {}",
    "train tiny.cfg --training.max_steps 2 -o {}",
    "vectors glove.txt {}",
)
UPDATES = ("cluster notes/a.md -m model --themes {} --update",)
SAID = "is being written by another command"


def main(folder: Path) -> None:
    work = folder / "work"
    prepare(folder / "prepared", work)
    for name, job in JOBS.items():
        kills, wrong = kill_everywhere(job, folder, work)
        print(srsly.json_dumps({"job": name, "kills": kills, "wrong": wrong}), flush=True)
    for group, out in ((FILES, "both.safetensors"), (FOLDERS, "both"), (UPDATES, "themes")):
        for first in group:
            others = (second.format(out) for second in group)
            wrong = run_at_once(first.format(out), others, out, folder, work)
            print(srsly.json_dumps({"job": f"at once: {first}", "wrong": wrong}), flush=True)


def prepare(prepared: Path, work: Path) -> None:
    """Make what commands read, and import what they use."""
    (work / "notes").mkdir(parents=True)
    for name, numbers in (("a", range(2)), ("b", range(2, 5))):
        articles = [make_article(number) for number in numbers]
        text = "\n\n".join(
            f"# {article.title}\n\n"
            + "\n\n".join(f"## {s.title}\n\n" + "\n\n".join(s.paragraphs) for s in article.sections[1:])
            for article in articles
        )
        (work / "notes" / f"{name}.md").write_text(f"{text}\n")
    srsly.write_jsonl(work / "articles.jsonl", [make_article(i).to_dict() for i in range(36)])
    words = sorted({word for i in range(36) for word in str(make_article(i).to_dict()).split()})
    rng = random.Random(0)
    vectors = (" ".join(f"{rng.gauss(0, 1):.3f}" for _ in range(8)) for _ in words)
    lines = (f"{word} {vector}\n" for word, vector in zip(words, vectors))
    (work / "glove.txt").write_text("".join(lines))
    in_fork(lambda: write_config(work))
    for command in (
        "corpus articles.jsonl corpus --shares 60/20/20",
        "train tiny.cfg -o first --training.max_steps 2",
    ):
        succeed(command, work)
    (work / "first" / "model-best").rename(work / "model")
    shutil.rmtree(work / "first")
    succeed("embed notes -m model -o store", work)
    succeed("cluster notes/b.md -m model --k 3 --save themes", work)
    shutil.move(work, prepared)
    for job in JOBS.values():
        reset(prepared, work)
        modules = work / "modules.json"
        in_fork(lambda: run(job.command, work) or srsly.write_json(modules, sorted(sys.modules)))  # noqa: B023
        for name in srsly.read_json(modules):
            with suppress(Exception):
                import_module(name)


def write_config(work: Path) -> None:
    from tests.training.conftest import load_config

    config = load_config(Path("corpus"))
    config["training"]["eval_frequency"] = 2
    config.to_disk(work / "tiny.cfg")


def kill_everywhere(job: Job, folder: Path, work: Path) -> tuple[int, list[str]]:
    """Kill a command before its file operations, each time anew, and give it again. Returns the
    number of kills, and what was wrong after them."""
    start = folder / "start"
    reset(folder / "prepared", work)
    if job.before:
        succeed(job.before, work)
    reset(work, start)
    earlier = read_outputs(job, work)
    places = folder / "places.json"
    in_fork(lambda: run(job.command, work, count_operations(work, places)))
    whole, expected = read_tree(work), read_outputs(job, work)
    numbers = choose(srsly.read_json(places))
    wrong = []
    for number in numbers:
        reset(start, work)
        in_fork(lambda: run(job.command, work, die_at(work, number)))  # noqa: B023
        found = read_outputs(job, work)
        if job.is_whole:
            for name, content in found.items():
                if content not in (earlier[name], expected[name], {}):
                    wrong.append(f"kill {number}: {name} is not whole")
        if job.command.find("--update") < 0 or found != expected:
            status = in_fork(lambda: run(job.again or job.command, work))
            if status:
                wrong.append(f"kill {number}: again, it ends with {status}")
        found_tree = read_tree(work)
        different = [path for path in {**whole, **found_tree} if whole.get(path) != found_tree.get(path)]
        if different and not is_update_done(job, found_tree, whole):
            wrong.append(f"kill {number}: {', '.join(sorted(different))} differ")
    return len(numbers), wrong


def is_update_done(job: Job, found: dict[str, bytes], whole: dict[str, bytes]) -> bool:
    """Whether an update was saved before the kill. It is not repeated, so hidden files may be
    left."""
    hidden = {path for path in found if path not in whole}
    return "--update" in job.command and all("/." in f"/{path}" for path in hidden)


def run_at_once(
    first: str, others: Sequence[str], out: str, folder: Path, work: Path
) -> list[str]:
    """Stop a command when it begins to write, run others with the same output, and let it go on.
    Returns what was wrong."""
    reset(folder / "prepared", work)
    succeed(first, work)
    expected = read_tree(work)
    reset(folder / "prepared", work)
    stopped = os.fork()
    if not stopped:
        os._exit(run(first, work, stop_at_first(work)))
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
    wrong += [f"{path} differs" for path in {**expected, **found} if found.get(path) != expected.get(path)]
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


def in_fork(do: Callable[[], int | None]) -> int:
    """Do something in a fork, and return its status."""
    child = os.fork()
    if not child:
        status = 98
        try:
            status = do() or 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def succeed(command: str, work: Path) -> None:
    said = work.parent / "said"
    if status := in_fork(lambda: run(command, work, said=said)):
        raise SystemExit(f"{command} ended with {status}: {said.read_text()}")


def watch(work: Path, act: Callable[[str, str], None]) -> Callable:
    """A hook that calls `act` before each change of a file, with the kind of change and the path."""

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
            path = os.path.abspath(os.fsdecode(path))
            if path.startswith(f"{work}/"):
                act(kind, path)

    return hook


def count_operations(work: Path, places: Path) -> Callable:
    """A hook that notes where in our code each operation comes from."""
    found: list[list] = []

    def act(kind: str, path: str) -> None:
        frame, lines = sys._getframe(2), []
        while frame is not None:
            if "/spacy_thematic/" in frame.f_code.co_filename:
                lines.append(f"{frame.f_code.co_filename}:{frame.f_lineno}")
            frame = frame.f_back
        found.append([kind, *lines[:3]])
        with os.fdopen(os.open(places, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "w") as file:
            file.write(srsly.json_dumps(found))

    return watch(work, act)


def die_at(work: Path, number: int) -> Callable:
    left = number

    def act(kind: str, path: str) -> None:
        nonlocal left
        if not left:
            os._exit(9)
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


def choose(places: list[list]) -> list[int]:
    """All operations if they are few; else the first from each place in our code, and some more."""
    if len(places) <= _FEW:
        return list(range(len(places)))
    firsts = {}
    for number, place in enumerate(places):
        firsts.setdefault(tuple(place), number)
    others = sorted(set(range(len(places))) - set(firsts.values()))
    drawn = random.Random(0).sample(others, min(_DRAWN, len(others)))
    return sorted([*firsts.values(), *drawn])


def reset(source: Path, work: Path) -> None:
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(source, work)


def read_tree(work: Path) -> dict[str, bytes]:
    """All files, but for how long things took."""
    files = (path for path in sorted(work.rglob("*")) if path.is_file())
    return {str(path.relative_to(work)): read(path) for path in files}


def read(path: Path) -> bytes:
    if path.name == "log.jsonl":
        lines = [{**line, "seconds": 0} for line in srsly.read_jsonl(path)]
        return srsly.json_dumps(lines).encode()
    return path.read_bytes()


def read_outputs(job: Job, work: Path) -> dict[str, dict[str, bytes]]:
    """The files of each output."""
    found = {}
    for name in job.outputs.split():
        place = work / name
        found[name] = {"": place.read_bytes()} if place.is_file() else read_tree(place)
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
