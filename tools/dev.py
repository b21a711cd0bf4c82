#!/usr/bin/env python3
"""Set up, build and test this repository with nothing but Python.

    python3 tools/dev.py site [--no-serve] [--port N]   build the site, serve it, print the address
    python3 tools/dev.py test --fast                    run the quick tests: no browser, no build, no training
    python3 tools/dev.py test [pytest arguments ...]    run the whole suite, or what the arguments select
    python3 tools/dev.py newest [pytest arguments ...]  the same with the newest Python here, in .venv-newest
    python3 tools/dev.py setup                          only prepare .venv

Every command first prepares .venv from tools/constraints.txt, unless that was done before from the same inputs.
"""

import sys

if sys.version_info < (3, 11):  # before anything that an older Python cannot import; it can parse this whole file
    sys.exit("needs Python 3.11 or newer, this is {}.{}.{} ({})".format(*sys.version_info[:3], sys.executable))

import argparse
import ast
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INPUTS = ("tools/constraints.txt", "pyproject.toml", "tools/linkindex/pyproject.toml")
REQUIREMENTS = ("-c", "tools/constraints.txt", "-e", "tools/linkindex", "-e", ".[docs,test]")
STATE = "set-up-from.txt"  # in .venv: the fingerprint of what it was made from, or UNFINISHED
UNFINISHED = "unfinished"
BY_HAND = "by hand, "      # before the fingerprint where somebody else made the environment
KEEP_ALL = {"--fast", "-q", "-v", "-x"}  # arguments that leave the suite so large that several processes pay
MOST_PROCESSES = 4         # each prepares for itself what tests share
INTERRUPTED = 130          # what a shell reports for a command that Ctrl-C ended


class CannotGoOn(Exception):
    """The message says what is missing and what to do."""


# --- what is to be done: values in, values out -----------------------------------------------------------------------


def fingerprint(root: Path, python: str) -> str:
    """A hash of all that an environment is made from: its inputs, the Python, and the folder that its scripts name."""
    digest = hashlib.sha256()
    for part in (python.encode(), os.fsencode(root), *((root / name).read_bytes() for name in INPUTS)):
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()


def python_in(venv: Path, windows: bool) -> Path:
    return venv / "Scripts" / "python.exe" if windows else venv / "bin" / "python"


def next_step(state: str | None, wanted: str, works: bool) -> str:
    """What an existing or missing .venv needs: "nothing", "install" or "create".

    state: what its state file says, None without one. works: whether its Python runs. An environment that somebody made
    by hand is kept and installed into; one that this tool made is made afresh when its inputs changed or set-up was
    interrupted, so that nothing of the earlier one is left.
    """
    if not works:
        return "create"
    if state in (wanted, BY_HAND + wanted):
        return "nothing"
    return "install" if state is None or state.startswith(BY_HAND) else "create"


def way_to_create(modules: Mapping[str, bool]) -> tuple[str, ...]:
    """The module that makes an environment, with its options, given which modules this Python has.

    Debian's Python comes without ensurepip, and venv cannot put pip into an environment then; a pip that runs outside
    of it does as well. Raises CannotGoOn.
    """
    if modules["venv"] and modules["ensurepip"]:
        return ("venv",)
    if modules["venv"] and modules["pip"]:
        return ("venv", "--without-pip")
    if modules["virtualenv"]:
        return ("virtualenv",)
    missing = ", ".join(name for name, present in modules.items() if not present)
    raise CannotGoOn(
        f"{sys.executable} cannot make a virtual environment: it has no {missing}. Remedy:\n"
        f"  Debian, Ubuntu: apt-get install python{sys.version_info[0]}.{sys.version_info[1]}-venv (as root)\n"
        "  elsewhere: use a Python that includes venv and ensurepip, as those from python.org do"
    )


def pytest_arguments(given: Sequence[str], processors: int) -> list[str]:
    """What pytest is called with: the whole suite, and the fast one, run in several processes at once."""
    processes = min(processors, MOST_PROCESSES)
    return [*(("-n", str(processes)) if processes > 1 and KEEP_ALL.issuperset(given) else ()), *given]


def exit_code(returncode: int) -> int:
    """A child's return code as a shell reports it: a child ended by signal n counts as 128 + n."""
    return 128 - returncode if returncode < 0 else returncode


# --- doing it --------------------------------------------------------------------------------------------------------


def run(*command: str | Path, **variables: str) -> int:
    """Run a command in the root of the repository; Ctrl-C reaches it too, and it is left to end by itself."""
    interrupted = False
    with subprocess.Popen([str(part) for part in command], cwd=ROOT, env=environment() | variables) as child:
        while True:
            try:
                code = exit_code(child.wait())
                break
            except KeyboardInterrupt:
                interrupted = True
    if interrupted:
        raise KeyboardInterrupt
    return code


