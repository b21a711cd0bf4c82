"""Second stage: find the exact place of everything that the records name."""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from linkindex.directives import texts
from linkindex.formula import Formula, FormulaError, Notation, parse
from linkindex.formula.drawn import check_drawn
from linkindex.formula.mathml import check_visible
from linkindex.formula.mathml import render as render_formula
from linkindex.kinds import Meaning
from linkindex.load import LOCK
from linkindex.model import Equation, Finding, Index, Link, Page, Record, Resolution, Statement, TestPlace
from linkindex.resolve.assignments import Assignment, assignments_of
from linkindex.resolve.calls import find_calls
from linkindex.resolve.expressions import comment_shape
from linkindex.resolve.functions import NOTED, Found, Library, NotFound
from linkindex.resolve.imports import imported_names
from linkindex.resolve.lock import Locked, check_lock, lockable
from linkindex.resolve.mentions import Mentioned, find_mentioned
from linkindex.resolve.places import find_links, find_links_elsewhere
from linkindex.resolve.prose import check_prose
from linkindex.resolve.tests import find_test
from linkindex.resolve.versions import check_versions
from linkindex.sources import Source, read_source

Read = Callable[[str], Source | None]


def resolve(index: Index) -> tuple[Resolution, tuple[Finding, ...]]:
    """The places of all records, and a finding for each that is not there once."""
    finder = Finder(index)
    formulas: dict[str, Formula] = {}
    links: dict[str, tuple[Link, ...]] = {}
    tests: dict[str, TestPlace] = {}
    for page in index.pages:
        for equation in page.equations:
            found = finder.places(page, equation)
            formulas |= {equation.id: found.formula} if found.formula else {}
            links |= {equation.id: found.links} if found.links else {}
            tests |= {equation.id: found.test} if found.test else {}
        finder.check_latex(page.statements)
        finder.findings.extend(check_versions(page, formulas, links, finder.library))
    functions = finder.functions(links)
    modules = _modules(index, finder.read)
    calls = tuple(find_calls(modules, set(functions), finder.library))
    mentioned = finder.mentioned()
    now = {equation.id: lockable(equation, links[equation.id]) for equation in index.equations if equation.id in links}
    finder.findings.extend(check_whole(index, now))
    files = _files(links, tests, functions) | {call.span.file for call in calls} | mentioned.files
    files |= _called(functions.values(), dict(modules))
    resolution = Resolution(
        links=links,
        tests=tests,
        functions={name: found.function for name, found in functions.items()},
        shapes={name: _shapes(found) for name, found in functions.items()},
        calls=calls,
        sources={path: source.text for path in sorted(files) if (source := finder.read(path))},
        formulas=formulas,
        mentions=mentioned.mentions,
        stored=mentioned.stored,
        assigned={name: _lines(assignments_of(found)) for name, found in functions.items()},
    )
    return resolution, tuple(sorted(set(finder.findings)))


def check_whole(index: Index, now: Mapping[str, Locked]) -> Iterator[Finding]:
    """What is checked of the index as a whole, once what there is to lock of each equation is known."""
    yield from check_prose(index)
    yield from check_lock(index, now, f"{index.config.docs}/{LOCK}")


@dataclass(frozen=True)
class Places:
    """What was found of one equation; ``files``: all that was read for it."""

    formula: Formula | None
    links: tuple[Link, ...]
    test: TestPlace | None
    files: tuple[str, ...]


