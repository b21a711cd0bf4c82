r"""What may be registered as a symbol: one name, such as ``Q_h``, ``\bar S``, ``M^{(h)}`` or ``d\mathrm{Out}``.

A key that holds more would hide it: of a formula in which ``z - H x`` is one symbol, ``z - H x`` is never evaluated.
"""

from collections.abc import Sequence

from linkindex.formula.errors import FormulaError
from linkindex.formula.mathml import render
from linkindex.formula.tokens import ACCENTS, FONTS, Token, gradient_halves, tokenize

_PREFIXES = frozenset({"d", "\\delta", "\\Delta", "\\partial", "\\nabla"})  # with what follows they are one name
_LIKE_LETTERS = frozenset("\\" + name for name in "partial nabla hbar imath jmath wp Re Im aleph emptyset".split())


def name_of(latex: str) -> tuple[str, ...]:
    """The tokens of a symbol's name: equal for two spellings of one name. Raises FormulaError where it is no name."""
    tokens = tokenize(latex)
    if not tokens:
        raise FormulaError(0, "expected a name, found nothing: write the symbol as the formulas show it")
    if any(token.kind == "text" for token in tokens):
        raise FormulaError(0, "expected a name, found words: set them upright with \\mathrm{...}")
    try:
        end = _end_of_name(tokens, 0)
    except RecursionError:
        raise FormulaError(0, "expected a name, found too much inside one another: write it with less") from None
    if end < len(tokens):
        found = latex[tokens[end].start : tokens[end].end]
        raise FormulaError(
            tokens[end].start,
            f"expected one letter with its accents and scripts, found {found} behind it: register each symbol on its "
            "own, or set a name of several letters upright with \\mathrm{...}",
        )
    try:
        render(latex, display=False)
    except FormulaError as error:
        raise FormulaError(error.offset, f"{error.message.rstrip('.')}: correct the LaTeX") from None
    return tuple(token.text for token in tokens)


def _end_of_name(tokens: Sequence[Token], start: int) -> int:
    """Where the name that begins at a token ends."""
    if found := gradient_halves(tokens, start):
        above, below, end = found
        if _end_of_name(tokens, above + 1) == below - 1 and _end_of_name(tokens, below + 1) == end - 1:
            return end
    end = _end_of_base(tokens, start)
    while end < len(tokens) and tokens[end].text in ("_", "^", "'"):
        end = end + 1 if tokens[end].text == "'" else _end_of_argument(tokens, end)
    is_prefix = end == start + 1 and tokens[start].text in _PREFIXES or tokens[start].text == "\\nabla"
    if is_prefix and end < len(tokens):
        return _end_of_name(tokens, end)
    return end


def _end_of_base(tokens: Sequence[Token], at: int) -> int:
    token = tokens[at]
    if token.text in ACCENTS or token.text in FONTS:
        end = _end_of_argument(tokens, at)
        inner = tokens[at + 1 : end] if tokens[at + 1].text != "{" else tokens[at + 2 : end - 1]
        is_plain = all(one.kind in ("letter", "number") for one in inner)
        if inner and (is_plain if token.text in FONTS else _end_of_name(inner, 0) == len(inner)):
            return end
        wanted = "letters and digits" if token.text in FONTS else "one name"
        raise FormulaError(token.start, f"expected {wanted} after {token.text}, found something else: write only that")
    if token.kind == "letter" or token.text in _LIKE_LETTERS:
        return at + 1
    if token.text == "{":
        end = _end_of_argument(tokens, at - 1)
        if (inner := tokens[at + 1 : end - 1]) and _end_of_name(inner, 0) == len(inner):
            return end
    raise FormulaError(token.start, f"expected a letter, found {token.text}: write one name, such as Q_h, no formula")


def _end_of_argument(tokens: Sequence[Token], at: int) -> int:
    """Where the argument of an accent, a font, a subscript or a superscript ends: one token, or a group in braces."""
    depth, end = 0, at + 1
    while end < len(tokens):
        depth += {"{": 1, "}": -1}.get(tokens[end].text, 0)
        end += 1
        if depth < 0:
            break
        if depth == 0:
            return end
    raise FormulaError(tokens[at].start, f"expected something for {tokens[at].text}, found an end: write it in braces")
