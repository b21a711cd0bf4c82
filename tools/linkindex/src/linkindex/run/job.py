"""What the worker is asked to do: probes by file, the expressions that each equation reads, examples and tests.

Probes go by their names (see ``Dependencies``), so that results do not depend on the lines that code stands on.
"""

import ast
from collections.abc import Mapping
from functools import cache

from linkindex.code import parse_code
from linkindex.formula import Formula
from linkindex.formula.inequalities import bounds
from linkindex.load.symbols import no_expression
from linkindex.model import RETURNED, Choice, Equation, Index, Link, Mention, Page, Resolution, Stored
from linkindex.refs import page_calls, page_refs, plain_code
from linkindex.run.dependencies import Dependencies
from linkindex.run.spans import Spans, place_of, to_plain
from linkindex.sizes import all_sizes, lengths_of, size_faults

Names = Mapping[str, str]  # key of a link -> name of its probe


def probe_spans(resolution: Resolution) -> dict[str, Spans]:
    """File -> span -> key, of every link, and of the code that directives name."""
    spans: dict[str, dict] = {}
    for place in (*_valued(resolution), *_choices(resolution)):
        spans.setdefault(place.span.file, {})[place_of(place.span, getattr(place, "block", None))] = place.key
    return spans


def _valued(resolution: Resolution) -> list[Link | Mention | Stored]:
    """The places whose values are asked for."""
    links = (link for each in resolution.links.values() for link in each)
    return [*links, *resolution.mentions.values(), *(one for each in resolution.stored.values() for one in each)]


def _choices(resolution: Resolution) -> list[Choice]:
    return [choice for each in resolution.links.values() for link in each for choice in link.choices]


def build_job(
    index: Index, resolution: Resolution, dependencies: Dependencies, examples: Mapping[str, dict], tests: list[str]
) -> dict:
    names, choices = dependencies.names, {choice.key for choice in _choices(resolution)}
    valued = {place.key for place in _valued(resolution)}
    return {
        "root": str(index.config.root),
        "probes": to_plain(dependencies.probes, names),
        "choices": {names[key]: key in valued for key in sorted(choices)},
        "examples": examples,
        "tests": tests,
    }


def build_examples(index: Index, resolution: Resolution, names: Names) -> dict[str, dict]:
    """What is asked of each page's example; nothing where sizes or code of symbols are of no use, which is reported."""
    if not _can_run(index):
        return {}
    pages = [page for page in index.pages if page.example and page.equations]
    return {page.stem: build_example(page, index, resolution, names) for page in pages}


def _can_run(index: Index) -> bool:
    symbols = [symbol for page in index.pages for symbol in page.notation]
    codes = [code for symbol in symbols for code in symbol.codes]
    conditions = [equation.where for equation in index.equations if equation.where]
    wrong = size_faults(index.symbols, index.config, index.pages)
    return not wrong and not any(map(no_expression, {*codes, *conditions}))


def build_example(page: Page, index: Index, resolution: Resolution, names: Names) -> dict:
    lengths = lengths_of(index.config, page)
    kinds = [[kind, all_sizes(index.symbols, free)] for kind, free in lengths.items()]
    shown = sorted({ref.call for ref in page_refs(page) if ref.call})
    return {
        "path": page.example, "sizes": kinds, "shown": shown, "watches": _watches(page, resolution, names),
        "called": list(dict.fromkeys(page_calls(page))),
        "stored": {names[one.key]: one.name for each in resolution.stored.values() for one in each},
        "numbers": _numbers(page, resolution, names), "further": _further(page, resolution, names),
    }


def _watches(page: Page, resolution: Resolution, names: Names) -> dict[str, list[dict]]:
    watches: dict[str, list[dict]] = {}
    expressions = _expressions(page)
    codes = {symbol.latex: symbol.codes for symbol in page.notation}
    for equation in page.equations:
        links, formula = resolution.links.get(equation.id, ()), resolution.formulas.get(equation.id)
        parts = [[names[link.key], link.element] for link in links if link.gives]
        left = [code for latex in (formula.target if formula else ()) for code in codes.get(latex, ())]
        for link in links:
            if link.probe:
                later = [code for code in expressions if code in left or _may_change(link, code)]
                watch = _watch(equation, link, expressions) | {"later": later, "parts": parts}
                watches.setdefault(names[link.key], []).append(watch)
    return watches


def _further(page: Page, resolution: Resolution, names: Names) -> dict[str, list[dict]]:
    """What is watched in many further samples: the symbols of formulas that claim a bound."""
    formulas = {name: formula for name, formula in resolution.formulas.items() if bounds(formula)}
    return {
        name: [{**one, "expressions": _codes(page, formulas[one["equation"]]), "parts": []} for one in bounding]
        for name, watches in _watches(page, resolution, names).items()
        if (bounding := [one for one in watches if one["equation"] in formulas])
    }


def _codes(page: Page, formula: Formula) -> list[str]:
    symbols = [symbol for symbol in page.notation if symbol.latex in formula.symbols]
    return sorted({code for symbol in symbols for code in (symbol.code, *symbol.family.values()) if code})


def _numbers(page: Page, resolution: Resolution, names: Names) -> dict[str, list]:
    """Probe -> its function, and the expressions of the numbers that may decide its value."""
    read: dict[str, list] = {}
    for equation in page.equations:
        for link in resolution.links.get(equation.id, ()):
            if link.reads:
                _, expressions = read.setdefault(names[link.key], [_plain_name(link), []])
                expressions += [one for one in link.reads if one not in expressions]
    return read


def _plain_name(link: Link) -> str:
    return link.function.rpartition(".")[2].partition("[")[0]  # without its role


def _watch(equation: Equation, link: Link, expressions: list[str]) -> dict:
    return {
        "equation": equation.id,
        "function": _plain_name(link),
        "code": None if link.block else plain_code(link.span.code),
        "target": None if link.block == RETURNED else link.target,
        "element": link.element,
        "expressions": expressions,
        "where": equation.where,
    }


def _may_change(link: Link, code: str) -> bool:
    """Whether the linked statement may give the expression another value. Beside names, other names of the same object
    are changed as well, of which nothing is known here."""
    return not link.only_names or not {*_words(code)}.isdisjoint(link.assigns)


@cache
def _words(code: str) -> tuple[str, ...]:
    return tuple(node.id for node in ast.walk(parse_code(code)) if isinstance(node, ast.Name))


def _expressions(page: Page) -> list[str]:
    """Everything that a page may want to read in a frame: its symbols' code, and the code of its references."""
    codes = [code for symbol in page.notation for code in symbol.codes]
    refs = [ref.base for ref in page_refs(page) if ref.call is None]
    return sorted(dict.fromkeys([*codes, *refs]))
