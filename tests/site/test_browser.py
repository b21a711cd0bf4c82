"""The site in a real browser, from a host that forbids inline code and other hosts."""

import pytest

from tests.pages import EQUATIONS

ATTENTION, SOURCE = "attention/", "source/transformer/attention.py/"
WITH_EQUATIONS = [address for page in EQUATIONS for address in (f"{page}/", f"evidence/{page}/")]
PAGES = ["", "how-to-read/", SOURCE, "equations/", "symbols/", "evidence/", "reference/", *WITH_EQUATIONS]
SCHEMES = ["light", "dark"]

RAW_TEX = r"""() => {
  const raw = /\$\$|\\\(|\\\[|\\sym|\\frac|\$[^$\d]/, found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.closest("code, pre, script, style, math")) continue;
    if (raw.test(node.data)) found.push(node.data.trim());
  }
  return found;
}"""
TOO_WIDE = """() => {
  const limit = document.documentElement.clientWidth, wide = [];
  if (document.documentElement.scrollWidth > limit) wide.push("the page: " + document.documentElement.scrollWidth);
  for (const element of document.querySelectorAll("article *")) {
    if (element.getBoundingClientRect().right <= limit + 1) continue;
    let box = element.parentElement;
    while (box && !["auto", "scroll", "hidden"].includes(getComputedStyle(box).overflowX)) box = box.parentElement;
    if (!box || box === document.documentElement || box === document.body)
      wide.push(element.tagName + "." + element.className + ": " + element.textContent.trim().slice(0, 40));
  }
  return wide;
}"""
SCROLLING = """async () => {
  const found = [];
  document.querySelectorAll("details").forEach(one => one.open = true);
  for (const box of document.querySelectorAll("article div.arithmatex, article .scroll")) {
    if (box.scrollWidth <= box.clientWidth + 1 && box.checkVisibility({ contentVisibilityAuto: true })) continue;
    box.scrollIntoView({ block: "center" });
    const scrolls = () => box.scrollWidth > box.clientWidth + 1;
    for (let waited = 0; waited < 50 || (waited < 2000 && scrolls() && box.tabIndex !== 0); waited += 50)
      await new Promise(done => setTimeout(done, 50));  // on a busy machine the script comes later
    if (scrolls())
      found.push({
        text: box.textContent.trim().slice(0, 40),
        focusable: box.tabIndex === 0,
        name: box.getAttribute("aria-label"),
      });
  }
  return found;
}"""
BELOW_THE_HEADER = """() => {
  const top = document.querySelector(":target")?.getBoundingClientRect().top;
  return document.querySelector(".md-header").getBoundingClientRect().bottom <= top && top <= innerHeight;
}"""
UNDRAWN = """() => {
  const font = [...document.fonts].find(face => face.family.includes("Linkindex Math"));
  const missing = new Set();
  for (const math of document.querySelectorAll("math")) {
    const box = math.getBoundingClientRect();
    if (math.checkVisibility() && (box.width === 0 || box.height === 0)) missing.add(math.textContent);
  }
  return { font: font ? font.status : "none", missing: [...missing] };
}"""

