"""LaTeX text to tokens with exact positions. Blanks and size commands vanish here; nothing else does."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from linkindex.formula.errors import FormulaError

GREEK = frozenset(
    "\\" + name
    for name in (
        "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma tau"
        " upsilon phi varphi chi psi omega varrho varsigma varpi varkappa"
        " Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell"
    ).split()
)
SIZES = frozenset(
    "\\" + name for name in "left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr".split()
)
ACCENTS = frozenset("\\" + name for name in "bar hat tilde vec dot ddot overline widehat".split())
FONTS = frozenset("\\" + name for name in "mathrm mathbf mathbb mathcal mathit mathsf mathtt boldsymbol".split())

_TAKES_GROUP = ACCENTS | FONTS | {"_", "^"}
_TEXT_COMMANDS = frozenset({"\\text", "\\operatorname", "\\operatorname*", "\\begin", "\\end"})
FRACTIONS = frozenset({"\\frac", "\\tfrac", "\\dfrac"})
_TOKEN = re.compile(
    r"(?P<blank>\s+|\\[,;:!\ ]|~)"
    r"|(?P<command>\\(?:operatorname\*|[A-Za-z]+|.))"
    r"|(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<letter>[A-Za-z])"
    r"|(?P<mark>:=|[-+=<>()\[\]{}_^&,/|!'*.:;])"
)
_ARGUMENT = re.compile(r"\s*\{((?:[^{}\\$%]|\\[,;:! ])*)\}")
_THIN = re.compile(r"\\[,;:! ]")
_REFUSED = {
    "%": "an unescaped % starts a comment in LaTeX: remove it",
    "\\label": "\\label is refused: the anchor of an equation comes from its id",
    "\\tag": "\\tag is refused: equations are numbered when the page is built",
}


class Token(NamedTuple):
    """``kind``: letter (Greek commands included), number, command, mark, or text (a command with its text argument)."""

    kind: str
    text: str
    start: int
    end: int
    argument: str = ""  # of \text{...}, \operatorname{...}, \begin{...}, \end{...}
    braces: tuple[int, int] | None = None  # needless ones around it: where they open, and where they have closed


def tokenize(latex: str) -> tuple[Token, ...]:
    """All tokens of ``latex`` without blanks and size commands. Raises FormulaError for a character without meaning."""
    tokens: list[Token] = []
    position, sized = 0, None  # where the size command of the next bracket stands
    while position < len(latex):
        found = _TOKEN.match(latex, position)
        if found is None:
            raise FormulaError(position, _unknown(latex[position]))
        kind, text, end = found.lastgroup, found.group(), found.end()
        if kind == "number" and _is_digit_of_a_fraction(tokens):
            text, end = text[0], position + 1
        if kind == "command":
            if text in _REFUSED:
                raise FormulaError(position, _REFUSED[text])
            if text in GREEK:
                kind = "letter"
            elif text in _TEXT_COMMANDS:
                argument = _ARGUMENT.match(latex, end)
                if argument is None:
                    raise FormulaError(position, f"{text} needs plain text in braces: write {text}{{...}}")
                words = _THIN.sub(" ", argument[1]).strip()
                tokens.append(Token("text", text.rstrip("*"), position, argument.end(), words))
                position = argument.end()
                continue
        if text in SIZES:
            sized = position
        elif kind != "blank":
            tokens.append(Token(kind, text, position if sized is None else sized, end))
            sized = None
        position = end
    return _without_needless_braces(tokens)


def _unknown(character: str) -> str:
    if character in _REFUSED:
        return _REFUSED[character]
    if not character.isascii():
        return f"found the character {character}: write the LaTeX command for it"
    return f"found {character}, which has no meaning in a formula: remove it"


def _without_needless_braces(tokens: list[Token]) -> tuple[Token, ...]:
    """``\\bar{S}`` becomes ``\\bar S`` and ``x_{i}`` becomes ``x_i``, so that both spellings are one notation."""
    kept: list[Token] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        kept.append(token)
        position += 1
        if token.text in _TAKES_GROUP and _is_group_of_one(tokens, position):
            opening, inner, closing = tokens[position : position + 3]
            kept.append(inner._replace(braces=(opening.start, closing.end)))
            position += 3
    return tuple(kept)


def _is_digit_of_a_fraction(tokens: list[Token]) -> bool:
    r"""``\frac12`` is one half: without braces a fraction takes one digit above and one below."""
    texts = [token.text for token in tokens[-2:]]
    return bool(texts) and (texts[-1] in FRACTIONS or texts[0] in FRACTIONS and texts[-1] != "{")


def _is_group_of_one(tokens: list[Token], position: int) -> bool:
    if position + 2 >= len(tokens) or tokens[position].text != "{" or tokens[position + 2].text != "}":
        return False
    inner = tokens[position + 1]
    return inner.kind == "letter" or len(inner.text) == 1 and inner.kind == "number" or inner.text == "\\top"


def gradient_halves(tokens: Sequence[Token], start: int = 0) -> tuple[int, int, int] | None:
    """Where the two groups of a gradient open, and where it ends; None where no gradient begins at ``start``."""
    if start >= len(tokens) or tokens[start].text not in FRACTIONS:
        return None
    above = start + 1
    below = _end_of_group(tokens, above)
    end = below and _end_of_group(tokens, below)
    is_partial = end and tokens[above + 1].text == "\\partial" == tokens[below + 1].text
    return (above, below, end) if is_partial else None


def _end_of_group(tokens: Sequence[Token], opening: int) -> int | None:
    depth = 0
    for at in range(opening, len(tokens)):
        depth += {"{": 1, "}": -1}.get(tokens[at].text, 0)
        if depth <= 0:
            return at + 1 if at > opening + 1 else None
    return None
