"""Where faults are planted: lines of certain kinds, found in any project."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from linkindex.model import Equation, Link, Place
from linkindex.selfattack.fault import Pristine, Way
from linkindex.verify.site import html_path


@dataclass(frozen=True)
class Spot:
    """Lines of a file. ``words``: what a change may name, beside the ``code`` of the lines and their ``indent``."""

    path: str
    line: int
    end_line: int
    equation: Equation | None
    words: Mapping[str, str]


Spots = Callable[[Pristine], Iterator[Spot]]
Change = Callable[[str, Mapping[str, str]], str | None]  # lines and words -> lines; None: the file is removed
Found = Callable[[Pristine, Spot], Place]


def changed(spots: Spots, change: Change, found: Found) -> Callable[[Pristine], Iterator[Way]]:
    """The lines of a spot changed. Where this changes nothing, the next spot is tried."""

    def ways(project: Pristine) -> Iterator[Way]:
        for spot in spots(project):
            lines = project.lines(spot.path)
            code = "\n".join(lines[spot.line - 1 : spot.end_line])
            new = change(code, {**spot.words, "code": code, "indent": code[: len(code) - len(code.lstrip())]})
            if new != code:
                lines[spot.line - 1 : spot.end_line] = [new or ""]
                yield {spot.path: None if new is None else "\n".join(lines)}, found(project, spot)

    return ways


def put(template: str) -> Change:
    """Other lines, in which words stand as ``<name>``."""
    return lambda code, words: _filled(template, words)


def sub(pattern: str, new: str) -> Change:
    """A pattern replaced wherever it occurs; both may hold words."""
    return lambda code, words: re.sub(_filled(pattern, words, re.escape), _filled(new, words), code)


def _filled(template: str, words: Mapping[str, str], form: Callable[[str], str] = str) -> str:
    return re.sub(r"<(\w+)>", lambda match: form(words[match[1]]) if match[1] in words else match[0], template)


def here(offset: int = 0) -> Found:
    return lambda project, spot: Place(spot.path, spot.line + offset)


def record(*keys: str) -> Found:
    """Where the first of these keys stands in the record that has it; without any, the record."""
    return lambda project, spot: next(
        (spot.equation.keys[key] for key in keys if key in spot.equation.keys), spot.equation.place
    )


def _assigned(project: Pristine) -> Iterator[tuple[Equation, Link]]:
    """Equations, no properties, found by the variable that their code is assigned to, with that code, in one line."""
    for equation in project.index.equations:
        link = project.resolution.links[equation.id][0]
        plain = equation.probe.code in (None, link.target) and equation.probe.function == link.function
        plain = plain and not equation.is_property and link.element is None
        if plain and link.target and link.statement.line == link.statement.end_line:
            yield equation, link


def functions(project: Pristine) -> Iterator[Spot]:
    """Linked functions. ``name``; ``target``: the linked variable."""
    for equation, link in _assigned(project):
        function = project.resolution.functions[link.function]
        words = {"name": function.qualname.rpartition(".")[2], "target": link.target}
        yield Spot(function.span.file, function.span.line, function.span.end_line, equation, words)


def statements(project: Pristine) -> Iterator[Spot]:
    """Linked statements. ``target``: the variable."""
    for equation, link in _assigned(project):
        yield Spot(link.span.file, link.statement.line, link.statement.line, equation, {"target": link.target})


def comments(project: Pristine) -> Iterator[Spot]:
    """Linked statements whose comment alone says what shape the variable has. ``axis``: the last one of it."""
    notation = {(page.stem, symbol.code): symbol for page in project.index.pages for symbol in page.notation}
    for equation, link in _assigned(project):
        symbol = notation.get((equation.page, link.target))
        used = symbol and symbol.shape is None and symbol.latex in project.resolution.formulas[equation.id].symbols
        if used and link.comment_shape:
            words = {"axis": link.comment_shape[-1]}
            yield Spot(link.span.file, link.statement.line, link.statement.line, equation, words)


def tests(project: Pristine) -> Iterator[Spot]:
    """Linked tests, from ``def`` on. ``head``: that line; ``rest``: of it, behind the bracket; ``body``."""
    for equation in project.index.equations:
        path, _, name = equation.test.partition("::")
        first = project.resolution.tests[equation.id].function.line
        yield from _from_def(project.lines(path), path, name.rpartition("::")[2], equation, first)


def examples(name: str) -> Spots:
    """A function of the example of a page, with the page's first equation; the same words as of tests."""
    return lambda project: (
        spot for page in project.index.pages if page.example and page.equations
        for spot in _from_def(project.lines(page.example), page.example, name, page.equations[0])
    )  # fmt: skip


