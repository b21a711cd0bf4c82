"""Second stage: find the exact place of everything that the records name."""

from collections.abc import Callable
from functools import cache

from linkindex.formula import Formula, FormulaError, Notation, parse
from linkindex.load import LOCK
from linkindex.model import (
    Concept, Directive, Equation, Finding, Function, Index, Link, Page, Place, Resolution, TestPlace,
)  # fmt: skip
from linkindex.resolve.calls import find_calls
from linkindex.resolve.expressions import assignments, comment_shape
from linkindex.resolve.functions import Found, Library, NotFound
from linkindex.resolve.lock import check_lock
from linkindex.resolve.places import find_links
from linkindex.resolve.prose import check_prose
from linkindex.resolve.sources import Source, read_source
from linkindex.resolve.tests import find_test

Read = Callable[[str], Source | None]


def resolve(index: Index, calls: bool = True) -> tuple[Resolution, tuple[Finding, ...]]:
    """The places of all records, and a finding for each that is not there once. ``calls``: also look for callers."""
    findings: list[Finding] = []
    root = index.config.root
    read = _reader(index, findings)
    library = Library(root, read)
    formulas: dict[str, Formula] = {}
    links: dict[str, tuple[Link, ...]] = {}
    tests: dict[str, TestPlace] = {}
    for page in index.pages:
        symbols = {symbol.latex: symbol for symbol in page.notation}
        notation = Notation.of(page.notation)
        for equation in page.equations:
            with _Noting(equation, findings) as note:
                formulas[equation.id] = parse(equation.latex, notation)
                note.key = "in"
                links[equation.id] = find_links(equation, formulas[equation.id], symbols, library)
            with _Noting(equation, findings, "test"):
                tests[equation.id] = find_test(equation.id, equation.test, root, read)
    functions = _functions(index, links, library, findings)
    findings.extend(check_prose(index))
    findings.extend(check_lock(index, links, f"{index.config.docs}/{LOCK}"))
    resolution = Resolution(
        links=links,
        tests=tests,
        functions={name: found.function for name, found in functions.items()},
        shapes={name: _shapes(found) for name, found in functions.items()},
        calls=tuple(find_calls(_modules(index, read), set(functions), library)) if calls else (),
        sources={path: source.text for path in _files(links, tests, functions) if (source := read(path))},
        formulas=formulas,
    )
    return resolution, tuple(sorted(set(findings)))


class _Noting:
    """Turns what goes wrong with one equation into a finding at the place of the key that is being followed."""

    def __init__(self, equation: Equation, findings: list[Finding], key: str = "latex"):
        self.equation, self.findings, self.key = equation, findings, key

    def __enter__(self) -> "_Noting":
        return self

    def __exit__(self, kind, error, traceback) -> bool:
        if isinstance(error, FormulaError):
            message = f"{self.equation.id}: {error.message}"
            self.findings.append(Finding(self.equation.latex_place(error.offset), "LI501", message))
        elif isinstance(error, NotFound):
            key = "code" if self.key == "in" and error.code in ("LI206", "LI207", "LI208") else self.key
            place = self.equation.keys.get(key) or self.equation.keys.get(self.key) or self.equation.place
            self.findings.append(Finding(place, error.code, f"{self.equation.id}: {error}"))
        return isinstance(error, (FormulaError, NotFound))


def _reader(index: Index, findings: list[Finding]) -> Read:
    @cache
    def read(path: str) -> Source | None:
        source = read_source(index.config.root, path)
        if isinstance(source, Finding):
            findings.append(source)
            return None
        return source

    return read


def _functions(
    index: Index, links: dict[str, tuple[Link, ...]], library: Library, findings: list[Finding]
) -> dict[str, Found]:
    """The linked functions, and those that pages list."""
    functions = {link.function: library.find(link.function) for each in links.values() for link in each}
    for page in index.pages:
        for directive in _listings(page):
            for name in directive.arguments:
                try:
                    functions.setdefault(name, library.find(name))
                except NotFound as error:
                    findings.append(Finding(directive.place, error.code, str(error)))
    return functions


def _listings(page: Page) -> list[Directive]:
    blocks = [inner for block in page.blocks for inner in (block.blocks if isinstance(block, Concept) else (block,))]
    return [block for block in blocks if isinstance(block, Directive) and block.name == "listing"]


def _shapes(found: Found) -> dict[str, tuple[str, ...]]:
    """The shapes that comments give to the function's variables."""
    shapes = {}
    for assignment in assignments(found.node):
        shape = comment_shape(found.source, found.source.span(assignment.statement))
        if shape is not None and assignment.element is None:
            shapes[assignment.target] = shape
        elif shape is not None and assignment.element == 0:
            shapes[assignment.target] = shape
    return shapes


def _modules(index: Index, read: Read) -> list[tuple[str, Source]]:
    modules = []
    for package in index.config.packages:
        for base in ("", "src/"):
            folder = index.config.root / base / package.replace(".", "/")
            for path in sorted(folder.rglob("*.py")) if folder.is_dir() else ():
                relative = path.relative_to(index.config.root)
                source = read(relative.as_posix())
                if source is not None:
                    parts = relative.with_suffix("").parts[1 if base else 0 :]
                    modules.append((".".join(parts).removesuffix(".__init__"), source))
    return modules


def _files(links: dict[str, tuple[Link, ...]], tests: dict[str, TestPlace], functions: dict[str, Found]) -> list[str]:
    files = {link.span.file for each in links.values() for link in each}
    files |= {test.function.file for test in tests.values()}
    files |= {found.source.path for found in functions.values()}
    return sorted(files)
