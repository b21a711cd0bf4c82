"""Every equation stands on its page, and every displayed formula of a page with records is one of them (LI720, LI722,
LI724)."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from linkindex.formula import Formula, render
from linkindex.load.consistency import GENERATED, SOURCE_PAGES
from linkindex.model import Finding, Index, Place, Record, Resolution, Statement
from linkindex.verify.clean import unless_clean
from linkindex.verify.html import Element, parse
from linkindex.verify.site import HtmlPage, Site, html_path


def check_equations(site: Site, index: Index, resolution: Resolution) -> Iterator[Finding]:
    if not index.equations:
        message = "the index holds no equation, so nothing was verified: write records into the .yml beside a page"
        yield Finding(Place(index.config.docs), "LI720", message)
    formulas = resolution.formulas
    for page in index.pages:
        found = site.pages.get(html_path(page.stem))
        expected = [
            (one.id, one.anchor, formulas[one.id].marked if one.id in formulas else one.latex) for one in page.displayed
        ]
        things = ["equations", page.stem, found.digest if found else None, expected]
        yield from unless_clean(index.config.root, things, partial(_of_page, site, page.displayed, formulas))


def _of_page(site: Site, equations: Iterable[Record], formulas: Mapping[str, Formula]) -> Iterator[Finding]:
    for equation in equations:
        yield from _shown(site, equation, formulas.get(equation.id))


def _shown(site: Site, equation: Record, formula: Formula | None) -> Iterator[Finding]:
    path = html_path(equation.page)
    page = site.pages.get(path)
    element = page.ids.get(equation.anchor) if page else None
    if element is None:
        message = f"no anchor {equation.anchor!r} on {path}: show the equation with '::: equation {equation.id}'"
        yield Finding(equation.place, "LI722", message)
        return
    shown = [_characters(below) for below in element.walk() if below.tag == "math"]
    latex = equation.latex if isinstance(equation, Statement) else formula.marked if formula else None
    expected = _characters(parse(render(latex))) if latex else None
    if not shown:
        message = f"no formula (MathML) stands below the anchor {equation.anchor!r} of {path}, line {element.line}"
        yield Finding(equation.place, "LI722", message)
    elif expected is not None and expected not in shown:
        where = f"at the anchor {equation.anchor!r} of {path}"
        message = f"expected the formula {expected!r} {where}, found {shown[0]!r}: build again"
        yield Finding(equation.place, "LI722", message)


def _characters(element: Element) -> str:
    return "".join(element.text.split())


def check_formulas(page: HtmlPage, index: Index) -> Iterator[Finding]:
    if not is_checked(page.path, index):
        return
    by_id = {record.id: record for record in index.displayed}
    anchors = {equation.anchor for equation in by_id.values()}
    for element in page.elements:
        displayed = element.tag == "math" and element.attributes.get("display") == "block"
        if displayed and not _belongs(element, anchors, by_id):
            message = (
                f"the formula {_characters(element)!r} on line {element.line} of {page.path} is in no record: "
                "move it to the .yml beside the page, and show it with '::: equation ID'"
            )
            yield page.finding("LI724", message, element, "$$")


def is_checked(path: str, index: Index) -> bool:
    """Whether a page is generated, or written beside records; on others, mathematics is only shown."""
    written = {html_path(page.stem) for page in index.pages if page.has_records}
    return path in written | set(map(html_path, GENERATED)) or path.startswith(SOURCE_PAGES)


def _belongs(formula: Element, anchors: set[str], by_id: Mapping[str, Record]) -> bool:
    """Whether the formula stands in the block of an equation: at its anchor, or marked ``data-equation`` elsewhere."""
    return any(
        element.attributes.get("id") in anchors or element.attributes.get("data-equation") in by_id
        for element in (formula, *formula.ancestors())
    )
