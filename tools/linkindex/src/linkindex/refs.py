"""References of pages to values: code text, optionally followed by constant indices, or a call of the example file.

``Qh[0]``, ``(Qh @ Kh.mT)[0, 2, 1]``, ``params["wo"]``, ``central_differences()["wo"]``.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from linkindex.code import parse_code
from linkindex.directives import texts
from linkindex.kinds import Meaning
from linkindex.load.consistency import CODE, INLINE
from linkindex.model import Directive, Page

IN_PROSE = re.compile(r"\{\{\s*(?P<ref>[^{}|]+?)\s*(?:\|\s*(?P<decimals>\d+)\s*)?\}\}")


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


@lru_cache(maxsize=None)
def canonical(code: str) -> str | None:
    """The same text for the same expression, whatever its blanks, quotes and outer brackets; None: no expression."""
    try:
        return plain_code(code)
    except (SyntaxError, ValueError):
        return None


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
    """All references of the page: in the options of its directives, and in its prose."""
    for block in page.flat:
        if isinstance(block, Directive):
            yield from refs_of(block)
        else:
            yield from (ref for match in in_prose(block.text) if (ref := parse_ref(match["ref"])))


def in_prose(text: str) -> Iterator[re.Match[str]]:
    """The recorded numbers that prose names, ``{{ A[0, 2, 1] }}`` or, with two decimals, ``{{ A[0, 2, 1] | 2 }}``."""
    return IN_PROSE.finditer(INLINE.sub(_blank, without_code(text)))


def without_code(text: str) -> str:
    """Markdown with its code blanked out; every other character keeps its place."""
    return CODE.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def refs_of(directive: Directive) -> Iterator[Ref]:
    """All references in the options of a directive."""
    return (ref for text in texts(directive, Meaning.VALUE) if (ref := parse_ref(text)))


def page_calls(page: Page) -> Iterator[str]:
    """The functions of the example file that directives call as a whole: ``from: parameters()``."""
    calls = (text for directive in page.directives for text in texts(directive, Meaning.CALL))
    return (name for text in calls if (name := called_function(text)))


def called_function(text: str) -> str | None:
    """``parameters`` for "parameters()"; None for any other text."""
    ref = parse_ref(text)
    return ref.call if ref and ref.call and ref.base == f"{ref.call}()" and not ref.index else None