LAID_OUT_WRONG = {
    "the number of an equation is beside its title, and covers nothing": """() =>
      [...document.querySelectorAll(".lx-eq__head")].filter(head => {
        const [title, number] = ["title", "no"].map(
          part => head.querySelector(`.lx-eq__${part}`).getBoundingClientRect());
        return number.top > title.bottom || title.right > number.left;
      }).map(head => head.textContent)""",
    "a formula covers neither its title nor its line of proof": """() =>
      [...document.querySelectorAll(".lx-eq")].filter(card => {
        const [head, formula, proof] = [".lx-eq__head", "math", ".lx-proof"].map(
          part => card.querySelector(part).getBoundingClientRect());
        return formula.top < head.bottom - 2 || proof.top < formula.bottom - 2;
      }).map(card => card.textContent)""",
    "the links in a line of proof are apart from each other": """() =>
      [...document.querySelectorAll(".lx-proof")].filter(proof => {
        const boxes = [...proof.children].map(part => part.getBoundingClientRect());
        const near = (a, b) => a.left < b.right + 4 && b.left < a.right + 4 && a.top < b.bottom && b.top < a.bottom;
        return boxes.some((box, n) => boxes.slice(n + 1).some(other => near(box, other)));
      }).map(proof => proof.textContent)""",
    "a heading over numbers is on the right as they are": """() =>
      [...document.querySelectorAll("thead th.lx-num")]
        .filter(th => getComputedStyle(th).textAlign !== "right").map(th => th.textContent)""",
    "the ground of a statement ends with its code": """() =>
      [...document.querySelectorAll(".lx-statement")].filter(code => {
        const words = document.createRange();
        words.selectNodeContents(code);
        const box = code.getBoundingClientRect(), lines = words.getClientRects();
        return new Set([...lines].map(line => Math.round(line.bottom / 8))).size === 1
          && box.right - words.getBoundingClientRect().right > 12;
      }).map(code => code.textContent)""",
    "the subscripts of a formula hang equally low": """() => {
      const lowest = [...document.querySelectorAll("#eq-attention-scores msub")]
        .filter(sub => /^[QK]h$/.test(sub.textContent)).map(sub => sub.lastElementChild.getBoundingClientRect().bottom);
      const apart = Math.max(...lowest) - Math.min(...lowest);
      return lowest.length > 1 && apart < 1 ? [] : [lowest];
    }""",
    "no line of linked code ends out of sight": """() =>
      [...document.querySelectorAll(".lx-listing .scroll")]
        .filter(box => !box.querySelector(".lx-line").textContent.includes("def "))  // whole functions may scroll
        .filter(box => box.scrollWidth > box.clientWidth + 1).map(box => box.textContent)""",
    "a shape stands right of its line, in one column": """() =>
      [...document.querySelectorAll(".lx-lines")].filter(lines => {
        const shapes = [...lines.querySelectorAll(".lx-line > .lx-shape")];
        return new Set(shapes.map(shape => Math.round(shape.getBoundingClientRect().right))).size > 1;
      }).map(lines => lines.textContent)""",
    "no text of a picture is cut off": """() =>
      [...document.querySelectorAll("svg.lx-fig")].flatMap(svg => {
        const box = svg.getBoundingClientRect();
        return [...svg.querySelectorAll("text")].filter(text => {
          const { left, right, top, bottom } = text.getBoundingClientRect();
          return left < box.left - 1 || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1;
        }).map(text => text.textContent);
      })""",
    "the framed cell is in the row that is followed": """() =>
      [...document.querySelectorAll(".lx-framed")].filter(cell => !cell.closest("tr").matches(".lx-followed")
        || getComputedStyle(cell).outlineStyle !== "solid").map(cell => cell.textContent)""",
}
DIVIDED = """() => {
  const wrong = (selector, property, value) => [...document.querySelectorAll(`article ${selector}`)]
    .filter(element => getComputedStyle(element)[property] !== value).map(element => `${selector}: ${property}`);
  return [...wrong("table", "breakInside", "auto"), ...wrong(".scroll", "breakInside", "auto"),
    ...wrong("details", "breakInside", "auto"), ...wrong("tr", "breakInside", "avoid"),
    ...wrong("thead", "display", "table-header-group")];
}"""


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [1280, 320])
@pytest.mark.parametrize("url", PAGES)
def test_axe_finds_nothing(visit, axe, url, scheme, width):
    visited = visit(url, scheme=scheme, width=width)
    visited.tab.evaluate("() => document.querySelectorAll('details').forEach(one => one.open = true)")
    visited.reveal()
    visited.tab.evaluate(axe)
    violations = visited.tab.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
    found = [f"{v['id']}: {node['target']} {node['failureSummary']}" for v in violations for node in v["nodes"]]
    assert not found, "\n".join(found)


def test_the_dark_scheme_is_dark_and_the_light_one_light(visit):
    def scheme(name):
        return visit("", scheme=name).tab.evaluate("() => document.body.getAttribute('data-md-color-scheme')")

    assert (scheme("light"), scheme("dark")) == ("default", "slate")


@pytest.mark.parametrize("url", PAGES)
def test_a_page_asks_no_other_host_and_reports_no_error(visit, url):
    visited = visit(url)
    assert visited.problems == []


def test_search_works_under_the_policy_and_shows_characters(visit):
    visited = visit("")
    visited.tab.keyboard.press("/")
    visited.tab.keyboard.type("softmax", delay=20)
    visited.tab.wait_for_selector(".md-search-result__link")
    results = visited.tab.inner_text(".md-search-result__list")
    assert "softmax" in results.lower()
    assert "$" not in results and "\\" not in results
    assert visited.problems == []


def test_formulas_are_drawn_after_navigation_by_click(visit):
    visited = visit("")
    visited.tab.click(f"article a[href^='{ATTENTION}'] >> nth=0")
    visited.tab.wait_for_url(f"**/{ATTENTION}*")
    visited.settle()
    visited.reveal()
    assert visited.tab.evaluate(RAW_TEX) == []
    formulas = visited.tab.evaluate("() => document.querySelectorAll('math[display=block]').length")
    assert formulas == len(EQUATIONS["attention"])
    assert visited.tab.evaluate(UNDRAWN) == {"font": "loaded", "missing": []}
    assert visited.problems == []


