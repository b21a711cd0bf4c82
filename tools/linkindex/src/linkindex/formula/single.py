"""Whether a notation is one symbol. A product that is registered as a whole, such as H^\\top x, would be bound to a
value of its own: the formula would hold, and what is displayed would be evaluated by nobody."""

from collections.abc import Callable, Sequence

from linkindex.formula.tokens import ACCENTS, FONTS, Token

_PREFIXES = ("d", "\\delta", "\\Delta", "\\partial", "\\nabla")  # of a gradient, a difference
_IN_LABELS = frozenset("{}(),.'*+-_") | FONTS | {"\\prime", "\\ast", "\\star", "\\dagger"}
_DECORATIONS = frozenset("'*+-") | {"\\prime", "\\ast", "\\star", "\\dagger"}


def why_not_single(tokens: Sequence[Token], is_symbol: Callable[[Sequence[Token]], bool]) -> str | None:
    """What makes ``tokens`` more than a letter with accents, labels and a prefix. ``is_symbol``: of other notations."""
    start = 0
    if len(tokens) > 1 and tokens[0].text in _PREFIXES and _begins_a_symbol(tokens[1]):
        start = 1
        if tokens[0].text != "d" and is_symbol(tokens[:1]) and is_symbol(tokens[1:]):
            return f"it is {tokens[0].text} times another symbol"
    end = _end_of_base(tokens, start)
    if end is None:
        return "it is not one letter or one name"
    base = tokens[start:end]
    while end < len(tokens):
        begin, end = end, _end_of_script(tokens, end)
        script = tokens[begin:end]
        if any(token.text not in _IN_LABELS and token.kind not in ("letter", "number") for token in script[1:]):
            return f"{script[-1].text if len(script) == 2 else 'its label'} is no label"
        if not script or script[0].text not in ("_", "^", "'", "{"):
            return f"{tokens[begin].text} stands behind the letter"
        if script[0].text == "^" and not _is_label(script[1:]) and (is_symbol(base) or script[1].text == "{"):
            return "its superscript is a power: only one in parentheses is a label"
    return None


def _begins_a_symbol(token: Token) -> bool:
    return token.kind == "letter" or token.text in ACCENTS | FONTS | {"{"}


def _end_of_base(tokens: Sequence[Token], start: int) -> int | None:
    """Behind the letter or the name, and what is drawn over it; None if none stands there."""
    while start < len(tokens) and tokens[start].text in ACCENTS:
        start += 1
    if start >= len(tokens):
        return None
    if tokens[start].text in FONTS:
        end = _end_of_group(tokens, start + 1)
        inner = [token for token in tokens[start + 1 : end] if token.text not in "{}"]
        is_name = bool(inner) and inner[0].kind == "letter" and all(one.kind in ("letter", "number") for one in inner)
        return end if is_name else None
    if tokens[start].text == "{":
        end = _end_of_group(tokens, start)
        return end if _end_of_base(tokens[start + 1 : end - 1], 0) == end - start - 2 else None
    return start + 1 if tokens[start].kind == "letter" else None


def _end_of_script(tokens: Sequence[Token], start: int) -> int:
    return _end_of_group(tokens, start + 1 if tokens[start].text in ("_", "^") else start)


def _end_of_group(tokens: Sequence[Token], start: int) -> int:
    """Behind the group, or the one token, that begins at ``start``; a font takes what follows."""
    if start < len(tokens) and tokens[start].text in FONTS:
        return _end_of_group(tokens, start + 1)
    if start >= len(tokens) or tokens[start].text != "{":
        return min(start + 1, len(tokens))
    depth = 0
    for position in range(start, len(tokens)):
        depth += {"{": 1, "}": -1}.get(tokens[position].text, 0)
        if not depth:
            return position + 1
    return len(tokens)


def _is_label(script: Sequence[Token]) -> bool:
    """Of a superscript: nothing, (h), a prime or a star, or a word set upright."""
    inner = [token for token in script if token.text not in "{}"]
    if not inner or inner[0].text in FONTS or all(token.text in _DECORATIONS for token in inner):
        return True
    return inner[0].text == "(" and inner[-1].text == ")"
