"""The directives of pages. Each is a module of this package: the file ``rowsums.py`` is ``::: rowsums``.

Such a module holds one function of its own name, marked with ``directive``, which says what the options hold. There is
no list of directives: whoever needs one asks by its name. Stages before render read what is declared here, to know
which values to record and which code to find; so a module imports what it draws with inside its function.
"""

import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module
from typing import Any

from linkindex.kinds import Kind, Meaning, Option, texts_that_name
from linkindex.model import Concept, Directive


@dataclass(frozen=True)
class Drawn:
    """What a directive puts on its page, with what the page must load for it, once each.

    ``scripts``: addresses from the site root, such as ``assets/lab.js`` for a file of docs/assets, or
    ``assets/linkindex/lab.js`` for one of linkindex. ``data``: by name, what JSON can hold; a script finds it as
    ``linkindexData[name]``. All of it is loaded with ``<script defer src>``, data first. ``end``: Markdown for the end
    of the section.
    """

    markdown: str
    end: str = ""
    scripts: tuple[str, ...] = ()
    data: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Arguments:
    """The words behind a directive's name."""

    kind: Kind
    says: str
    several: bool = False


@dataclass(frozen=True)
class Declaration:
    """What a directive is for, what it takes, and the function that draws it from its surroundings (a Context)."""

    name: str
    says: str
    draw: Callable[[Any, Mapping[str, Any]], str | Drawn]
    options: Mapping[str, Option]
    arguments: Arguments | None
    shows_numbers: bool                                  # of the example, so that its block is labelled and counted


def directive(
    options: Mapping[str, Option] | None = None, *, arguments: Arguments | None = None, shows_numbers: bool = False
) -> Callable[[Callable], Declaration]:
    """Declare the function below as a directive; the first line of its docstring says what it is for."""

    def declare(draw: Callable) -> Declaration:
        says = (draw.__doc__ or "").partition("\n")[0]
        return Declaration(draw.__name__.replace("_", "-"), says, draw, options or {}, arguments, shows_numbers)

    return declare


def names() -> list[str]:
    return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__))


def declaration(name: str) -> Declaration | None:
    """The directive of that name; None if there is none."""
    module = name.replace("-", "_")
    try:
        return getattr(import_module(f"{__name__}.{module}"), module)
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.{module}":
            raise
        return None


def first_numbers(concept: Concept) -> Directive | None:
    """The first directive of a section that shows numbers of the example."""
    directives = (block for block in concept.blocks if isinstance(block, Directive))
    return next((one for one in directives if (known := declaration(one.name)) and known.shows_numbers), None)


def texts(block: Directive, meaning: Meaning) -> Iterator[str]:
    """What the options and arguments of a directive name with this meaning."""
    declared = declaration(block.name)
    if declared is None:
        return
    for name, option in declared.options.items():
        yield from texts_that_name(block.options.get(name), option.kind, meaning)
    if declared.arguments:
        yield from texts_that_name(list(block.arguments), declared.arguments.kind, meaning)


def code_in_functions(block: Directive) -> Iterator[tuple[str, str]]:
    """The functions that rows of a directive name, each with the code that stands in it."""
    declared = declaration(block.name)
    for name, option in declared.options.items() if declared else ():
        keys = {kind.meaning: key for key, kind in option.kind.parts.items()}
        given = block.options.get(name)
        if {Meaning.FUNCTION, Meaning.CODE} <= keys.keys() and isinstance(given, list):
            for row in given:
                named = row if isinstance(row, Mapping) else {}
                function, code = named.get(keys[Meaning.FUNCTION]), named.get(keys[Meaning.CODE])
                if isinstance(function, str) and isinstance(code, str):
                    yield function, code


def read_options(block: Directive, declared: Declaration) -> tuple[dict[str, Any], list[str]]:
    """The directive's options, defaults filled in, and all that is wrong with them and with its arguments."""
    wrong = _wrong_arguments(block, declared.arguments)
    for name in block.options:
        if name not in declared.options:
            near = get_close_matches(name, declared.options, 3, 0.5)
            hint = f"nearest: {', '.join(near)}" if near else f"known: {', '.join(declared.options) or 'none'}"
            wrong.append(f"'::: {block.name}' has no option {name!r}; {hint}")
    values: dict[str, Any] = {}
    for name, option in declared.options.items():
        if name in block.options:
            try:
                values[name] = option.kind.read(block.options[name])
            except ValueError as error:
                wrong.append(f"option {name!r} of '::: {block.name}': {error}")
        elif option.required:
            wrong.append(f"'::: {block.name}' needs the option {name!r}, indented below it")
        else:
            values[name] = option.default
    return values, wrong


def _wrong_arguments(block: Directive, expected: Arguments | None) -> list[str]:
    count = len(block.arguments)
    if expected is None:
        return [f"'::: {block.name}' takes 0 arguments, found {' '.join(block.arguments)}"] if count else []
    if count == 1 or (count and expected.several):
        return []
    return [f"'::: {block.name}' takes {expected.says}; found {' '.join(block.arguments) or 'none'}"]
