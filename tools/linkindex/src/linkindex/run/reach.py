"""What a piece of work reaches: the project's functions that it calls, and the files that it opens.

A result may be kept as long as all of these stay the same. Notes are plain data:
{"functions": [[file, qualified name], ...], "files": [file, ...]}, or None where the work started a process: then it
is not known what it reached. A file outside of the project has its whole path.
"""

import os
import sys
import sysconfig
from functools import cache
from pathlib import Path
from types import FrameType

from linkindex.run.calls import Calls

OWN = str(Path(__file__).parents[1]) + os.sep
IMPORTS = "<frozen importlib"
REWRITE = os.path.join("_pytest", "assertion", "rewrite.py")
COMPILED = f"{os.sep}__pycache__{os.sep}"
# What is installed has a version, which the cache knows.
STDLIB = tuple(
    os.path.join(real(sysconfig.get_path(name)), "")
    for name in ("stdlib", "platstdlib")
    for real in (os.path.abspath, os.path.realpath)
)
PACKAGES = tuple(f"{os.sep}{name}{os.sep}" for name in ("site-packages", "dist-packages"))
DEVICES = tuple(os.path.join(os.sep, name, "") for name in ("dev", "proc", "sys"))
# What hides code from view: other processes, and work that takes the place of this observer.
HIDING = frozenset(
    {
        "subprocess.Popen", "os.system", "os.fork", "os.forkpty", "os.exec", "os.spawn", "os.posix_spawn",
        "sys.setprofile",
    }
)  # fmt: skip

Notes = dict[str, list]


class Reach:
    """Notes all code of the project that runs, and all files that are opened, from ``start`` on.

    Code that is not installed is compiled from its source: what Python compiled earlier may be that of a file that was
    written within the same second. A forked copy goes on with the notes that were made before, so that they say all
    that it depends on.
    """

    def __init__(self, root: Path):
        self.root = os.path.join(str(root.resolve()), "")
        self._calls = Calls()
        self._functions: set[tuple[str, str]] = set()
        self._files: set[str] = set()
        self._made: set[str] = set()  # files that the work wrote: they say nothing new
        self._is_known = True
        self._real = cache(os.path.realpath)
        self._active = False

    def start(self, calls: bool = True) -> None:
        """Without ``calls``, only files are noted, at no cost."""
        if self._active:
            return
        sys.pycache_prefix = None  # what was compiled earlier stands in __pycache__
        for module in list(sys.modules.values()):
            self._loaded(getattr(module, "__dict__", {}).get("__file__"))
        sys.addaudithook(self._audit)
        if calls:
            self._calls.start()
        self._active = True

    def sort_out(self) -> None:
        """Forget what is no code of the project: the fewer notes there are, the faster a forked copy reads its own."""
        found = ((code.co_filename, code.co_qualname) for code in self._calls.taken())
        self._functions |= {(file, name) for file, name in found if self._is_project(file)}

    def noted(self) -> Notes | None:
        self.sort_out()
        functions = sorted([self._relative(path), name] for path, name in self._functions)
        return {"functions": functions, "files": sorted(self._files)} if self._is_known else None

    def _audit(self, event: str, arguments: tuple) -> None:
        if not self._active:
            return
        if event == "open":
            if isinstance(arguments[0], (str, bytes, os.PathLike)):  # not a descriptor
                self._opened(os.path.abspath(os.fsdecode(arguments[0])), arguments[2])
        elif event == "import":
            self._loaded(arguments[1])  # a file, where it is one of machine code
        elif event == "os.rename":
            before, after = (os.path.abspath(os.fsdecode(path)) for path in arguments[:2])
            if before in self._made:
                self._made.add(after)
        elif event in HIDING and self._is_called_by_work(sys._getframe(1)):
            self._is_known = False

    def _opened(self, path: str, flags: int) -> None:
        if self._is_installed(path) or path.startswith(DEVICES):
            return
        if path.endswith(".pyc") and COMPILED in path:
            raise FileNotFoundError(path)
        if flags & os.O_TRUNC or (flags & os.O_CREAT and not os.path.exists(path)):
            self._made.add(path)
        elif not (flags & os.O_WRONLY or path in self._made or os.path.isdir(path)):
            if not path.startswith(self.root) or self._is_read(sys._getframe(2)):
                self._files.add(self._relative(path))

    def _loaded(self, path: object) -> None:
        """A module, of which no function is noted."""
        if isinstance(path, str) and not self._is_installed(path):
            self._files.add(self._relative(os.path.abspath(path)))

    def _is_project(self, path: str) -> bool:
        return path.startswith(self.root) and not self._is_installed(path)

    def _is_installed(self, path: str) -> bool:
        """Whether it is of this program, of the standard library or of site-packages, and not merely linked there."""
        if self._is_in_packages(path):
            return self._is_in_packages(os.path.join(self._real(os.path.dirname(path)), ""))
        return path.startswith((OWN, *STDLIB))

    def _is_in_packages(self, path: str) -> bool:
        return any(name in os.sep + path.removeprefix(self.root) for name in PACKAGES)

    def _relative(self, path: str) -> str:
        return path.removeprefix(self.root).replace(os.sep, "/")

    def _is_read(self, frame: FrameType | None) -> bool:
        """Whether a file is opened for what it holds, not in order to be imported: then its functions are noted one by
        one, when they run."""
        while frame is not None and not self._is_project(path := frame.f_code.co_filename):
            if path.startswith(IMPORTS) or path.endswith(REWRITE):
                return False
            frame = frame.f_back
        return True

    def _is_called_by_work(self, frame: FrameType | None) -> bool:
        """Whether code that is not installed asked for it, not a library while it was imported, nor this program."""
        while frame is not None:
            path = frame.f_code.co_filename
            if os.path.isabs(path) and not self._is_installed(path):
                return True
            if path.startswith((OWN, IMPORTS)):
                return False
            frame = frame.f_back
        return False


def both(a: Notes | None, b: Notes | None) -> Notes | None:
    """The notes of two pieces of work together."""
    if a == b or not (a and b):
        return a and b
    functions = sorted(map(list, {*map(tuple, a["functions"]), *map(tuple, b["functions"])}))
    return {"functions": functions, "files": sorted({*a["files"], *b["files"]})}
