"""Code that directives name beside the equations: the lines of a path, and where entries of a dictionary are made."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from linkindex.directives import code_in_functions, texts
from linkindex.kinds import Meaning
from linkindex.model import Directive, Finding, Index, Mention, Stored
from linkindex.resolve.expressions import find_expression
from linkindex.resolve.functions import Found, Library, NotFound
from linkindex.resolve.trees import own_nodes


@dataclass
class Mentioned:
    """What was found of all directives."""

    mentions: dict[tuple[str, str], Mention] = field(default_factory=dict)
    stored: dict[str, tuple[Stored, ...]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    @property
    def files(self) -> set[str]:
        stored = (one for each in self.stored.values() for one in each)
        return {one.span.file for one in (*self.mentions.values(), *stored)}


def find_mentioned(index: Index, library: Library) -> Mentioned:
    """The places that directives such as ``::: path`` and ``::: parameters`` name."""
    result = Mentioned()
    for page in index.pages:
        for directive in page.directives:
            for function, code in code_in_functions(directive):
                _note(result, directive, partial(_mention, result, function, code, library))
            for function in texts(directive, Meaning.MAKER):
                _note(result, directive, partial(_stored, result, function, library))
    return result


def _note(result: Mentioned, directive: Directive, find: Callable[[], None]) -> None:
    try:
        find()
    except NotFound as error:
        result.findings.append(Finding(directive.place, error.code, str(error)))


def _mention(result: Mentioned, function: str, code: str, library: Library) -> None:
    found = library.find(function)
    expression = find_expression(found, code)
    place = found.source.span(expression.node), found.source.span(expression.statement)
    result.mentions[function, code] = Mention(found.function.name, *place)


def _stored(result: Mentioned, function: str, library: Library) -> None:
    found = library.find(function)
    result.stored[function] = tuple(stored_in(found))
    if not result.stored[function]:
        where = f"{found.source.path}:{found.function.line}"
        message = f"{function} ({where}) puts nothing into a dictionary: name the function that makes the parameters"
        raise NotFound("LI214", message)


def stored_in(found: Found) -> Iterator[Stored]:
    """The values of ``d[key] = value`` and ``{key: value}`` in a function."""
    for node in own_nodes(found.node):
        match node:
            case ast.Assign(targets=[ast.Subscript(slice=key)], value=value):
                pairs = [(key, value)]
            case ast.Dict(keys=keys, values=values):
                pairs = [(key, value) for key, value in zip(keys, values, strict=True) if key is not None]
            case ast.DictComp(key=key, value=value):
                pairs = [(key, value)]
            case _:
                continue
        for key, value in pairs:
            yield Stored(found.function.name, ast.unparse(key), found.source.span(value))
