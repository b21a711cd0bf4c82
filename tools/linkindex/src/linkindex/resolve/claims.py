"""What a text claims without proof: relations and numbers that somebody typed, and marks that only a build may set."""

import re
from collections.abc import Callable, Iterator

from linkindex.load.consistency import CODE, INLINE

# What stands between two things that are said to be equal, larger, part of each other.
_SIGNS = "≠≤≥≈≡≃≅∝∈∉⊂⊆⇒⟹⇔≪≫≔≜"
_SIGN = rf"(?<![=<>!:~])=(?![=>])|[{_SIGNS}]|:=|!=|<=|>="
# Without a letter before it, this begins a quotation.
_BETWEEN_BLANKS = r"(?:(?<=[\w)\]}][ \t])|(?<=\S\*[ \t]))(?:[<>]|==)(?=[ \t])"
_ENTITY = r"&(?:equals|ne|le|ge|lt|gt|asymp|equiv|cong|sim|prop|isin|notin|sub|sube|rArr|hArr);"
_RELATION = re.compile(rf"(?<=\S)[ \t\u00a0]*\n?[ \t\u00a0]*({_SIGN}|{_BETWEEN_BLANKS}|{_ENTITY})(?=\s*\S)")
# A result has a decimal point, a power of ten or a sign of percent; whole numbers count things. A letter in front makes
# it a name, such as v1.2, and a second point a version.
_NUMBER = re.compile(
    r"(?<![^\W_])(?<![\d.]\.)(?:"
    r"\d*\.\d+(?:[eE][-+−]?\d+)?(?!\.?\d)(?!\+(?!\w))"
    r"|\d+(?:\.\d+)?[eE][-+−]?\d+"
    r"|(?!(?:0|100)\b)\d+[ \u00a0]?(?:%|percent\b)"
    r")"
)
_HINT_OF_RELATION = re.compile(f"[=<>&{_SIGNS}]")
_HINT_OF_NUMBER = re.compile(r"\d")
_PART = r"[1-9]\d*(?:\.\d+)*"
# Numbers that name a part of a work, or a version.
_CITED = re.compile(
    r"(?<!\w)(?:(?:sections?|eqs?\.?|equations?|chapters?|figures?|figs?\.?|tables?|theorems?|lemmas?|algorithms?"
    r"|appendix|parts?|versions?|v|releases?|python|numpy|apache|arxiv|doi)\b[.:]?|§+)\s*\(?"
    rf"{_PART}\)?(?:(?:\s*(?:,|and|or|to|–|-)\s*)+\(?{_PART}\)?)*",
    re.IGNORECASE,
)
_NUMBERED_HEADING = re.compile(rf"^#+[ \t]+{_PART}\.?(?=[ \t])", re.MULTILINE)
_ONLY_A_NUMBER = re.compile(r"`+\s*[-+−]?[\d.,eE+−-]+\s*%?\s*`+")
# Where a reader sees nothing of it: comments, tags, lists of attributes, addresses.
_UNSEEN = re.compile(
    r"<!--.*?-->|</?[A-Za-z][^<>]*>|<(?:https?:|mailto:)[^<>]*>"
    r"|\{(?::|[ ]*[#.])[ ]*[A-Za-z#.][^{}\n]*\}|(?<=\])\([^()\n]*\)"
    r"|^ {0,3}\[(?!\^)[^\]\n]+\]:[^\n]*|\b(?:https?://|www\.)\S+",
    re.DOTALL | re.MULTILINE,
)
_MARK = re.compile(
    r"<math\b|<[A-Za-z][^<>]*\b(?:lx-[\w-]*|arithmatex|data-(?:eq|equation|sym|value|step)\b)"
    r"|\{[:. #][^{}\n]*(?:\.lx-[\w-]*|\barithmatex|\bdata-(?:eq|equation|sym|value|step)\b)[^{}\n]*\}"
)
# With these, what follows is no longer shown, or no longer part of the page's text.
_HIDES = re.compile(
    r"</?(?:article|main|body|html|head|template|plaintext|xmp|title|select|dialog|datalist|script|style|iframe|object"
    r"|embed|noscript|noframes|textarea|input|meter|progress)\b|<[A-Za-z][^<>]*\s(?:hidden|inert)\b",
    re.IGNORECASE,
)
_LATE_DIRECTIVE = re.compile(r"^(?: {1,3}|[ \t]*(?:>|[-*+][ \t]|\d+[.)][ \t])[ \t>]*):::[ \t]*[a-z]", re.MULTILINE)
# Formulas that are reported as such.
_REPORTED = re.compile(
    r"\$\$.*?\$\$|\\\[.*?\\\]|\\\(.*?\\\)|\\begin\{(\w+\*?)\}.*?\\end\{\1\}|<math\b.*?</math>", re.DOTALL
)
_BRACKETED = re.compile(r"(?<!\\)(?:\\\\)*\\\((?=.*?\\\))", re.DOTALL)
_CONTAINER = re.compile(r"[ \t]*(?:[-*+][ \t]|\d+[.)][ \t]|!!!|\?\?\?|===|:[ \t]|\[\^)")