@pytest.mark.parametrize("link", [f"{ATTENTION} article a[href*='{SOURCE}#L']", "equations/ article a[href*='#eq-']"])
def test_a_link_lands_on_its_target_below_the_header(visit, link):
    url, _, selector = link.partition(" ")
    tab = visit(url).tab
    tab.click(f"{selector} >> nth=3")
    tab.wait_for_url("**/#*")
    # What lies between is laid out as it comes near, which moves the target; then it must stay where it is wanted.
    tab.wait_for_function(BELOW_THE_HEADER, timeout=5000)
    tab.wait_for_timeout(300)
    assert tab.evaluate(BELOW_THE_HEADER)


@pytest.mark.parametrize("width", [320, 400])
@pytest.mark.parametrize("url", PAGES)
def test_nothing_is_wider_than_a_narrow_screen(visit, url, width):
    visited = visit(url, width=width)
    visited.tab.evaluate("() => document.querySelectorAll('details').forEach(one => one.open = true)")
    visited.reveal()
    assert visited.tab.evaluate(TOO_WIDE) == []


@pytest.mark.parametrize(("page", "rule"), [
    (page, rule) for page in EQUATIONS for rule in LAID_OUT_WRONG if page == "attention" or "subscripts" not in rule
])  # fmt: skip
def test_the_page_is_laid_out_so_that(visit, rule, page):
    visited = visit(f"{page}/")
    visited.tab.evaluate("() => document.querySelectorAll('details').forEach(one => one.open = true)")
    visited.reveal()
    assert visited.tab.evaluate(LAID_OUT_WRONG[rule]) == []


@pytest.mark.parametrize("rule", [
    "the number of an equation is beside its title, and covers nothing", "no text of a picture is cut off",
    "a formula covers neither its title nor its line of proof",
    "the links in a line of proof are apart from each other",
])  # fmt: skip
def test_on_a_phone_it_still_holds_that(visit, rule):
    visited = visit(ATTENTION, width=360)
    visited.reveal()
    assert visited.tab.evaluate(LAID_OUT_WRONG[rule]) == []


def test_the_permanent_link_of_an_equation_shows_the_focus(visit):
    visited = visit(ATTENTION, width=360)
    visited.reveal()
    visited.tab.keyboard.press("Tab")
    visited.tab.focus(".lx-eq__no >> nth=0")
    outline = "() => getComputedStyle(document.activeElement).outlineStyle"
    assert visited.tab.evaluate(outline) == "solid"


@pytest.mark.parametrize("url", PAGES)
def test_on_paper_nothing_is_too_wide_and_what_is_long_is_divided_between_rows(visit, url):
    visited = visit(url, width=703)  # A4 with the margins of the site, 12 mm
    visited.tab.emulate_media(media="print")
    visited.tab.evaluate("() => document.querySelectorAll('details').forEach(one => one.open = true)")
    visited.settle()
    assert visited.tab.evaluate(TOO_WIDE) == []
    assert visited.tab.evaluate(DIVIDED) == []


@pytest.mark.parametrize("url", [ATTENTION, SOURCE, "symbols/", "equations/"])
def test_what_scrolls_can_be_reached_with_the_keyboard(visit, url):
    visited = visit(url, width=320)
    visited.tab.evaluate("() => document.querySelectorAll('details').forEach(one => one.open = true)")
    scrolling = visited.tab.evaluate(SCROLLING)
    assert scrolling or url == "symbols/"
    assert [box for box in scrolling if not (box["focusable"] and box["name"])] == []


@pytest.mark.parametrize("url", PAGES)
def test_a_page_is_complete_without_javascript(visit, url):
    with_scripts, without = visit(url).text(), visit(url, javascript=False).text()
    assert without == with_scripts
    assert len(with_scripts) > 200


def test_the_first_key_press_offers_to_skip_to_the_content(visit):
    tab = visit(ATTENTION).tab
    tab.keyboard.press("Tab")
    assert tab.evaluate("() => document.activeElement.classList.contains('md-skip')")
    tab.keyboard.press("Enter")
    assert tab.evaluate("() => document.querySelector(':target') !== null")


@pytest.mark.parametrize("url", PAGES)
def test_headings_form_an_outline(visit, url):
    headings = "[...document.querySelectorAll('article :is(h1, h2, h3, h4, h5, h6)')]"
    levels = visit(url).tab.evaluate(f"() => {headings}.map(heading => Number(heading.tagName[1]))")
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:])), levels


def test_nothing_is_cut_off_on_paper(visit):
    tab = visit(ATTENTION).tab
    tab.emulate_media(media="print")
    frame = "['.md-header', '.md-sidebar--primary', '.md-footer']"
    assert tab.evaluate(f"() => {frame}.filter(part => document.querySelector(part)?.checkVisibility())") == []
    assert tab.inner_text("article")
