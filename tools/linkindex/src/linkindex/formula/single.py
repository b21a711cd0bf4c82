"""Whether a name is read as one symbol where others of its letters are symbols too: ``x^2`` beside ``x`` is a power,
and bound to a value of its own it would be evaluated by nobody."""

from collections.abc import Callable, Sequence

from linkindex.formula.tokens import FONTS, Token

_GREEK_PREFIXES = ("\\delta", "\\Delta")


def why_not_single(tokens: Sequence[Token], is_symbol: Callable[[Sequence[Token]], bool]) -> str | None:
    """``is_symbol``: whether tokens are another notation of the page."""
    if len(tokens) > 1 and tokens[0].text in _GREEK_PREFIXES and is_symbol(tokens[:1]) and is_symbol(tokens[1:]):
        return f"it is {tokens[0].text} times another symbol"
    texts = [token.text for token in tokens]
    for at in (at for at, text in enumerate(texts) if text == "^" and texts[:at].count("{") == texts[:at].count("}")):
        script = [token for token in tokens[at + 1 :] if token.text not in "{}"]
        if texts[at + 1 : at + 2] != ["{"]:
            script = script[:1]
        if not script or script[0].text == "(" or script[0].text in FONTS:
            continue
        if script[0].text == "\\top":
            return "it is a transpose"
        counts = any(token.kind == "number" or is_symbol([token]) for token in script)
        if counts and is_symbol(tokens[:at]):
            return "its superscript is a power of another one: only one in parentheses is a label"
    return None
