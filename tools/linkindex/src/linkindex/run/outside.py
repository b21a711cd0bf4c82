"""What a result may depend on beside code: files of data, which files there are, and variables of the environment."""

import collections.abc
import functools
import glob
import os
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from types import FrameType

ENVIRONMENT = "environment:"  # before the name of a variable
FOLDER = "folder:"  # before the path of a folder, where it matters which files are in it
LISTING = ("os.listdir", "os.scandir")
# The interpreter, what is installed, and what the system is: the cache knows their versions, or they hold no data.
INSTALLED = tuple(
    os.path.join(os.path.abspath(folder), "")
    for folder in {sys.prefix, sys.base_prefix, *sysconfig.get_paths().values()}
    if folder and os.path.abspath(folder) != os.path.abspath(os.sep)
)
# Not os.__file__: frozen modules have other names in their code.
THROUGH = frozenset(
    function.__code__.co_filename
    for function in (
        os.getenv, os.path.expandvars, collections.abc.Mapping.get,
        os.path.exists, os.path.lexists, Path.exists, glob.glob,
    )
    if hasattr(function, "__code__")
)  # fmt: skip
SYSTEM = tuple(os.path.join(os.sep, name, "") for name in ("dev", "proc", "sys", "usr", "lib", "lib64", "etc"))


class Files:
    """Tells files of data from others: those of the project, of what is installed, of the system, and those that the
    work writes itself, which say nothing new."""

    def __init__(self, root: str):
        self._others = (root, *INSTALLED, *SYSTEM)
        self._made: set[str] = set()

    def is_data(self, path: str, mode: object, flags: object) -> bool:
        """Whether a file that is opened holds what the work did not put there, and is read."""
        flags = flags if isinstance(flags, int) else 0
        if path == "" or path.startswith(self._others) or self._is_made(path):
            return False
        if mode in ("w", "wb") or flags & os.O_TRUNC or (flags & os.O_CREAT and not os.path.exists(path)):
            self._made.add(path)
            return False
        return not flags & os.O_WRONLY

    def is_known(self, path: str) -> bool:
        """Whether it says nothing that there is such a file: what is installed is, and what the work made."""
        root, *others = self._others
        return self._is_made(path) or (path.startswith(tuple(others)) and not path.startswith(root))

    def made(self, event: str, arguments: tuple) -> None:
        """A folder is made, unless it is there, or a file is given another name."""
        named = (one for one in arguments[:2] if isinstance(one, (str, bytes, os.PathLike)))
        paths = [os.path.abspath(os.fsdecode(one)) for one in named]
        if event == "os.mkdir" and paths and not os.path.exists(paths[0]):
            self._made.add(os.path.join(paths[0], ""))
        elif len(paths) == 2 and self._is_made(paths[0]):
            self._made.add(paths[1])

    def _is_made(self, path: str) -> bool:
        return path in self._made or any(made.endswith(os.sep) and path.startswith(made) for made in self._made)


def installed_beside(root: str) -> tuple[str, ...]:
    """The folders of what is installed, without one that the project stands in."""
    return tuple(folder for folder in INSTALLED if not root.startswith(folder))


def names_in(folder: str) -> list[str]:
    """The names of what is in a folder, as far as it says something; none where there is no such folder."""
    try:
        return sorted(name for name in os.listdir(folder) if name != "__pycache__")
    except OSError:
        return []


def variable(name: str) -> str | None:
    """The value of the variable behind a name among the notes of files; None where it is not set."""
    return os.environ.get(name.removeprefix(ENVIRONMENT))


def reader(frame: FrameType | None) -> str:
    """The file of the code that asks the system for something, by whichever function of ``os`` and the like."""
    while frame is not None and frame.f_code.co_filename in THROUGH:
        frame = frame.f_back
    return frame.f_code.co_filename if frame else ""


def watch_files(looked: Callable[[object], None]) -> None:
    """Have ``looked`` called with each path of which is asked whether it is there, and what it is."""

    def watched(ask: Callable) -> Callable:
        @functools.wraps(ask)
        def asking(path, *arguments, **named):
            looked(path)
            return ask(path, *arguments, **named)

        for able in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks, os.supports_effective_ids):
            if ask in able:
                able.add(asking)
        return asking

    os.stat, os.lstat, os.access = map(watched, (os.stat, os.lstat, os.access))


def watch_environment(asked: Callable[[str], None]) -> None:
    """Have ``asked`` called with the name of each variable that is read."""

    def watched(kind: type) -> type:
        class Watched(kind):
            def __getitem__(self, name):
                if isinstance(name, (str, bytes)):
                    asked(os.fsdecode(name))
                return super().__getitem__(name)

        return Watched

    for environment in (os.environ, getattr(os, "environb", None)):
        if environment is not None:
            environment.__class__ = watched(type(environment))
