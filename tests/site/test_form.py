"""The form of a page, measured in a browser: how much of it there is as opened, and what the keyboard meets."""

import gzip
import json

import pytest

from tests.pages import EQUATIONS

from .test_browser import ATTENTION, PAGES

LIMITS = {"height": 22_000, "elements": 9_000, "stops": 120}
SEARCHED = 30_000  # bytes of a page in the index of the search
SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver(list => list.getEntries().forEach(
    one => window.shifts.push(
      { value: one.value, moved: one.sources.map(source => source.node?.textContent?.trim().slice(0, 40)) })
  )).observe({ type: "layout-shift", buffered: true });
}"""
SCROLL_THROUGH = """async () => {
  for (let top = 0; top < document.documentElement.scrollHeight; top += 300) {
    scrollTo(0, top);
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  }
}"""
STOPS = """() => {
  window.stops = [];
  document.addEventListener("focusin", event => window.stops.push(event.target.outerHTML.slice(0, 120)));
}"""
HIDDEN_FOCUS = """() => {
  const { width, height } = document.activeElement.getBoundingClientRect();
  return !document.activeElement.checkVisibility({ visibilityProperty: true }) || width * height === 0;
}"""


def stops(visited, most):
    """What the Tab key stops at, from the top of the page to its end."""
    visited.tab.evaluate(STOPS)
    hidden = []
    for _ in range(most):
        visited.tab.keyboard.press("Tab")
        if visited.tab.evaluate("() => document.activeElement === document.body"):
            break
        if visited.tab.evaluate(HIDDEN_FOCUS):
            hidden.append(visited.tab.evaluate("() => document.activeElement.outerHTML.slice(0, 120)"))
    return visited.tab.evaluate("() => window.stops"), hidden


@pytest.mark.parametrize("page", EQUATIONS)
def test_a_page_is_short_as_opened(visit, page):
    visited = visit(f"{page}/")
    as_opened = visited.tab.evaluate("() => document.documentElement.scrollHeight")
    visited.reveal()                                     # the real height, without what the browser guesses
    height = visited.tab.evaluate("() => document.documentElement.scrollHeight")
    assert max(as_opened, height) < LIMITS["height"]
    assert abs(as_opened - height) < 0.2 * height        # so that the bar on the right tells the truth


@pytest.mark.parametrize("page", EQUATIONS)
def test_a_page_has_few_elements(visit, page):
    assert visit(f"{page}/").tab.evaluate("() => document.querySelectorAll('*').length") < LIMITS["elements"]


@pytest.mark.parametrize("page", EQUATIONS)
def test_a_page_has_few_tab_stops_and_none_that_cannot_be_seen(visit, page):
    found, _ = stops(visit(f"{page}/"), 2 * LIMITS["stops"])
    assert len(found) < LIMITS["stops"], "\n".join(found)


@pytest.mark.parametrize("url", ["", ATTENTION, "symbols/"])
def test_the_keyboard_stops_at_nothing_that_cannot_be_seen(visit, url):
    _, hidden = stops(visit(url), 60)
    assert [one for one in hidden if "md-option" not in one] == []  # the theme draws labels in the place of its inputs


@pytest.mark.parametrize("page", EQUATIONS)
def test_sections_have_no_headings_below_their_own(visit, page):
    assert visit(f"{page}/").tab.evaluate("() => document.querySelectorAll('article :is(h3, h4, h5, h6)').length") == 0


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("url", PAGES)
def test_nothing_moves_while_a_page_arrives_nor_while_it_is_read(chromium, address, url, width):
    context = chromium.new_context(viewport={"width": width, "height": 900})
    tab = context.new_page()
    tab.add_init_script(f"({SHIFTS})()")
    tab.goto(address + url, wait_until="load")
    tab.evaluate("() => document.fonts.ready.then(() => new Promise(done => setTimeout(done, 300)))")
    arrived = tab.evaluate("() => window.shifts")
    tab.evaluate(SCROLL_THROUGH)
    read = tab.evaluate("() => window.shifts")[len(arrived) :]
    context.close()
    # On a busy machine the font of formulas, which is preloaded, may come a moment after the first drawing.
    assert sum(one["value"] for one in arrived) < 0.01, arrived
    assert sum(one["value"] for one in read) < 0.01, read


def test_a_page_is_a_small_part_of_the_search_index(site):
    entries = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    sizes: dict[str, int] = {}
    for entry in entries:
        page = entry["location"].partition("#")[0]
        sizes[page] = sizes.get(page, 0) + len(json.dumps(entry, ensure_ascii=False).encode())
    assert {f"{page}/" for page in EQUATIONS} <= set(sizes)
    assert {page: size for page, size in sizes.items() if size >= SEARCHED} == {}


@pytest.mark.parametrize("page", EQUATIONS)
def test_what_is_folded_is_not_searched_there_but_on_the_page_of_the_evidence(site, page):
    entries = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    here = " ".join(entry["text"] for entry in entries if entry["location"].startswith(f"{page}/"))
    evidence = " ".join(entry["text"] for entry in entries if entry["location"].startswith(f"evidence/{page}/"))
    folded = ("Links and proof", "formulas are computed", "Mutants caught", "Source, papers, callers", "tolerance 1e-")
    assert [words for words in folded if words in here] == []
    assert "Mutants caught" in evidence and "tolerance 1e-" in evidence


def test_the_front_page_fits_on_one_screen(visit):
    tab = visit("").tab
    assert tab.evaluate("() => document.querySelector('article').getBoundingClientRect().bottom") <= 800


@pytest.mark.parametrize("page", EQUATIONS)
def test_a_page_of_equations_is_small_on_its_way(site, page):
    assert len(gzip.compress((site / page / "index.html").read_bytes())) < 80_000


def test_one_section_opens_like_the_other(visit):
    """Its place among the steps, a question, then the idea; last a question with a folded answer, and the fold."""
    sections = visit(ATTENTION).tab.evaluate("""() => {
      const found = [];
      for (const part of document.querySelectorAll(".md-content__inner > *")) {
        if (part.matches("h2")) found.push([]);
        if (found.length) found.at(-1).push(part.classList[0] ?? part.localName);
      }
      return found;
    }""")
    steps = [parts for parts in sections if "lx-equations" in parts]
    assert len(steps) >= 9
    for parts in steps:
        assert parts[1:3] == ["lx-strip", "lx-ask"]
        in_order = ("lx-equations", "lx-symbols", "lx-listing", "lx-whatif", "question", "lx-links")
        order = [parts.index(name) for name in in_order]
        assert order == sorted(order)
        assert parts.count("lx-whatif") == parts.count("lx-links") == 1


# --- forced colours and paper -----------------------------------------------------------------------------------------


def test_with_forced_colours_what_colours_said_is_still_said(chromium, address):
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, forced_colors="active")
    tab = context.new_page()
    tab.goto(address + ATTENTION, wait_until="load")
    style = """([selector, property, part]) => [...new Set([...document.querySelectorAll(selector)]
      .map(element => getComputedStyle(element, part)[property]))]"""

    def of(selector, name, part=None):
        return tab.evaluate(style, [selector, name, part])

    assert of(".lx-whatif", "borderStyle") == ["dashed"] and of(".lx-model", "borderStyle") == ["double"]
    assert of("mark.lx-mark", "textDecorationLine") == ["underline"]
    assert of(".lx-key .lx-is-wrong", "borderStyle", "::before") == ["dashed"]
    recorded, trained = (of(f".lx-key .lx-is-{kind}", "backgroundColor", "::before") for kind in ("value", "model"))
    assert recorded != trained
    assert of(".lx-matrix tbody td:not(.lx-masked, .lx-framed)", "borderStyle") == ["solid"]
    assert of(".lx-heat-legend__bar", "forcedColorAdjust") == ["none"]
    assert of(".lx-strip a[aria-current]", "outlineStyle") == ["solid"]
    context.close()


PRINTED = """selector => [...document.querySelectorAll(selector)].filter(one => one.checkVisibility()).length"""


def test_on_paper_answers_are_printed_and_proofs_only_where_the_reader_opened_them(visit):
    tab = visit(ATTENTION).tab
    tab.click("details.lx-links summary >> nth=1")
    tab.wait_for_timeout(100)
    tab.emulate_media(media="print")                     # the theme opens all details
    tab.wait_for_timeout(100)
    assert tab.evaluate(PRINTED, "details.lx-links") == 1
    answers = tab.evaluate(PRINTED, "details.question > p")
    assert answers >= tab.evaluate("() => document.querySelectorAll('details.question').length") > 5
    tab.emulate_media(media="screen")
    tab.wait_for_timeout(100)
    assert tab.evaluate("() => document.querySelectorAll('details.lx-links[open]').length") == 1


def test_a_printed_page_is_short(visit):
    """A4 sheets, with answers and without proofs."""
    sheets = visit(ATTENTION).tab.pdf(format="A4", prefer_css_page_size=True).count(b"/Type /Page\n")
    assert 5 < sheets <= 20


def test_the_strip_and_navigation_are_not_printed(visit):
    tab = visit(ATTENTION).tab
    tab.emulate_media(media="print")
    assert tab.evaluate(PRINTED, ".lx-strip, .headerlink, .md-sidebar") == 0
