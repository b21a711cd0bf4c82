"""Whether a letter of a formula is in the font that comes with the site: the fonts of readers have plain signs, and
seldom the alphabets of mathematics."""

import html
import re
from functools import cache
from pathlib import Path
from unicodedata import name

from linkindex.formula.errors import FormulaError

CHARACTERS = Path(__file__).parents[1] / "site" / "assets" / "fonts" / "characters.unicodes"
ALPHABETS = (range(0x2100, 0x2150), range(0x1D400, 0x1D800))
_TAG = re.compile(r"<[^>]*>")


@cache
def in_font() -> frozenset[int]:
    """The characters that the font was made with."""
    lines = CHARACTERS.read_text(encoding="ascii").split("\n")
    spans = [span.split("-") for line in lines if not line.startswith("#") for span in line.split()]
    return frozenset(point for span in spans for point in range(int(span[0], 16), int(span[-1], 16) + 1))


def check_drawn(mathml: str) -> None:
    """Raises FormulaError for a letter that many readers would see as an empty box."""
    for character in html.unescape(_TAG.sub("", mathml)):
        point = ord(character)
        if any(point in alphabet for alphabet in ALPHABETS) and point not in in_font():
            raise FormulaError(
                0,
                f"the site's font has no {name(character).lower()} ({character}): write it in \\mathrm, \\mathbf,"
                " \\mathsf or \\boldsymbol, or take a capital for \\mathcal and \\mathbb",
            )
