"""What a piece of work reaches: the project's functions that it calls, and the project's files that it reads.

A result may be kept as long as all of these stay the same. Notes are plain data:
{"functions": [[file, qualified name], ...], "files": [file, ...]}. A file outside of the project has its whole path.
Among the files stand variables of the environment, as "environment:NAME", and folders whose names are read, as
"folder:PATH".
"""

import os
import sys
import traceback
import warnings
from collections.abc import Iterable
from pathlib import Path
from types import FrameType

from linkindex.run import forked, outside
from linkindex.run.calls import Calls
from linkindex.run.evasions import Evasions

EVERYTHING = "*"  # in place of a file: what the work depends on is not known, so it is everything
OWN = str(Path(__file__).parents[1]) + os.sep
IMPORTS = "<frozen importlib"
REWRITE = os.path.join("_pytest", "assertion", "rewrite.py")
# The warnings of Python 3.14 are in a module of another name.
SHOWING = frozenset(
    module.__file__ for module in (traceback, warnings, sys.modules.get("_py_warnings")) if module is not None
)
# What hides code from view: other processes, and work that takes the place of this observer.
HIDING = frozenset(
    {
        "subprocess.Popen", "os.system", "os.fork", "os.forkpty", "os.exec", "os.spawn", "os.posix_spawn",
        "sys.setprofile",
    }
)  # fmt: skip


class Reach:
    """Notes all code of the project that runs, and all of its files that are opened, from ``start`` on.

    A forked copy goes on with the notes that were made before, so that they say all that it depends on.
    """

    def __init__(self, root: Path, packages: Iterable[str] = ()):
        self.root = os.path.join(str(root.resolve()), "")
        self.evasions = Evasions(self.root, packages)
        self._calls = Calls()
        self._functions: set[tuple[str, str]] = set()
        self._files: set[str] = set()
        self._outside = outside.Files(self.root)
        self._installed = outside.installed_beside(self.root)
        self._active = False

    def start(self, calls: bool = True) -> None:
        """Without ``calls``, only files are noted, at no cost."""
        sys.addaudithook(self._audit)
        outside.watch_environment(self._asked)
        outside.watch_files(self._looked)
        if calls:
            self._calls.start()
        self._active = True

    def sort_out(self) -> None:
        """Forget what is no code of the project: the fewer notes there are, the faster a forked copy reads its own."""
        found = ((code.co_filename, code.co_qualname) for code in self._calls.taken())
        self._functions |= {(file, name) for file, name in found if self._is_project(file)}

    def noted(self) -> dict[str, list]:
        self.sort_out()
        functions = sorted([self._relative(path), name] for path, name in self._functions)
        files = self._files if forked.AVAILABLE else {*self._files, EVERYTHING}
        return {"functions": functions, "files": sorted(files)}

    def _audit(self, event: str, arguments: tuple) -> None:
        if not self._active:
            return
        if event == "open":
            path = os.path.abspath(os.fsdecode(arguments[0])) if isinstance(arguments[0], (str, bytes)) else ""
            if path.startswith(self.root) and _is_read(sys._getframe(1), self.root):
                self._files.add(self._relative(path))
                self.evasions.read(path)
            elif self._outside.is_data(path, *arguments[1:3]) and self._is_called_by_project(sys._getframe(1)):
                self._files.add(path)
        elif event in outside.LISTING:
            self._listed(arguments[0])
        elif event in ("os.mkdir", "os.rename"):
            self._outside.made(event, arguments)
        elif event == "exec":
            self.evasions.executed(arguments[0])
        elif event in HIDING and self._is_called_by_project(sys._getframe(1)):
            self._files.add(EVERYTHING)
            self.evasions.hidden(event)

    def _asked(self, name: str) -> None:
        """A variable of the environment is read: noted if code of the project reads it, not a library for itself."""
        if self._is_asked_by_project(sys._getframe(2)):
            self._files.add(outside.ENVIRONMENT + name)

    def _looked(self, path: object) -> None:
        """Whether there is a file, and what it is: noted as that it is read, if code of the project asks."""
        if self._is_asked_by_project(sys._getframe(2)) and (name := self._named(path)):
            self._files.add(name)

    def _listed(self, folder: object) -> None:
        if self._is_asked_by_project(sys._getframe(2)) and (name := self._named("." if folder is None else folder)):
            self._files.add(outside.FOLDER + name)

    def _is_asked_by_project(self, frame: FrameType | None) -> bool:
        path = outside.reader(frame)
        return self._is_project(path) and not path.startswith(self._installed)

    def _named(self, path: object) -> str | None:
        """How notes name a file; None for one that says nothing."""
        if not isinstance(path, (str, bytes, os.PathLike)):
            return None
        full = os.path.abspath(os.fsdecode(path))
        return None if self._outside.is_known(full) else self._relative(full)

    def _is_project(self, path: str) -> bool:
        return path.startswith(self.root) and not path.startswith(OWN)

    def _relative(self, path: str) -> str:
        return path.removeprefix(self.root).replace(os.sep, "/")

    def _is_called_by_project(self, frame: FrameType | None) -> bool:
        """Whether code of the project asked for it, not a library while it was imported, nor this program."""
        while frame is not None:
            path = frame.f_code.co_filename
            if self._is_project(path):
                return True
            if path.startswith((OWN, IMPORTS)):
                return False
            frame = frame.f_back
        return False


def _is_read(frame: FrameType | None, root: str) -> bool:
    """Whether a file is opened for what it holds.

    What is opened in order to be imported is not: its functions are noted one by one, when they run. Neither is a line
    that is looked up to be shown with a warning, or in a traceback.
    """
    while frame is not None:
        path = frame.f_code.co_filename
        if path.startswith(IMPORTS) or path.endswith(REWRITE) or path in SHOWING:
            return False
        if path.startswith(root) and not path.startswith(OWN):
            return True
        frame = frame.f_back
    return True


def both(a: dict[str, list], b: dict[str, list]) -> dict[str, list]:
    """The notes of two pieces of work together."""
    if a == b:
        return a
    functions = sorted(map(list, {*map(tuple, a["functions"]), *map(tuple, b["functions"])}))
    return {"functions": functions, "files": sorted({*a["files"], *b["files"]})}
