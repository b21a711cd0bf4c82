#!/usr/bin/env python3
"""Set up, build and test this repository with nothing but Python.

    python3 tools/dev.py site [--no-serve] [--port N]   build the site, serve it, print the address
    python3 tools/dev.py test [pytest arguments ...]    run the whole suite, or what the arguments select
    python3 tools/dev.py setup                          only prepare .venv

Every command first prepares .venv from tools/constraints.txt, unless that was done before from the same inputs.
"""

import sys

if sys.version_info < (3, 11):  # before anything that an older Python cannot import; it can parse this whole file
    sys.exit("needs Python 3.11 or newer, this is {}.{}.{} ({})".format(*sys.version_info[:3], sys.executable))

import argparse
import hashlib
import importlib.util
import os
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


def exit_code(returncode: int) -> int:
    """A child's return code as a shell reports it: a child ended by signal n counts as 128 + n."""
    return 128 - returncode if returncode < 0 else returncode


# --- doing it --------------------------------------------------------------------------------------------------------


def run(*command: str | Path) -> int:
    """Run a command in the root of the repository; Ctrl-C reaches it too, and it is left to end by itself."""
    interrupted = False
    with subprocess.Popen([str(part) for part in command], cwd=ROOT, env=environment()) as child:
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


def set_up() -> Path:
    """Prepare .venv if it needs it; returns its Python."""
    venv = ROOT / ".venv"
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
    commands.add_parser("setup", help="only prepare .venv")
    return top


def main(arguments: Sequence[str]) -> int:
    try:
        if arguments[:1] == ["test"]:  # not argparse's: every argument after it is pytest's
            return run(set_up(), "-m", "pytest", *arguments[1:])
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