def _from_def(lines: Sequence[str], path: str, name: str, equation: Equation, first: int = 1) -> Iterator[Spot]:
    for number, head in enumerate(lines[first - 1 :], first):
        if match := re.match(rf"( *)def {name}\((.*:\s*)$", head):
            end = _end(lines, number, match[1])
            body = "\n".join(lines[number:end])
            yield Spot(path, number, end, equation, {"name": name, "head": head, "rest": match[2], "body": body})
            return


def _end(lines: Sequence[str], line: int, indent: str) -> int:
    """The last line of the block whose first one is ``line``."""
    end = line
    for number in range(line + 1, len(lines) + 1):
        if lines[number - 1].strip():
            if not lines[number - 1].startswith(indent + " "):
                break
            end = number
    return end


def assertions(project: Pristine) -> Iterator[Spot]:
    """Linked tests with one assertion."""
    return (spot for spot in tests(project) if spot.words["body"].count("assert") == 1)


def records(project: Pristine) -> Iterator[Spot]:
    """Records that are blocks of lines. ``id``, ``page`` and ``Name``; ``test``: that of another record."""
    for equation in project.index.equations:
        path, line = equation.place.path, equation.place.line
        end = _end(project.lines(path), line, "")
        page, _, name = equation.id.rpartition(".")
        tests = [one.test for one in project.index.equations if one.test != equation.test]
        words = {"id": equation.id, "page": page, "Name": name.capitalize(), "test": (tests or [equation.test])[0]}
        if end > line:
            yield Spot(path, line, end, equation, words)


def key(name: str) -> Spots:
    """The line of a key of a record, where its value has no more lines."""
    return lambda project: (
        Spot(one.path, one.equation.keys[name].line, one.equation.keys[name].line, one.equation, one.words)
        for one in records(project) if name in one.equation.keys
        and re.fullmatch(rf"  {name}: \S.*(\n( {{,2}}\S.*)?)?",
                         "\n".join(project.lines(one.path)[one.equation.keys[name].line - 1 :][:2]))
    )  # fmt: skip


def formulas(project: Pristine) -> Iterator[Spot]:
    """Formulas with one equality sign. ``left`` and ``right`` of it."""
    for spot in key("latex")(project):
        left, relation, right = spot.equation.latex.partition(" = ")
        if relation and " = " not in right and "," not in right and not spot.equation.is_property:
            yield Spot(spot.path, spot.line, spot.line, spot.equation, {"left": left, "right": right})


def symbols(project: Pristine) -> Iterator[Spot]:
    """Lines of the registry with a variable, ``name``, that a formula uses; ``other``: another variable of it."""
    registered = {symbol.latex: symbol for symbol in project.index.symbols}
    for equation in project.index.equations:
        formula = project.resolution.formulas[equation.id]
        used = [registered[latex] for latex in formula.symbols if latex in registered and latex not in formula.target]
        used = [symbol for symbol in used if (symbol.code or "").isidentifier() and not symbol.size]
        for symbol, other in zip(used, [*used[1:], *used[:1]]):
            words = {"name": symbol.code, "other": other.code}
            yield Spot(symbol.place.path, symbol.place.line, symbol.place.line, equation, words)


def headings(project: Pristine) -> Iterator[Spot]:
    """Headings of concepts. ``ANCHOR``; ``latex`` of a symbol."""
    for page in project.index.pages:
        for concept in page.concepts if page.notation else ():
            words = {"ANCHOR": concept.anchor.upper(), "latex": page.notation[0].latex}
            yield Spot(page.path, concept.place.line, concept.place.line, None, words)


def file(path: str) -> Spots:
    """A file, for each equation. ``anchor`` of the equation; ``file`` and ``line`` of its code.

    Words of the path: that ``file``, the equation's built ``page``, the folder of the ``docs``."""

    def spots(project: Pristine) -> Iterator[Spot]:
        for equation in project.index.equations:
            span = project.resolution.links[equation.id][0].span
            words = {"file": span.file, "page": html_path(equation.page), "docs": project.index.config.docs}
            name = _filled(path, words)
            words |= {"anchor": equation.anchor, "line": str(span.line)}
            yield Spot(name, 1, len(project.lines(name)), equation, words)

    return spots
