"""What a reader sees of each token, to compare with the characters of the MathML."""

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import cache

from math_core import LatexError, LatexToMathML

from linkindex.formula.tokens import GREEK, Token

_SIGNS = {
    "-": "−", "*": "∗", "'": "′", "\\le": "≤", "\\leq": "≤", "\\ge": "≥", "\\geq": "≥", "\\lt": "<", "\\gt": ">",
    "\\ne": "≠", "\\neq": "≠", "\\in": "∈", "\\leftarrow": "←", "\\Rightarrow": "⇒", "\\cdot": "⋅", "\\times": "×",
    "\\odot": "⊙", "\\sum": "∑", "\\prod": "∏", "\\infty": "∞", "\\top": "⊤", "\\cdots": "⋯", "\\ldots": "...",
    "\\dots": "...", "\\lVert": "‖", "\\rVert": "‖", "\\lvert": "|", "\\rvert": "|", "\\lfloor": "⌊", "\\rfloor": "⌋",
    "\\underbrace": "⏟", "\\overbrace": "⏞",
    "\\lceil": "⌈", "\\rceil": "⌉", "\\{": "{", "\\}": "}", "\\sqrt": "", "\\ell": "ℓ", "\\bar": "¯", "\\hat": "ˆ",
    "\\tilde": "˜", "\\vec": "\u20d7", "\\dot": "˙", "\\ddot": "¨", "\\overline": "\u0332", "\\widehat": "\u0302",
}  # fmt: skip
_WORDS = frozenset(
    "\\exp \\log \\ln \\sin \\cos \\tan \\sinh \\cosh \\tanh \\arctan \\max \\min \\arg \\argmax \\argmin"
    " \\bmod".split()
)
_UNSEEN = frozenset(
    "{ } _ ^ & \\\\ \\quad \\qquad \\frac \\tfrac \\dfrac \\mathrm \\mathbf \\mathbb \\mathcal \\mathit \\mathsf"
    " \\mathtt \\boldsymbol \\sym".split()
)
_FENCES = {"bmatrix": "[]", "pmatrix": "()", "cases": "{"}
_PRIMES = "″‴⁗"  # two to four of them are drawn as one character
_COMBINING = "\u20d7\u0332\u0302"  # accents that are drawn as such
_CONVERTER = LatexToMathML(fancy_error=False)
_TAG = re.compile(r"<[^>]*>")
_GREEK = {"epsilon": "ϵ", "varepsilon": "ε", "phi": "ϕ", "varphi": "φ", "vartheta": "ϑ", "varrho": "ϱ",
          "varsigma": "ς", "varpi": "ϖ", "varkappa": "ϰ"}  # fmt: skip


def visible_of_tokens(tokens: Iterable[Token]) -> Counter[str]:
    """The characters that ``tokens`` put on the page."""
    seen: Counter[str] = Counter()
    for token in tokens:
        seen.update(_visible(token))
    return seen


def visible_of_text(text: str) -> Counter[str]:
    """The characters of a text, without blanks, joiners and font variants."""
    return Counter(_plain(text))


def _visible(token: Token) -> str:
    text = token.text
    if token.kind == "text":
        if text in ("\\begin", "\\end"):
            return _FENCES.get(token.argument, "") if text == "\\begin" else ""
        return _plain(token.argument)
    if text in _UNSEEN:
        return ""
    if text in _SIGNS:
        return _plain(_SIGNS[text])
    if text in _WORDS:
        return text.removeprefix("\\").removeprefix("b") if text == "\\bmod" else text[1:]
    if text.startswith("\\") and text not in GREEK:
        return _drawn(text)
    if text.startswith("\\"):
        name = text[1:]
        case = "CAPITAL" if name[0].isupper() else "SMALL"
        word = {"lambda": "LAMDA"}.get(name.lower(), name.upper())
        return _plain(_GREEK.get(name) or unicodedata.lookup(f"GREEK {case} LETTER {word}"))
    return text


@cache
def _drawn(command: str) -> str:
    r"""What a command without a meaning of its own shows, which only names hold, such as the star of ``x^\star``."""
    try:
        mathml = _CONVERTER.convert_with_local_state(command, displaystyle=False)
    except LatexError:  # it stands for nothing without what follows it
        return ""
    return _plain(html.unescape(_TAG.sub("", mathml)))


def _plain(text: str) -> str:
    """Letters and digits without their mathematical fonts; no blanks, joiners or variation selectors."""
    if text.isascii():
        return "".join(text.split())
    kept = []
    for character in text:
        category = unicodedata.category(character)
        if category in ("Cf", "Mn", "Zs", "Cc") and character not in _COMBINING:
            continue
        is_made_of_others = category[0] in "LN" or character in _PRIMES
        kept.append(unicodedata.normalize("NFKC", character) if is_made_of_others else character)
    return "".join(kept)