def environment() -> dict[str, str]:
    """The caller's, without what would lead pip away from .venv."""
    return {**os.environ, "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def must(*command: str | Path) -> None:
    code = run(*command)
    if code:
        raise CannotGoOn(f"Set-up failed (exit code {code}); the reason stands above. The next call tries again.")


def found(module: str) -> bool:
    spec = importlib.util.find_spec(module)
    return spec is not None and spec.origin is not None


def starts(python: Path) -> bool:
    """Whether this interpreter runs and is new enough: its base may have been removed or replaced."""
    check = "import sys; sys.exit(sys.version_info < (3, 11))"
    try:
        return subprocess.run([python, "-c", check], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def creator(venv: Path) -> str:
    """The Python to make .venv with: this one, or the one below it if this one is .venv's own."""
    return getattr(sys, "_base_executable", sys.executable) if Path(sys.prefix).resolve() == venv else sys.executable


def create(venv: Path) -> None:
    """Make an empty environment in place of whatever is there; it is marked as unfinished before it is made."""
    way = way_to_create({name: found(name) for name in ("venv", "ensurepip", "pip", "virtualenv")})
    remove(venv)
    venv.mkdir()
    (venv / STATE).write_text(UNFINISHED, encoding="utf-8")
    must(creator(venv), "-m", *way, venv)


def remove(venv: Path) -> None:
    try:
        if venv.is_dir() and not venv.is_symlink():
            shutil.rmtree(venv)
        else:
            venv.unlink(missing_ok=True)
    except OSError as error:
        raise CannotGoOn(f"{venv} cannot be replaced: {error}. End the programs that run from it, then try again.")


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def version_of(python: Path) -> tuple[int, ...]:
    """The version of an interpreter, such as (3, 13, 0); () where it does not run or is no final release."""
    look = "import sys; v = sys.version_info; print(tuple(v[:3]) if v.releaselevel == 'final' else ())"
    try:
        return ast.literal_eval(subprocess.run([python, "-c", look], capture_output=True, text=True, timeout=60).stdout)
    except (OSError, subprocess.TimeoutExpired, SyntaxError):
        return ()


def pythons() -> list[Path]:
    """The interpreters python3.N on the path, and those of pyenv."""
    folders = [Path(folder) for folder in os.get_exec_path() if folder]
    folders += Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv").glob("versions/*/bin")
    named = re.compile(r"python3\.\d+(\.exe)?")
    return [file for folder in folders if folder.is_dir() for file in folder.iterdir() if named.fullmatch(file.name)]


def newest(arguments: Sequence[str]) -> int:
    """Run tests with the newest Python that there is besides this one, in an environment of its own."""
    version, python = max(((version_of(python), python) for python in pythons()), default=((), None))
    if version[:2] <= sys.version_info[:2]:
        print(f"Not run: no Python newer than {sys.version_info[0]}.{sys.version_info[1]} is installed.")
        return 0
    print(f"Python {'.'.join(map(str, version))} ({python})", flush=True)
    return run(python, __file__, "test", *arguments, DEV_VENV=".venv-newest")


def set_up() -> Path:
    """Prepare .venv, or the folder that DEV_VENV names, if it needs it; returns its Python."""
    venv = ROOT / os.environ.get("DEV_VENV", ".venv")
    python, state = python_in(venv, os.name == "nt"), venv / STATE
    wanted = fingerprint(ROOT, sys.version)
    step = next_step(state.read_text(encoding="utf-8") if state.is_file() else None, wanted, starts(python))
    if step == "nothing":
        return python
    print(f"Setting up {venv} (a minute or two, once) ...", flush=True)  # before what pip prints
    if step == "create":
        create(venv)
    has_pip = subprocess.run([python, "-c", "import pip"], capture_output=True).returncode == 0
    pip = (python, "-m", "pip") if has_pip else (creator(venv), "-m", "pip", "--python", python)
    must(*pip, "install", "--quiet", *REQUIREMENTS)
    # What pip installs from a folder it does not compile; where Python may not keep what it compiles, each run would.
    run(python, "-m", "compileall", "-q", ROOT / "tools" / "linkindex" / "src")
    state.write_text((BY_HAND if step == "install" else "") + wanted, encoding="utf-8")
    return python


def site(serve: bool, port: str | None) -> int:
    python = set_up()
    code = run(python, "-m", "linkindex", "build")
    if code or not serve:
        return code
    return run(python, "-m", "linkindex", "serve", *(("--port", port) if port else ()))


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="dev.py", description="Set up, build and test with nothing but Python.")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    page = commands.add_parser("site", help="build the site, serve it and print its address")
    page.add_argument("--no-serve", action="store_true", help="only build, into site/")
    page.add_argument("--port", metavar="N", help="serve here, or at the next free port; default 8000")
    commands.add_parser("test", help="run the whole suite; further arguments go to pytest", add_help=False)
    commands.add_parser("newest", help="run tests with the newest Python of this machine", add_help=False)
    commands.add_parser("setup", help="only prepare .venv")
    return top


def main(arguments: Sequence[str]) -> int:
    try:
        if arguments[:1] == ["test"]:  # not argparse's: every argument after it is pytest's
            return run(set_up(), "-m", "pytest", *pytest_arguments(arguments[1:], processors()))
        if arguments[:1] == ["newest"]:
            return newest(arguments[1:])
        options = parser().parse_args(arguments)
        if options.command == "site":
            return site(not options.no_serve, options.port)
        set_up()
        return 0
    except CannotGoOn as problem:
        print(problem, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
