"""What a directive shows is taken from the code: a page computes nothing of its own."""

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

from linkindex.code import parse_code
from linkindex.model import Span
from linkindex.refs import Ref, only_reads, refs_of
from linkindex.render.book import Context
from linkindex.render.faults import each, fault
from linkindex.render.refs import canonical
from linkindex.resolve.standing import names_something, stands_in
from linkindex.resolve.trees import FUNCTIONS


def check_refs(context: Context) -> None:
    """Raises Faults LI621 for what a directive would compute on its own: a value such as ``Q * 0 + 7`` is none of the
    code's. What a function of the concept holds is, and so is what the notation says that a symbol is."""
    each(partial(_check_source, context), refs_of(context.directive))


def _check_source(context: Context, ref: Ref) -> None:
    if ref.call:
        _check_call(context, ref)
        return
    if only_reads(ref.base):
        return
    if not names_something(parse_code(ref.base)):
        raise fault("LI621", f"{ref.text!r} is a constant, whatever the code computes: show what the code computed")
    functions = _functions(context)
    named = ", ".join(functions.values()) or "none"
    if any(stands_in(function, context.book.resolution.sources[function.file], ref.base) for function in functions):
        return
    if any(symbol.code and canonical(symbol.code) == ref.base for symbol in context.notation):
        return
    raise fault(
        "LI621",
        f"{ref.text!r} stands in no function that this section links to ({named}), so "
        "its value would be the page's own: show a name, an index of one, or an expression as it stands in the code",
    )


def _check_call(context: Context, ref: Ref) -> None:
    """A function of the example file calls the packages, if only by another function; what it is given may be shown."""
    config = context.book.index.config
    path = config.root / (context.page.example or "")
    if ref.call == "inputs" or not path.is_file():
        return
    names = _reached(path.read_text(encoding="utf-8-sig"), ref.call, config.packages)
    if names is not None and not names:
        raise fault(
            "LI623",
            f"{ref.call}() in {context.page.example} uses nothing of {', '.join(config.packages)}, so what it gives is "
            "typed, or computed beside the code: call the code that the page explains",
        )


@lru_cache(maxsize=200)
def _reached(source: str, function: str, packages: tuple[str, ...]) -> frozenset[str] | None:
    """What a function of an example file uses of the packages, by its own functions as well; None: it is none."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # reported where the example runs
        return None
    used = {node.name: _names(node) for node in tree.body if isinstance(node, FUNCTIONS)}
    if function not in used:
        return None
    of_packages = {name for node in ast.walk(tree) for name in _imported(node, packages)}
    for node in tree.body:  # a constant or a partial of the module stands for what it is made of
        if isinstance(node, ast.Assign):
            for target in node.targets:
                used.update({name: _names(node.value) for name in _names(target)})
    seen, waiting = set(), [function]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(used.get(name, ()))
    return frozenset(seen & of_packages)


def _names(node: ast.AST) -> set[str]:
    imports = {name for inner in ast.walk(node) for name in _imported(inner, None)}
    return imports | {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _imported(node: ast.AST, packages: Sequence[str] | None) -> Iterator[str]:
    """The names that an import binds; of one of ``packages``, if they are given."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        for alias in node.names:
            module = node.module or "" if isinstance(node, ast.ImportFrom) else alias.name
            if packages is None or module.partition(".")[0] in {name.partition(".")[0] for name in packages}:
                yield alias.asname or alias.name.partition(".")[0]


def _functions(context: Context) -> dict[Span, str]:
    links = (link for name in context.equations for link in context.book.resolution.links.get(name, ()))
    known = context.book.resolution.functions
    return {known[name].span: name for link in links if (name := link.function.partition("[")[0]) in known}
