"""What people write between directives: formulas are such, titles hold none, and links have their
targets."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from linkindex.directives import first_numbers, texts
from linkindex.formula import FormulaError, Notation, parse
from linkindex.formula.notation import NEAREST
from linkindex.kinds import Meaning
from linkindex.load.consistency import GENERATED, INLINE, SOURCE_PAGES
from linkindex.load.pages import heading_of
from linkindex.model import Finding, Index, Page, Place, Prose
from linkindex.refs import without_code

# Before a digit it is a sum of money; displayed formulas are reported apart.
STRAY = re.compile(r"(?<![\\$])\$(?![\d$])")
IN_WORDS = re.compile(r"\$(?!\d)|\\[(\[]")
LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(\s*<?([^)\s>]+)>?[^)\n]*\)")


@dataclass(frozen=True)
class Text:
    """Prose with its code blanked out, and where it starts."""

    text: str
    place: Place

    def at(self, offset: int) -> Place:
        line = self.text.count("\n", 0, offset)
        start = self.text.rfind("\n", 0, offset) + 1
        first = self.place.col - 1 if line == 0 else 0
        return Place(self.place.path, self.place.line + line, offset - start + 1 + first)


def check_prose(index: Index) -> Iterator[Finding]:
    published = {page.stem: _anchors(page) for page in index.pages if not page.is_draft}
    drafts = {page.final_stem: _anchors(page) for page in index.pages if page.is_draft}
    for page in index.pages:
        anchors = published | drafts if page.is_draft else published
        for text in _texts(page):
            yield from _stray_dollars(text) if page.has_records else ()
            yield from _links(text, page, anchors)
        yield from _formulas_in_words(page)
    shown = [*index.symbols, *(symbol for page in index.pages for symbol in page.notation)]
    for meaning, place in {symbol.meaning: symbol.place for symbol in reversed(shown)}.items():
        yield from _in_words(meaning, place)


def doubtful_formulas(index: Index) -> Iterator[Finding]:
    """Warnings, since nothing of it is proved: a formula in a sentence that names what is no symbol of the page's
    notation, but is like one."""
    for page in index.pages:
        notation = Notation.of(page.notation)
        for text in _texts(page) if page.notation else ():
            yield from _inline_formulas(text, notation)


def _texts(page: Page) -> Iterator[Text]:
    return (Text(without_code(block.text), block.place) for block in page.flat if isinstance(block, Prose))


def _inline_formulas(text: Text, notation: Notation) -> Iterator[Finding]:
    for match in INLINE.finditer(text.text):
        try:
            parse(match[1], notation)
        except FormulaError as error:
            if NEAREST in error.message:
                place = text.at(match.start(1) + error.offset)
                yield Finding(place, "LI502", f"the formula ${match[1]}$: {error.message}")


def _stray_dollars(text: Text) -> Iterator[Finding]:
    """Dollars that Markdown would leave as they are: the reader would see TeX."""
    rest = INLINE.sub(lambda match: " " * len(match[0]), text.text)
    for match in STRAY.finditer(rest):
        message = "this dollar sign begins no formula: write $x$ without blanks just inside, or `$` for the sign itself"
        yield Finding(text.at(match.start()), "LI503", message)


def _formulas_in_words(page: Page) -> Iterator[Finding]:
    """Titles, meanings and notes are shown as they are: a formula in one would be read as TeX."""
    for block in page.directives:
        for words in texts(block, Meaning.WORDS):
            yield from _in_words(words, block.place)
    for record in page.displayed:
        yield from _in_words(record.title, record.keys.get("title", record.place))
    for statement in page.statements:
        yield from _in_words(statement.because or "", statement.keys.get("because", statement.place))


def _in_words(words: str, place: Place) -> Iterator[Finding]:
    if IN_WORDS.search(words):
        message = "a formula stands in a text that is shown as it is: write it in words"
        yield Finding(place, "LI116", f"in {words!r}: {message}")


def _links(text: Text, page: Page, anchors: Mapping[str, set[str]]) -> Iterator[Finding]:
    for match in LINK.finditer(text.text):
        target, _, anchor = match[1].partition("#")
        if re.match(r"[a-z][a-z0-9+.-]*:|/", target) or (target and not target.endswith(".md")):
            continue
        folder = posixpath.dirname(page.final_stem)
        stem = posixpath.normpath(posixpath.join(folder, target.removesuffix(".md"))) if target else page.final_stem
        if stem in GENERATED or stem.startswith(SOURCE_PAGES):
            continue
        if stem not in anchors:
            message = (
                f"the link leads to {match[1]!r}, and there is no page {stem}.md: correct it, "
                "exactly as the file is spelt"
            )
            if page.is_draft:
                message += "; the links of a draft are those of the page that it will be"
            yield Finding(text.at(match.start(1)), "LI117", message)
        elif anchor and anchor not in anchors[stem]:
            known = ", ".join(sorted(anchors[stem])[:8])
            message = f"{stem}.md has no anchor #{anchor}; it has {known or 'none'}: correct the link"
            yield Finding(text.at(match.start(1)), "LI118", message)


def _anchors(page: Page) -> set[str]:
    """Anchors that are written out: of headings, concepts and equations."""
    anchors = {record.anchor for record in page.displayed}
    for concept in page.concepts:
        anchors |= {concept.anchor, *([f"{concept.anchor}-example"] if first_numbers(concept) else [])}
    for block in page.flat:
        if isinstance(block, Prose):
            if heading := heading_of(block):
                anchors.add(heading[1] or re.sub(r"[^\w]+", "-", heading[2].lower()).strip("-"))
            anchors |= set(re.findall(r"\{[^}]*#([\w.-]+)[^}]*\}", block.text))
    return anchors
