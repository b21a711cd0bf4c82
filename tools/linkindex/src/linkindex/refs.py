"""References of pages to values: code text, optionally followed by constant indices, or a call of the example file.

``Qh[0]``, ``(Qh @ Kh.mT)[0, 2, 1]``, ``params["wo"]``, ``central_differences()["wo"]``.
"""

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from linkindex.code import parse_code
from linkindex.model import Concept, Directive, Page

VALUE_OPTIONS = ("show", "of", "formula", "measured")
CALL_OPTIONS = ("from", "run")


@dataclass(frozen=True)
class Ref:
    """``base`` is the code whose value was recorded; ``index`` picks from it; ``call`` names an example's function."""

    text: str
    base: str
    index: tuple[int, ...]
    call: str | None = None


def parse_ref(text: str) -> Ref | None:
    """None if the text is no expression."""
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return None
    index: tuple[int, ...] = ()
    while isinstance(node, ast.Subscript) and (numbers := _numbers(node.slice)) is not None:
        node, index = node.value, numbers + index
    root = node
    while isinstance(root, ast.Subscript):
        root = root.value
    call = root.func.id if isinstance(root, ast.Call) and isinstance(root.func, ast.Name) and not root.args else None
    return Ref(text, ast.unparse(node), index, call)


def plain_code(code: str) -> str:
    """Code in its standard layout: two pieces that differ only in blanks, quotes or brackets give one text."""
    return ast.unparse(parse_code(code))


def _numbers(node: ast.expr) -> tuple[int, ...] | None:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    values = [_integer(part) for part in parts]
    return tuple(values) if all(value is not None for value in values) else None


def _integer(node: ast.expr) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _integer(node.operand)
        return None if value is None else -value
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def page_refs(page: Page) -> Iterator[Ref]:
    """All references in the options of the page's directives."""
    return (ref for text in _option_texts(page, VALUE_OPTIONS) if (ref := parse_ref(text)))


def page_calls(page: Page) -> Iterator[str]:
    """The functions of the example file that directives call as a whole: ``from: parameters()``."""
    return (name for text in _option_texts(page, CALL_OPTIONS) if (name := called_function(text)))


def called_function(text: str) -> str | None:
    """``parameters`` for "parameters()"; None for any other text."""
    ref = parse_ref(text)
    return ref.call if ref and ref.call and ref.base == f"{ref.call}()" and not ref.index else None


def _option_texts(page: Page, keys: Collection[str]) -> Iterator[str]:
    for block in page.blocks:
        for inner in block.blocks if isinstance(block, Concept) else (block,):
            if isinstance(inner, Directive):
                yield from _texts(inner.options, keys, False)


def _texts(option: object, keys: Collection[str], wanted: bool) -> Iterator[str]:
    if isinstance(option, dict):
        for key, value in option.items():
            yield from _texts(value, keys, key in keys)
    elif isinstance(option, list):
        for value in option:
            yield from _texts(value, keys, wanted)
    elif wanted and isinstance(option, str):
        yield option
