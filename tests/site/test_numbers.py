"""Every number that the reference page prints is on the two attention pages, read back from their HTML as text."""

import ast
from collections import defaultdict
from dataclasses import dataclass

import pytest

from linkindex.verify.html import Element, parse
from tests.page_numbers import ATTENTION, Printed, attention_page_legends, attention_page_numbers

# Our heading, and the one over the same numbers on the reference page; our second page is one section there.
RENAMED = {
    "Queries, keys and values": "Q, K, V projections",
    "Scaling by the root of the head width": "Scaling by the square root of d_h",
}
PAGES = {"attention": None, "attention-backward": "Backward pass"}


@dataclass(frozen=True)
class Shown:
    """A number on the page: what a reader sees, and the value that the cell carries."""

    text: str
    value: float


@pytest.fixture(scope="module")
def shown(site):
    """(section, kind of display, reference, index) -> numbers, as a reader of the page sees them."""
    found = defaultdict(list)
    section = ""
    for page, element in elements(site):
        if element.tag == "h2":
            section = element.text.replace("#", "").strip()
            section = PAGES[page] or RENAMED.get(section, section)
        ref, index = split(element.attributes.get("data-ref", ""))
        if element.tag == "table" and ref:
            for position, value in matrix(element):
                found[section, "matrix", ref, (*index, *position)].append(value)
        elif ref and (number := first_number(element)):
            found[section, "number", ref, index].append(number)
        if "data-end" in element.attributes:
            owner = next(outer for outer in element.ancestors() if "lx-example" in outer.classes)
            table = next(inner for inner in owner.walk() if inner.tag == "table")
            end = ("low", "high").index(element.attributes["data-end"])
            found[section, "legend", table.attributes["data-ref"], (end,)].append(first_number(element))
        if "data-row" in element.attributes:
            owner = next(outer for outer in element.ancestors() if "data-sums-of" in outer.attributes)
            cells = [inner.text.strip() for inner in element.children if isinstance(inner, Element)]
            key = (section, owner.attributes["data-sums-of"], (int(element.attributes["data-row"]),))
            found[key[0], "row sum", key[1], key[2]].append(Shown(cells[1], float(cells[2])))
            found[key[0], "masked cells", key[1], key[2]].append(Shown(cells[3], float(cells[3])))
    return found


def elements(site):
    """Page and element, of both pages in their order."""
    for page in PAGES:
        text = (site / page / "index.html").read_text(encoding="utf-8")
        yield from ((page, element) for element in parse(text).walk())


def split(ref):
    """``dA[0]`` and ``(A @ Vh)[0, 2]`` as code and index."""
    if not ref:
        return "", ()
    node = ast.parse(ref, mode="eval").body
    if isinstance(node, ast.Subscript) and not isinstance(getattr(node.slice, "value", None), str):
        parts = getattr(node.slice, "elts", [node.slice])
        return ast.unparse(node.value), tuple(map(ast.literal_eval, parts))
    return ast.unparse(node), ()


def matrix(table):
    rows = [
        row
        for row in table.walk()
        if row.tag == "tr" and any(cell.tag == "td" and "data-value" in cell.attributes for cell in row.walk())
    ]
    for i, row in enumerate(rows):
        cells = [cell for cell in row.walk() if cell.tag == "td" and "data-value" in cell.attributes]
        for j, cell in enumerate(cells):
            position = (i, j) if len(rows) > 1 else (j,)
            yield position, Shown(visible(cell), float(cell.attributes["data-value"]))


def visible(cell):
    """The text without what is only read aloud, such as "masked"."""
    parts = [
        child if isinstance(child, str) else "" if "lx-hidden" in child.classes else visible(child)
        for child in cell.children
    ]
    return "".join(parts).strip()


def first_number(element):
    holder = next((inner for inner in element.walk() if "data-value" in inner.attributes), None)
    return Shown(visible(holder), float(holder.attributes["data-value"])) if holder else None


def on_page(printed: Printed, shown):
    """What the page shows for a printed number, in its section."""
    ref, index = split(printed.ref)
    index = (*index, *printed.index)
    if printed.kind in ("legend", "row sum", "masked cells"):
        return shown[printed.section, printed.kind, printed.ref, printed.index]
    kinds = ("number", "matrix") if printed.kind == "worked" else ("matrix",)
    return [value for kind in kinds for value in shown[printed.section, kind, ref, index]]


def number(text):
    """The number that a reader reads; the page writes minus infinity as a symbol."""
    text = text.replace("−", "-").replace("∞", "inf")
    return float(text.split()[0])


def test_all_but_the_tie_are_shown_to_the_digit(shown):
    printed = attention_page_numbers()
    assert len(printed) == 906
    different = [one for one in printed if not any(number(value.text) == one.value for value in on_page(one, shown))]
    assert [(*split(one.ref)[:1], (*split(one.ref)[1], *one.index), one.text) for one in different] == [
        ("dA", (0, 0, 2), "0.159")
    ]
    assert len(printed) - len(different) == 905


def test_the_exact_values_that_the_cells_carry_match_to_half_a_unit(shown):
    """The tie as well: 0.15895 is half a unit of the fourth decimal away from 0.159."""
    wrong = [
        one
        for one in (*attention_page_numbers(), *attention_page_legends())
        if not any(one.matches(value.value) for value in on_page(one, shown))
    ]
    assert wrong == []


def test_the_ends_of_the_legends_are_shown(shown):
    legends = attention_page_legends()
    assert len(legends) == 10
    assert all(any(number(value.text) == one.value for value in on_page(one, shown)) for one in legends)


def test_what_a_reader_sees_is_the_carried_value_rounded(shown):
    """No cell shows another number than the one it carries."""
    values = [value for values in shown.values() for value in values]
    assert len(values) >= 870  # 906, less the table that the reference shows twice, and some more operands
    for value in values:
        text = value.text.split()[0]
        if "∞" not in text:
            decimals = len(text.partition(".")[2]) if "." in text else 0
            assert abs(number(text) - value.value) <= 0.5 * 10.0**-decimals * (1 + 1e-9) + 1e-12, value


def test_round_off_is_bounded_instead_of_shown(site):
    found = [element.attributes for _, element in elements(site)]
    gaps = [attributes["data-value"] for attributes in found if "data-gap-of" in attributes]
    assert len(gaps) == len(ATTENTION["comparisons"]["rows"]) == 5
    assert all(0 < float(gap) < 1e-9 for gap in gaps)
    bounds = [attributes["data-bound"] for attributes in found if "data-bound" in attributes]
    assert bounds == ["1e-12"]
