"""What a test reaches: the project's functions that it calls, and the project's files that it reads.

Results may be kept as long as all of these stay the same.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Reach:
    """Notes calls of functions defined below ``root`` and files opened below it, while ``watching``."""

    def __init__(self, root: Path):
        self.root = str(root.resolve()) + "/"
        self.functions: set[tuple[str, str]] = set()
        self.files: set[str] = set()
        self._active = False
        sys.addaudithook(self._audit)

    @contextmanager
    def watching(self) -> Iterator[None]:
        previous = sys.getprofile()
        self._active = True
        sys.setprofile(self._profile)
        try:
            yield
        finally:
            sys.setprofile(previous)
            self._active = False

    def take(self) -> dict[str, list]:
        """What was noted since the last call, sorted."""
        noted = {"functions": sorted(self.functions), "files": sorted(self.files)}
        self.functions, self.files = set(), set()
        return noted

    def modules(self) -> list[str]:
        """The project's files that are imported now."""
        files = (getattr(module, "__file__", None) or "" for module in list(sys.modules.values()))
        return sorted({file.removeprefix(self.root) for file in files if file.startswith(self.root) and file.endswith(".py")})

    def _profile(self, frame, event: str, argument) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(self.root):
            self.functions.add((frame.f_code.co_filename.removeprefix(self.root), frame.f_code.co_qualname))

    def _audit(self, event: str, arguments: tuple) -> None:
        if self._active and event == "open" and isinstance(arguments[0], str) and arguments[0].startswith(self.root):
            self.files.add(arguments[0].removeprefix(self.root))