class Finder:
    """Finds places by reading source files, each once, and collects what is wrong."""

    def __init__(self, index: Index):
        self.index = index
        self.findings: list[Finding] = []
        self.read = cache(self._read)
        self.library = Library(index.config.root, self.read)
        self.notation = {page.stem: Notation.of(page.notation) for page in index.pages}

    def _read(self, path: str) -> Source | None:
        source = read_source(self.index.config.root, path)
        if isinstance(source, Finding):
            self.findings.append(source)
            return None
        return source

    def places(self, page: Page, equation: Equation) -> Places:
        formula, links, test = None, (), None
        of_test: list[str] = []

        def read(path: str) -> Source | None:
            of_test.append(path)
            return self.read(path)

        self.library.files.clear()
        symbols = {symbol.latex: symbol.at(equation.probe.function) for symbol in page.notation}
        with _Noting(equation, self.findings, "latex") as note:
            formula = parse(equation.latex, self.notation[page.stem])
            drawn = render_formula(formula.marked)
            check_visible(formula, drawn)
            check_drawn(drawn)
            note.key = "in"
            found = find_links(equation, formula, symbols, self.library)
            note.key = "computes" if equation.computes else "also"
            links = tuple(sorted((*found, *find_links_elsewhere(equation, self.library)), key=lambda link: link.part))
        with _Noting(equation, self.findings, "test"):
            if equation.test:  # its lack was reported when the record was read
                test = find_test(equation.id, equation.test, self.index.config.root, read)
        return Places(formula, links, test, (*sorted(self.library.files), *of_test))

    def check_latex(self, statements: Iterable[Statement]) -> None:
        """Whether statements can be displayed: no more is asked of them."""
        for statement in statements:
            with _Noting(statement, self.findings, "latex"):
                check_drawn(render_formula(statement.latex))

    def mentioned(self) -> Mentioned:
        """The code that directives name."""
        found = find_mentioned(self.index, self.library)
        self.findings.extend(found.findings)
        return found

    def functions(self, links: Mapping[str, tuple[Link, ...]]) -> dict[str, Found]:
        """The linked functions, and those that pages list."""
        functions = {link.function: self.library.find(link.function) for each in links.values() for link in each}
        for directive in (directive for page in self.index.pages for directive in page.directives):
            for name in texts(directive, Meaning.LISTED):
                try:
                    functions.setdefault(name, self.library.find(name))
                except NotFound as error:
                    self.findings.append(Finding(directive.place, error.code, str(error)))
        return functions


class _Noting:
    """Turns what goes wrong with one equation into a finding at the place of the key that is being followed."""

    def __init__(self, equation: Record, findings: list[Finding], key: str):
        self.equation, self.findings, self.key = equation, findings, key

    def __enter__(self) -> "_Noting":
        return self

    def __exit__(self, kind, error, traceback) -> bool:
        if isinstance(error, FormulaError):
            message = f"{self.equation.id}: {error.message}"
            self.findings.append(Finding(self.equation.latex_place(error.offset), "LI501", message))
        elif isinstance(error, NotFound) and error.code != NOTED:
            key = "code" if self.key == "in" and error.code in ("LI206", "LI207", "LI208") else self.key
            place = self.equation.keys.get(key) or self.equation.keys.get(self.key) or self.equation.place
            self.findings.append(Finding(place, error.code, f"{self.equation.id}: {error}"))
        return isinstance(error, (FormulaError, NotFound))


def _shapes(found: Found) -> dict[str, tuple[str, ...]]:
    """The shapes that comments give to the function's variables."""
    shapes = {}
    for assignment in assignments_of(found):
        shape = comment_shape(found.source, found.source.span(assignment.statement))
        if shape is not None and assignment.element is None:
            shapes[assignment.target] = shape
        elif shape is not None and assignment.element == 0:
            shapes[assignment.target] = shape
    return shapes


def _lines(assignments: tuple[Assignment, ...]) -> dict[str, tuple[tuple[int, int], ...]]:
    lines: dict[str, tuple[tuple[int, int], ...]] = {}
    for one in assignments:
        lines[one.target] = (*lines.get(one.target, ()), (one.statement.lineno, one.statement.end_lineno))
    return lines


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


def _called(functions: Iterable[Found], modules: Mapping[str, Source]) -> set[str]:
    """The files whose names the functions use: what a listing calls can be read on the site as well."""
    named = {
        target
        for found in functions
        for node in ast.walk(found.node) if isinstance(node, ast.Name)
        for target in imported_names(found.source.tree, found.function.module, found.source.path, node.id)
    }
    homes = {name if name in modules else name.rpartition(".")[0] for name in named}
    return {modules[home].path for home in homes if home in modules}


def _files(links: dict[str, tuple[Link, ...]], tests: dict[str, TestPlace], functions: dict[str, Found]) -> set[str]:
    files = {link.span.file for each in links.values() for link in each}
    files |= {test.function.file for test in tests.values()}
    return files | {found.source.path for found in functions.values()}
