r"""LaTeX to MathML, with a mark around each symbol.

math-core knows no marks. So ``\sym{name}{tex}`` goes in as a group that starts with a blank of its own, invisible
width, and the group that comes out with that blank becomes ``<mrow class="sym" data-sym="name">``.
"""

import html
import re
from unicodedata import normalize

from math_core import LatexError, LatexToMathML

from linkindex.formula.errors import FormulaError
from linkindex.formula.glyphs import visible_of_text, visible_of_tokens
from linkindex.formula.parse import Formula
from linkindex.formula.tokens import tokenize

_CONVERTER = LatexToMathML(fancy_error=False)
# The numbered width ends in 1, because math-core drops trailing zeros.
_MARKED_ROW = re.compile(r'<mrow><mspace width="0\.(\d{4})1em" ?/>')
_SUBSCRIPTED = re.compile(r'(<msub>|<msubsup>)((<mrow class="sym"[^>]*>)?<mi[^>]*>(\w)</mi>(?(3)</mrow>))')
# What the font of the pages lacks is drawn by what it has: double-struck digits bold, letters without serifs upright,
# script letters in its one style.
_DRAWN_AS = {0x1D7D8 + digit: chr(0x1D7CE + digit) for digit in range(10)} | str.maketrans("ϖϰ", "𝜛𝜘", "\ufe00\ufe01")
_UPRIGHT = re.compile("<mi>([\U0001d5a0-\U0001d5d3])</mi>")
_BELOW_THE_LINE = set("Qfgjpqyβγζημξρςφχψϕϱ")
_ENTITY = re.compile(r"&(?!(?:lt|gt|amp|quot|apos|#\d+|#x[0-9A-Fa-f]+);)\w+;")
_TAG = re.compile(r"<[^>]*>")
_ERROR = re.compile(r"(\d+): (.*)", re.DOTALL)


def render(marked_latex: str, display: bool = True, ident: str | None = None) -> str:
    r"""MathML of LaTeX that may hold ``\sym{name}{tex}``. Raises FormulaError, with the offset in ``marked_latex``."""
    tokenize(marked_latex)  # refuses what math-core passes over: a bare %, \label, \tag
    expanded, names, origins = _with_blanks(marked_latex)
    try:
        mathml = _CONVERTER.convert_with_local_state(expanded, displaystyle=display)
    except LatexError as error:
        raise _placed(error, origins, len(marked_latex)) from None
    mathml = _ENTITY.sub(lambda entity: html.unescape(entity.group()), mathml).translate(_DRAWN_AS)
    mathml = _UPRIGHT.sub(lambda letter: f'<mi mathvariant="normal">{normalize("NFKC", letter[1])}</mi>', mathml)
    found: list[int] = []

    def mark(row: re.Match) -> str:
        found.append(int(row[1]))
        return f'<mrow class="sym" data-sym="{html.escape(names[found[-1] - 1])}">'

    mathml = _MARKED_ROW.sub(mark, mathml)
    if sorted(found) != list(range(1, len(names) + 1)):
        missing = next(n for n in range(1, len(names) + 1) if found.count(n) != 1)
        raise FormulaError(
            0, f"the symbol {names[missing - 1]} could not be marked in the MathML: write it in braces of its own"
        )
    mathml = _SUBSCRIPTED.sub(_on_the_line, mathml)
    return mathml.replace("<math", f'<math id="{html.escape(ident)}"', 1) if ident else mathml


def _on_the_line(base: re.Match) -> str:
    """A letter that reaches below the line keeps its subscript as high as other letters do: Q_h like K_h."""
    if normalize("NFKC", base[4]) not in _BELOW_THE_LINE:
        return base[0]
    return f'{base[1]}<mpadded depth="0">{base[2]}</mpadded>'


def check_visible(formula: Formula, mathml: str) -> None:
    """Raises FormulaError unless the characters of ``mathml`` are exactly those of the tokens that were read."""
    shown = visible_of_text(html.unescape(_TAG.sub("", mathml)))
    read = visible_of_tokens(formula.tokens)
    if shown != read:
        unread, unseen = "".join((shown - read).elements()), "".join((read - shown).elements())
        raise FormulaError(
            0,
            "the formula shows other characters than were read:"
            f" shown but not read {unread!r}, read but not shown {unseen!r}",
        )


def _with_blanks(latex: str) -> tuple[str, list[str], list[tuple[int, int]]]:
    r"""``latex`` with a numbered blank for each ``\sym``; the names; pairs (offset there, offset in ``latex``)."""
    parts: list[str] = []
    names: list[str] = []
    origins: list[tuple[int, int]] = []
    length = position = 0

    def copy(start: int, text: str) -> None:
        nonlocal length
        origins.append((length, start))
        parts.append(text)
        length += len(text)

    while (at := latex.find("\\sym{", position)) >= 0:
        copy(position, latex[position:at])
        name_end = _closing(latex, at + 4)
        if latex[name_end + 1 : name_end + 2] != "{":
            raise FormulaError(at, "expected two groups: write \\sym{name}{tex}")
        _closing(latex, name_end + 1)
        names.append(latex[at + 5 : name_end])
        copy(at, f"{{\\hspace{{0.{len(names):04d}1em}}")
        position = name_end + 2  # what it encloses is copied with the rest, as is its closing brace
    copy(position, latex[position:])
    return "".join(parts), names, origins


def _closing(latex: str, opening: int) -> int:
    """Offset of the brace that closes the one at ``opening``; escaped braces do not count."""
    depth, position = 0, opening
    while position < len(latex):
        character = latex[position]
        if character == "\\":
            position += 1
        elif character in "{}":
            depth += 1 if character == "{" else -1
            if depth == 0:
                return position
        position += 1
    raise FormulaError(opening, "this brace is never closed: add }")


def _placed(error: LatexError, origins: list[tuple[int, int]], length: int) -> FormulaError:
    """math-core's message, with its offset carried back to the text before the blanks went in."""
    found = _ERROR.fullmatch(str(error))
    if not found:
        return FormulaError(0, f"invalid LaTeX: {error}")
    offset = int(found[1])
    there, here = max(pair for pair in origins if pair[0] <= offset)
    return FormulaError(min(here + offset - there, length), f"invalid LaTeX: {found[2]}")
