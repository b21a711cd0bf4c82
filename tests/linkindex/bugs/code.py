"""Small modules for one test, and what the stage ``resolve`` finds in them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from linkindex.model import Finding, Span
from linkindex.resolve.expressions import find_expression
from linkindex.resolve.functions import Found, Library, NotFound
from linkindex.sources import Source, read_source


@dataclass(frozen=True)
class Code:
    """Files below ``root``, read as the tool reads them."""

    root: Path
    library: Library

    @classmethod
    def write(cls, root: Path, files: dict[str, str | bytes]) -> "Code":
        for path, text in files.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text if isinstance(text, bytes) else text.encode())
        return cls(root, Library(root, cache(lambda path: _source(root, path))))

    def source(self, path: str) -> Source:
        source = self.library.read(path)
        assert source is not None, f"{path} is not read: {read_source(self.root, path)}"
        return source

    def find(self, name: str) -> Found:
        return self.library.find(name)

    def refused(self, name: str) -> NotFound:
        """Why a name is not found."""
        try:
            found = self.find(name)
        except NotFound as error:
            return error
        raise AssertionError(f"{name} was found: {found.function}")

    def span(self, function: str, code: str) -> Span:
        """Where a piece of code stands in a function; its text is checked against the file's characters."""
        found = self.find(function)
        span = found.source.span(find_expression(found, code).node)
        assert self.text(span) == span.code
        return span

    def refused_code(self, function: str, code: str) -> NotFound:
        try:
            span = self.span(function, code)
        except NotFound as error:
            return error
        raise AssertionError(f"{code} was found: {span}")

    def text(self, span: Span) -> str:
        """The characters from place to place, taken from the file itself; lines end as the parser sees them."""
        lines = self.source(span.file).lines[span.line - 1 : span.end_line]
        cut = [*lines[:-1], lines[-1][: span.end_col - 1]]
        return "\n".join([cut[0][span.col - 1 :], *cut[1:]])


def _source(root: Path, path: str) -> Source | None:
    source = read_source(root, path)
    return None if isinstance(source, Finding) else source