Claim = tuple[int, str, str]  # offset, code, message


def claims(text: str) -> Iterator[Claim]:
    """Of Markdown as written, or of a text of a record."""
    text = _without_indented_code(text)
    yield from _marks(text)
    if _HINT_OF_RELATION.search(text):  # most texts hold none, and need no closer look
        seen = INLINE.sub(_letters, _REPORTED.sub(_letters, text))
        yield from _relations(_UNSEEN.sub(_letters, CODE.sub(_letters, seen)))
    if _HINT_OF_NUMBER.search(text):
        yield from _numbers(text)


def claims_of_sentence(text: str) -> Iterator[Claim]:
    """Of text as a reader sees it, in which only backticks have a meaning."""
    yield from _relations(CODE.sub(_letters, text))
    yield from _numbers(re.sub(rf"^\s*{_PART}\.?(?=\s)", _blanks, text))


def words_only(text: str) -> Iterator[Claim]:
    """Of a text that is shown as it is, such as a title: a formula would be read by nobody, and a tag is none."""
    for match in re.finditer(r"\$(?!\d)|\\[(\[]", text):
        yield match.start(), "LI116", "a formula stands in a text that is shown as it is: write it in words"
    yield from (claim for claim in claims(text) if claim[1] in ("LI503", "LI504", "LI505"))


def _marks(text: str) -> Iterator[Claim]:
    if not re.search(r"[\\<{]|:::", text):
        return
    text = CODE.sub(_blanks, text)
    for match in _BRACKETED.finditer(text):
        yield match.start(), "LI503", r"a formula between \( and \) is not read: write $x$"
    for match in _MARK.finditer(text):
        message = f"{match[0]!r} is what a build writes for what it has read and computed: write $x$, or a directive"
        yield match.start(), "LI506", message
    for match in _HIDES.finditer(text):
        message = f"{match[0]!r} may hide what follows, or take it out of the page: write Markdown, or code as `code`"
        yield match.start(), "LI506", message
    for match in _LATE_DIRECTIVE.finditer(text):
        yield match.start(), "LI110", "a directive begins its line: write ::: without anything before it"


def _relations(text: str) -> Iterator[Claim]:
    for match in _RELATION.finditer(text):
        message = (
            f"the relation {match[1]} stands in a sentence, where nothing checks it: make it an equation of the page's"
            " YAML file, write it in words, or mark code as `code`"
        )
        yield match.start(1), "LI504", message


def _numbers(text: str) -> Iterator[Claim]:
    spans = CODE.sub(lambda match: match[0] if _ONLY_A_NUMBER.fullmatch(match[0]) else _blanks(match), text)
    for pattern in (_UNSEEN, _NUMBERED_HEADING, _CITED):
        spans = pattern.sub(_blanks, spans)
    for match in _NUMBER.finditer(spans):
        message = (
            f"the number {match[0]} is typed, and stays when the code computes another: show it with '::: cells' or"
            " another directive, or say it in words; a part of a work or a version is written 'section 3.2',"
            " 'version 1.2'"
        )
        yield match.start(), "LI505", message


def _without_indented_code(text: str) -> str:
    """Blocks that are code because of their indentation, blanked; below an item or an admonition it is none."""
    lines, is_code, inside = text.split("\n"), False, False
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        if not line.startswith(("    ", "\t")):
            is_code, inside = False, bool(_CONTAINER.match(line)) or (inside and not _after_blank(lines, number))
        elif not inside and (is_code or _after_blank(lines, number)):
            is_code = True
            lines[number] = " " * len(line)
    return "\n".join(lines)


def _after_blank(lines: list[str], number: int) -> bool:
    return number == 0 or not lines[number - 1].strip()


def _as(character: str) -> Callable[[re.Match], str]:
    return lambda match: re.sub(r"[^\n]", character, match[0])


_blanks, _letters = _as(" "), _as("x")
