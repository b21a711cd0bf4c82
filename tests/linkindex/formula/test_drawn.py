"""Every letter that a formula may hold is drawn by the font that comes with the site."""

import html
import re
import string
import unicodedata

import pytest
from fontTools.ttLib import TTFont
from linkindex.formula import FormulaError, render
from linkindex.formula.drawn import ALPHABETS, CHARACTERS, check_drawn, in_font
from linkindex.formula.glyphs import _SIGNS as SIGNS
from linkindex.formula.tokens import ACCENTS, GREEK

FONT = CHARACTERS.with_name("latinmodern-math-subset.woff2")
LETTERS, DIGITS = string.ascii_letters, string.digits


def characters(latex):
    shown = html.unescape(re.sub(r"<[^>]*>", "", render(latex)))
    return {ord(one) for one in shown if not one.isspace() and one != "\ufe00"}


def test_the_list_is_that_of_the_font():
    """Of the alphabets of mathematics, which is what it is asked about."""
    points = [point for alphabet in ALPHABETS for point in alphabet if unicodedata.name(chr(point), None)]
    drawn = TTFont(FONT).getBestCmap()
    assert [chr(point) for point in points if (point in drawn) != (point in in_font())] == []


@pytest.mark.parametrize(
    ("font", "letters"),
    [
        ("", [*LETTERS, *DIGITS, *GREEK]),
        ("\\mathrm", [*LETTERS, *DIGITS]),
        ("\\mathit", [*LETTERS, *DIGITS]),
        ("\\mathbf", [*LETTERS, *DIGITS, *GREEK]),
        ("\\boldsymbol", [*LETTERS, *DIGITS, *GREEK]),
        ("\\mathsf", LETTERS),
        ("\\mathcal", string.ascii_uppercase),
        ("\\mathbb", [*string.ascii_uppercase, *DIGITS]),
    ],
)
def test_letters_are_in_the_font(font, letters):
    drawn = TTFont(FONT).getBestCmap()
    missing = {letter for letter in letters for one in characters(f"{font}{{{letter}}}") if one not in drawn}
    assert missing == set()


def test_signs_and_accents_are_in_the_font():
    drawn = TTFont(FONT).getBestCmap()
    brackets = {"\\underbrace", "\\overbrace", "\\lVert", "\\rVert", "\\lvert", "\\rvert", "\\sqrt", "\\{", "\\}"}
    signs = [*(sign for sign in SIGNS if sign not in ACCENTS | brackets), *(f"{accent}{{x}}" for accent in ACCENTS)]
    signs += [r"\underbrace{x}_{y}", r"\overbrace{x}^{y}"]
    signs += [r"\lVert x \rVert", r"\lvert x \rvert", r"\{x\}", r"\sqrt{x}", r"\mathbb{1}[x]", "x''''"]
    signs += r"\approx \sim \propto \to \mid \star \cong \simeq \prec \succ \perp \bigcup \bigcap \iff \implies".split()
    assert {sign for sign in signs for one in characters(sign) if one not in drawn} == set()


@pytest.mark.parametrize("latex", [r"\mathcal{l}", r"x = \mathbb{x}", r"\mathtt{x}", r"\mathfrak{g}", r"\mathsf{1}"])
def test_a_letter_that_no_font_draws_is_refused(latex):
    with pytest.raises(FormulaError, match="the site's font has no .*: write it in"):
        check_drawn(render(latex))


@pytest.mark.parametrize("latex", [r"\mathbb{1}", r"\mathsf T", r"\boldsymbol\theta", r"\mathcal N", r"\ell"])
def test_a_letter_that_it_draws_is_not(latex):
    check_drawn(render(latex))


@pytest.mark.parametrize("latex", [r"\square", r"\checkmark", r"\curvearrowright", r"\text{naïve – “so”}"])
def test_plain_signs_are_left_to_the_fonts_of_readers(latex):
    check_drawn(render(latex) if "text" not in latex else f"<mtext>{latex}</mtext>")
