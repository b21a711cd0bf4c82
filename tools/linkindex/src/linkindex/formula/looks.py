"""How a notation looks: two that look alike are read as one symbol, whatever LaTeX they are written in."""

import html
import re
import unicodedata
from functools import cache

from math_core import LatexError, LatexToMathML

from linkindex.formula.tokens import tokenize

_CONVERTER = LatexToMathML(fancy_error=False)
_WEIGHTS = ("BOLD", "DOUBLE-STRUCK", "SCRIPT", "FRAKTUR")  # of letters; upright, italic and plain ones look alike
_ACCENTS = {  # in the two ways of drawing them
    "\u00af": "bar",
    "\u0304": "bar",
    "\u0332": "bar",
    "\u203e": "bar",
    "\u02c6": "hat",
    "\u0302": "hat",
}
_GROUP_OF_NOTHING = re.compile(r"[_^]? ?\{ \}")
_ATTRIBUTES = re.compile(r"<(\w+)[^>]*>")
_WRAPPING = re.compile(r"</?(?:math|mrow|mspace|mi|mpadded)\b/?>")


@cache
def look(latex: str) -> str:
    """Equal for notations that a reader cannot tell apart: fonts of one weight, needless and empty groups are left out.

    What cannot be drawn looks like its own text.
    """
    plain = " ".join(token.text for token in tokenize(latex))
    while (shorter := _GROUP_OF_NOTHING.sub("", plain)) != plain:
        plain = shorter
    try:
        mathml = _CONVERTER.convert_with_local_state(plain, displaystyle=False)
    except LatexError:
        return plain
    kept = _WRAPPING.sub("", _ATTRIBUTES.sub(r"<\1>", mathml))
    return "".join(_letter(character) for character in html.unescape(kept))


def _letter(character: str) -> str:
    if character in _ACCENTS:
        return _ACCENTS[character]
    plain = unicodedata.normalize("NFKC", character)
    weight = next((word for word in _WEIGHTS if word in unicodedata.name(character, "")), "")
    return f"[{weight} {plain}]" if weight and plain != character else plain
