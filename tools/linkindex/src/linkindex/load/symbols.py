"""The symbol registry, and the notation table of a page, which lists entries of the registry and may narrow them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches

from linkindex.formula import FormulaError
from linkindex.formula.names import name_of
from linkindex.load.fields import Fields
from linkindex.load.yamltree import Items, Table, Text, Tree
from linkindex.model import Finding, Place, Symbol

KEYS: Mapping[str, str] = {
    "code": "The variable or expression that holds it in the linked function; `{q: dQ, k: dK}` for a family of them, "
            "`{layer_norm: gamma, rms_norm: weight}` where functions have different ones. What a statement assigns to "
            "it anew is another value, which has a notation of its own with the same code.",
    "meaning": "What it stands for, in words. Required in the registry.",
    "shape": "Its axes in symbols of sizes, such as `(T, d)`; without it, the shape comment beside the code says.",
    "size": "For the length of an axis: `free` if the configuration chooses it, else how it follows, as in `H * d_h`.",
}


def read_registry(table: Table, findings: list[Finding]) -> tuple[Symbol, ...]:
    return tuple(
        _read_symbol(latex, entry, table.keys[latex], None, findings) for latex, entry in table.entries.items()
    )


def read_notation(tree: Tree | None, registry: Mapping[str, Symbol], findings: list[Finding]) -> tuple[Symbol, ...]:
    """A page's notation: a list of the registry's symbols, or a mapping from each to what the page says of it.

    What is no symbol is left out. Unless it is listed twice here, it is reported where it is registered.
    """
    match tree:
        case None:
            return ()
        case Items(values=values):
            listed = [symbol for item in values for symbol in _read_item(item, registry, findings)]
            return distinct(_once(listed, findings), [])
        case Table():
            listed = [
                _read_symbol(latex, entry, tree.keys[latex], registry, findings)
                for latex, entry in tree.entries.items()
            ]
            return distinct(listed, [])
    findings.append(
        Finding(tree.place, "LI107", "notation must be a list of symbols, or a mapping from symbol to details")
    )
    return ()


def told_apart(symbol: Symbol, functions: Iterable[str]) -> Symbol:
    """A symbol whose ``code`` is a mapping from functions, and not from members of a family."""
    dotted = [f".{function}" for function in functions]
    if symbol.family and all("." in key or any(name.endswith(f".{key}") for name in dotted) for key in symbol.family):
        return replace(symbol, family={}, by_function=symbol.family)
    return symbol


def distinct(symbols: Iterable[Symbol], findings: list[Finding]) -> tuple[Symbol, ...]:
    """The symbols whose LaTeX is one name, and each name once; a finding for each of the others."""
    kept: dict[tuple[str, ...], Symbol] = {}
    for symbol in symbols:
        try:
            first = kept.setdefault(name_of(symbol.latex), symbol)
        except FormulaError as error:
            findings.append(Finding(symbol.place, "LI125", f"symbol {symbol.latex}: {error.message}"))
            continue
        if first is not symbol:
            message = (
                f"symbol {symbol.latex}: expected another notation than that of {first.latex} in line "
                f"{first.place.line}, found the same: keep one of them, or give one another letter, accent or label"
            )
            findings.append(Finding(symbol.place, "LI125", message))
    return tuple(kept.values())


def _once(listed: Iterable[Symbol], findings: list[Finding]) -> list[Symbol]:
    """What a page lists, without what it listed before."""
    kept: dict[str, Symbol] = {}
    for symbol in listed:
        first = kept.setdefault(symbol.latex, symbol)
        if first is not symbol:
            message = f"{symbol.latex} stands twice; the first is in line {first.place.line}: remove one"
            findings.append(Finding(symbol.place, "LI104", message))
    return list(kept.values())


def _read_item(item: Tree, registry: Mapping[str, Symbol], findings: list[Finding]) -> list[Symbol]:
    if isinstance(item, Text):
        return [_read_symbol(item.value, Table({}, place=item.place), item.place, registry, findings)]
    if isinstance(item, Table):
        return [_read_symbol(name, entry, item.keys[name], registry, findings) for name, entry in item.entries.items()]
    findings.append(Finding(item.place, "LI107", "expected a symbol, or a symbol with its details"))
    return []


def _read_symbol(
    latex: str, entry: Tree, place: Place, registry: Mapping[str, Symbol] | None, findings: list[Finding]
) -> Symbol:
    base = Symbol(latex, "", None, place=place)
    if registry is not None:
        if latex not in registry:
            near = get_close_matches(latex, registry, 3)
            hint = f"nearest: {', '.join(near)}" if near else "it has no similar one"
            message = f"symbol {latex} is not in the registry (symbols.yml); {hint}: register it there, or correct it"
            findings.append(Finding(place, "LI108", message))
        base = replace(registry.get(latex, base), place=place)
    if isinstance(entry, Text) and not entry.value:
        entry = Table({}, place=place)
    if not isinstance(entry, Table):
        findings.append(
            Finding(entry.place, "LI107", f"symbol {latex}: expected {{code: ..., meaning: ..., shape: ...}}")
        )
        return base
    fields = Fields(entry, f"symbol {latex}", KEYS, findings)
    family = fields.mapping("code") if isinstance(entry.entries.get("code"), Table) else base.family
    code = None if family else fields.text("code") or base.code
    check_code(fields, "code", *([code] if code else family.values()), what=f"symbol {latex}")
    meaning = fields.text("meaning", required=registry is None, example="what it stands for, in words") or base.meaning
    shape = _read_shape(fields, latex) if "shape" in entry.entries else base.shape
    return replace(base, code=code, family=family, meaning=meaning, shape=shape, size=fields.text("size") or base.size)


def check_code(fields: Fields, key: str, *codes: str, what: str) -> None:
    """Each code under a key is a Python expression."""
    for code in codes if key in fields.table.entries else ():
        if (why := no_expression(code)) is not None:
            message = f"{what}: {key} {code!r} is no Python expression ({why}): write it as it stands in the code"
            fields.note(fields.place(key), "LI123", message)


def no_expression(code: str) -> str | None:
    """Why a text cannot be evaluated; None if it can."""
    try:
        compile(code.strip(), "<code>", "eval")
    except (SyntaxError, ValueError) as error:
        return error.msg if isinstance(error, SyntaxError) else str(error)
    return None


def _read_shape(fields: Fields, latex: str) -> tuple[str, ...] | None:
    text = fields.text("shape")
    if text is None:
        return None
    shape = parse_shape(text)
    if shape is None:
        fields.note(
            fields.place("shape"), "LI107", f"symbol {latex}: the shape {text!r} is not of the form (H, T, d_h)"
        )
    return shape


def parse_shape(text: str) -> tuple[str, ...] | None:
    """``"(..., T, d_h)"`` as ``("T", "d_h")``; leading dots stand for any batch axes. None if it is no shape."""
    match = re.fullmatch(r"\(\s*(.*?)\s*,?\s*\)", text.strip())
    if not match:
        return None
    axes = [axis.strip() for axis in match[1].split(",")] if match[1] else []
    if axes and axes[0] == "...":
        axes = axes[1:]
    return tuple(axes) if all(re.fullmatch(r"\w+", axis) for axis in axes) else None
