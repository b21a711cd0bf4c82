"""What a directive shows is taken from the code: a page computes nothing of its own, and neither does a symbol."""

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

from linkindex.code import parse_code
from linkindex.load.symbols import no_expression
from linkindex.model import Finding, Link, Span
from linkindex.refs import Ref, only_reads, refs_of
from linkindex.render.book import Book, Context
from linkindex.render.faults import each, fault
from linkindex.render.refs import canonical
from linkindex.resolve.trees import FUNCTIONS, same


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
    if not _names_something(parse_code(ref.base)):
        raise fault("LI621", f"{ref.text!r} is a constant, whatever the code computes: show what the code computed")
    functions = _functions(context)
    named = ", ".join(functions.values()) or "none"
    if any(_holds(function, context.book.resolution.sources[function.file], ref.base) for function in functions):
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


def check_symbols(book: Book) -> Iterator[Finding]:
    """What a symbol stands for is taken from the code as well (LI622): with ``z - y`` for the symbol G, y = z - G holds
    whatever the code computes."""
    for equation in book.index.equations:
        formula, links = book.resolution.formulas.get(equation.id), book.resolution.links.get(equation.id, ())
        page = next(page for page in book.index.pages if page.stem == equation.page)
        probes = [link for link in links if link.probe]
        for symbol in page.notation if formula and probes else ():
            if symbol.latex in formula.symbols and symbol.latex not in formula.target:
                for code in symbol.family.values() or ([symbol.code] if symbol.code else []):
                    if why := _why_not(book, probes, code):
                        message = f"{equation.id}: {code!r}, the code of the symbol {symbol.latex}, {why}"
                        yield Finding(equation.keys.get("latex", equation.place), "LI622", message)


def _why_not(book: Book, probes: Sequence[Link], code: str) -> str | None:
    if no_expression(code):  # LI123 says so
        return None
    node = parse_code(code)
    targets = {link.target for link in probes if link.target}
    if isinstance(node, ast.Name) or (_names_something(node) and not any(_entries(node))):
        return None
    if found := sorted(targets.intersection(_entries(node))):
        return f"is made of {found[0]}, which the linked line assigns: name what that line reads"
    known = book.resolution.functions
    functions = {known[name].span: name for link in probes if (name := link.function.partition("[")[0]) in known}
    if only_reads(code) or any(_holds(span, book.resolution.sources[span.file], code) for span in functions):
        return None
    return f"does not stand in {', '.join(functions.values())}: write a name, an entry of one, or code from there"


def _entries(node: ast.AST) -> Iterator[str]:
    """Names whose entries an expression reads; of those whose shape it asks for, it reads none."""
    if isinstance(node, ast.Name):
        yield node.id
    is_size = isinstance(node, ast.Attribute) and node.attr in ("shape", "size", "ndim")
    if not is_size and not (isinstance(node, ast.Call) and ast.unparse(node.func) == "len"):
        for child in ast.iter_child_nodes(node):
            yield from _entries(child)


def _functions(context: Context) -> dict[Span, str]:
    links = (link for name in context.equations for link in context.book.resolution.links.get(name, ()))
    known = context.book.resolution.functions
    return {known[name].span: name for link in links if (name := link.function.partition("[")[0]) in known}


@lru_cache(maxsize=1000)
def _holds(function: Span, source: str, code: str) -> bool:
    """Whether an expression stands in a function."""
    wanted = parse_code(code)
    return any(
        same(node, wanted)
        for node in ast.walk(_tree(source))
        if type(node) is type(wanted) and function.line <= node.lineno and node.end_lineno <= function.end_line
    )


@lru_cache(maxsize=20)
def _tree(source: str) -> ast.Module:
    return ast.parse(source)


def _names_something(node: ast.AST) -> bool:
    return any(isinstance(inner, ast.Name) for inner in ast.walk(node))
