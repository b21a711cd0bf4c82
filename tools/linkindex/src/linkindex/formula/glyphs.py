"""What a reader sees of each token, to compare with the characters of the MathML."""

import unicodedata
from collections import Counter
from collections.abc import Iterable

from linkindex.formula.tokens import Token

_SIGNS = {
    "-": "−",
    "\\le": "≤",
    "\\leq": "≤",
    "\\ge": "≥",
    "\\geq": "≥",
    "\\lt": "<",
    "\\gt": ">",
    "\\ne": "≠",
    "\\neq": "≠",
    "\\in": "∈",
    "\\leftarrow": "←",
    "\\Rightarrow": "⇒",
    "\\cdot": "⋅",
    "\\times": "×",
    "\\odot": "⊙",
    "\\sum": "∑",
    "\\prod": "∏",
    "\\infty": "∞",
    "\\top": "⊤",
    "\\cdots": "⋯",
    "\\ldots": "…",
    "\\dots": "…",
    "\\lVert": "‖",
    "\\rVert": "‖",
    "\\lvert": "|",
    "\\rvert": "|",
    "\\lfloor": "⌊",
    "\\rfloor": "⌋",
    "\\lceil": "⌈",
    "\\rceil": "⌉",
    "\\{": "{",
    "\\}": "}",
    "\\sqrt": "",
    "\\ell": "ℓ",
    "\\bar": "¯",
    "\\hat": "ˆ",
    "\\tilde": "˜",
    "\\vec": "→",
    "\\dot": "˙",
    "\\ddot": "¨",
    "\\overline": "‾",
    "\\widehat": "ˆ",
}
_WORDS = frozenset("\\exp \\log \\ln \\sin \\cos \\tan \\sinh \\cosh \\tanh \\arctan \\max \\min \\arg \\bmod".split())
_UNSEEN = frozenset(
    "{ } _ ^ & \\\\ \\quad \\qquad \\frac \\tfrac \\dfrac \\mathrm \\mathbf \\mathbb \\mathcal \\mathit \\mathsf"
    " \\mathtt \\boldsymbol \\sym".split()
)
_FENCES = {"bmatrix": "[]", "pmatrix": "()", "cases": "{"}
_GREEK = {"epsilon": "ϵ", "varepsilon": "ε", "phi": "ϕ", "varphi": "φ", "vartheta": "ϑ"}


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
    if text.startswith("\\"):
        name = text[1:]
        case = "CAPITAL" if name[0].isupper() else "SMALL"
        word = {"lambda": "LAMDA"}.get(name.lower(), name.upper())
        return _plain(_GREEK.get(name) or unicodedata.lookup(f"GREEK {case} LETTER {word}"))
    return text


def _plain(text: str) -> str:
    """Letters and digits without their mathematical fonts; no blanks, joiners or variation selectors."""
    if text.isascii():
        return "".join(text.split())
    kept = []
    for character in text:
        category = unicodedata.category(character)
        if category in ("Cf", "Mn", "Zs", "Cc"):
            continue
        kept.append(unicodedata.normalize("NFKC", character) if category[0] in "LN" else character)
    return "".join(kept)
