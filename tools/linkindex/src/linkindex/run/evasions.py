"""Ways in which code of the packages runs, or is looked at, where no probe sees it.

A file that is loaded a second time has functions of its own, which compute the same and are not watched; so has a copy
of it, and the code in another process.
"""

import os
from collections import Counter
from collections.abc import Iterable
from types import CodeType

PROCESSES = frozenset(
    {"subprocess.Popen", "os.system", "os.fork", "os.forkpty", "os.exec", "os.spawn", "os.posix_spawn"}
)


class Evasions:
    """Notes them in words. ``root`` ends with a separator; ``packages``: import names."""

    def __init__(self, root: str, packages: Iterable[str]):
        names = [package.replace(".", os.sep) for package in packages]
        starts = [os.path.join(root, base, name) for base in ("", "src") for name in names]
        self._root, self._folders = root, tuple(start + os.sep for start in starts)
        self._modules = tuple(f"{start}.py" for start in starts)
        self._loaded: Counter[str] = Counter()
        self._noted: set[str] = set()

    def noted(self) -> list[str]:
        again = (f"{self._relative(path)} is loaded a second time" for path, times in self._loaded.items() if times > 1)
        return sorted({*self._noted, *again})

    def executed(self, code: object) -> None:
        """A module is executed once, when it is imported."""
        if isinstance(code, CodeType) and code.co_name == "<module>" and self._is_packaged(code.co_filename):
            self._loaded[os.path.abspath(code.co_filename)] += 1

    def read(self, path: str) -> None:
        """A file is opened for what it holds, not to be imported."""
        if path.endswith(".py") and self._is_packaged(path):
            self._noted.add(f"{self._relative(path)} is read as a file")

    def hidden(self, event: str) -> None:
        if event in PROCESSES:
            self._noted.add(f"another process is started ({event})")

    def _is_packaged(self, path: str) -> bool:
        absolute = os.path.abspath(path)
        return absolute.startswith(self._folders) or absolute in self._modules

    def _relative(self, path: str) -> str:
        return path.removeprefix(self._root).replace(os.sep, "/")
