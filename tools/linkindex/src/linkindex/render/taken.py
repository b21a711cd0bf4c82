"""What a directive shows is taken from the code: a page computes nothing of its own."""

import ast
from functools import lru_cache, partial

from linkindex.code import parse_code
from linkindex.model import Span
from linkindex.refs import Ref, only_reads, refs_of
from linkindex.render.book import Context
from linkindex.render.faults import each, fault
from linkindex.render.refs import canonical
from linkindex.resolve.trees import same


def check_refs(context: Context) -> None:
    """Raises Faults LI621 for what a directive would compute on its own: a value such as ``Q * 0 + 7`` is none of the
    code's. What a function of the concept holds is, and so is what the notation says that a symbol is."""
    each(partial(_check_source, context), refs_of(context.directive))


def _check_source(context: Context, ref: Ref) -> None:
    if ref.call or only_reads(ref.base):
        return
    if not _names_something(parse_code(ref.base)):
        raise fault("LI621", f"{ref.text!r} is a constant, whatever the code computes: show what the code computed")
    functions = _functions(context)
    if any(_holds(function, context.book.resolution.sources[function.file], ref.base) for function in functions):
        return
    if any(symbol.code and canonical(symbol.code) == ref.base for symbol in context.notation):
        return
    raise fault(
        "LI621",
        f"{ref.text!r} stands in no function that this section links to ({', '.join(functions.values()) or 'none'}), so its "
        "value would be the page's own: show a name, an index of one, or an expression as it stands in the code",
    )


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
