"""What is to be remembered of an equation, so that its code and its test can be found again when they have moved."""

import ast
import copy
from dataclasses import replace

from linkindex.code import parse_piece
from linkindex.fix.memory import LockedCode, Memories, Remembered
from linkindex.fix.names import bindings, names_in, tree_of
from linkindex.model import Equation, Index, Link, Resolution, Symbol, TestPlace
from linkindex.resolve import Finder
from linkindex.resolve.definitions import Named, definitions
from linkindex.resolve.trees import fingerprint, same


def remember(index: Index, resolution: Resolution, finder: Finder, old: Memories) -> dict[str, Remembered]:
    """What is to be remembered of each equation; of one whose code or test is lost, what is remembered already."""
    kept = {equation.id: old[equation.id] for equation in index.equations if equation.id in old}
    return kept | {
        equation.id: _remembered(equation, page.notation, resolution, finder, old.get(equation.id))
        for page in index.pages
        for equation in page.equations
        if equation.id in resolution.links and equation.id in resolution.tests
    }


def body_hash(test: Named) -> str:
    """A hash of a test function that leaves its name out."""
    node = copy.copy(test.node)
    node.name = ""
    return fingerprint(node)


def _remembered(
    equation: Equation, notation: tuple[Symbol, ...], resolution: Resolution, finder: Finder, old: Remembered | None
) -> Remembered:
    links = resolution.links[equation.id]
    new = Remembered(
        links=tuple(map(LockedCode, [link.function for link in links], _names(equation, links), map(_plain, links))),
        names=_bindings(equation, links, notation, resolution, finder),
        body=_body(resolution.tests[equation.id], finder),
    )
    return _settled(old, new) if old else new


def _names(equation: Equation, links: tuple[Link, ...]) -> list[str | None]:
    """For each link the variable by which the record means it; None where the record quotes the code itself."""
    probes = [link for link in links if link.probe]
    codes = [equation.probe.code] if equation.probe.code else [link.target for link in probes]
    codes += equation.probe.via
    for place in (equation.computes, equation.also):
        codes += (place.code, *place.via) if place else ()
    return [code.strip() if code and code.strip().isidentifier() else None for code in codes]


def _plain(link: Link) -> str:
    return ast.unparse(parse_piece(link.span.code))


def _bindings(
    equation: Equation, links: tuple[Link, ...], notation: tuple[Symbol, ...], resolution: Resolution, finder: Finder
) -> dict[str, dict[str, str]]:
    """Of each linked function the names that the linked code, or a symbol of the formula, mentions."""
    used = set(resolution.formulas[equation.id].symbols)
    symbols = [code for one in notation if one.latex in used for code in one.codes]
    bound: dict[str, dict[str, str]] = {}
    said = {}
    for link, name in zip(links, _names(equation, links)):
        every = bindings(finder.library.find(link.function).node)
        texts = [link.span.code, name or "", *(symbols if link.probe else ())]
        mentions = {one for text in texts for one in names_in(text)}
        bound.setdefault(link.function, {}).update({one: every[one] for one in mentions if one in every})
        said[link.function, name] = _plain(link)  # what a link says is not said twice
    return {
        function: {name: code for name, code in names.items() if said.get((function, name)) != code}
        for function, names in bound.items()
    }


def _body(test: TestPlace, finder: Finder) -> str:
    source = finder.read(test.function.file)
    return next(body_hash(named) for named in definitions(source) if source.span(named.node) == test.function)


def _settled(old: Remembered, new: Remembered) -> Remembered:
    """The new memory; texts that say the same as the old ones keep their form, whichever Python wrote it."""
    bound = {code: code for names in old.names.values() for code in names.values()}
    texts = {link.code: link.code for link in old.links} | bound
    known = [(tree_of(text), text) for text in texts]

    def settle(code: str) -> str:
        tree = None if code in texts else tree_of(code)
        alike = (text for other, text in known if tree is not None and other is not None and same(tree, other))
        return next(alike, code)

    links = tuple(replace(link, code=settle(link.code)) for link in new.links)
    names = {function: {name: settle(code) for name, code in each.items()} for function, each in new.names.items()}
    return replace(new, links=links, names=names)
