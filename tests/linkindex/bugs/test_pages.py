"""Formulas, anchors and links of built pages; the small project's mkdocs.yml sets nothing. Rows: see rows.py."""

import json
import re
from html import unescape

import jinja2
import pytest
from linkindex.load.config import read_config
from linkindex.site.build import build_site, check_site

from tests.linkindex.bugs import rows
from tests.linkindex.project import Project, messages

BARE = "site_name: Kalman filter\ntheme: {name: material, font: false}\nplugins: [search, linkindex]\n"
PAGE, CODE = "docs/filter.md", "kalman/filter.py"

VERIFY, SITE, BROWSER = "tests/linkindex/verify/test_verify.py", "tests/site/test_html.py", "tests/site/test_browser.py"
NOT_APPLICABLE = {}
ELSEWHERE = {
    # Notebooks, like all pages, are checked in the built HTML for TeX that was left over and for dead links.
    50: f"{VERIFY}::test_tex_that_the_reader_would_see {BROWSER}::test_formulas_are_drawn_after_navigation_by_click",
    51: f"{BROWSER}::test_formulas_are_drawn_after_navigation_by_click",
    55: f"{VERIFY}::test_tex_in_the_search_index {SITE}::test_every_equation_is_found_by_the_search_by_its_name",
    60: f"{VERIFY}::test_a_link_to_a_file_that_is_not_there"
    f" {VERIFY}::test_a_dead_anchor_is_placed_where_it_is_written_in_the_source",
}


def test_every_row_is_tested():
    assert rows.uncovered(rows.PAGES, globals(), ELSEWHERE, NOT_APPLICABLE) == []
    assert rows.lost(ELSEWHERE) == []


SENTENCES = """and grows, even $a_b$ of it.

Before $x$
$P$ after: $x_i P_j$ and *$x$*.

- an item
  $x$

1.  $P$

    > $x$

| left | right |
|---|---|
| $\\lvert x \\rvert$ | $\\lVert P \\rVert$ |

<div markdown="1">
Text $x$ in HTML.
</div>
"""
STRANGE = '    names = {"a": {"b": f"{{}} {x.ndim}"}, "c": "{% x %}"}  # {# <b> & {{ x }} $y$ a*b*c _d_\n'


@pytest.fixture(scope="module")
def built(pristine, tmp_path_factory):
    """A site whose mkdocs.yml names no extension of Markdown, with formulas in every place and braces in the code."""
    project = Project.copy(tmp_path_factory.mktemp("pages") / "project")
    project.write("mkdocs.yml", BARE)
    project.edit(PAGE, "The state $x$ moves", "### Remarks\n\nThe state $x$ moves")
    project.edit(PAGE, "A measurement", "### Remarks\n\nA measurement")
    project.edit(PAGE, "and grows.\n", SENTENCES.replace("$a_b$", "$x$").replace("$x_i P_j$", "$x P$"))
    project.edit(CODE, "    y = z - H @ x ", STRANGE + "    y = z - H @ x ")
    findings = build_site(read_config(project.root), project.root / "site")
    assert findings == ()
    return project


def body(project, page: str) -> str:
    return re.search(r"<article.*</article>", project.read(f"site/{page}/index.html"), re.DOTALL)[0]


def test_row_47_a_formula_is_drawn_wherever_a_sentence_stands(built):
    section = body(built, "filter").split('class="lx-equations"')[0]
    assert section.count("<math") == built.read(PAGE).split("::: equation")[0].count("$") / 2 > 10
    assert "$" not in section and "\\(" not in section


def test_row_47_a_generated_block_has_blank_lines_around_it_and_none_inside(built):
    lines = built.read("build/docs/filter.md").split("\n")
    marks = [number for number, line in enumerate(lines) if line.strip() == "$$"]
    assert len(marks) == 16
    for start, end in zip(marks[::2], marks[1::2], strict=True):
        assert lines[start - 1] == "" and lines[end + 1] == ""
        assert all(line.strip() and not re.match(r"\s*[-+*#>] |\s", line) for line in lines[start + 1 : end])


def test_row_47_a_formula_that_markdown_would_leave_as_text_is_a_finding(project):
    left = ["$ x $", "$x $", "$$x$$", r"\[x\]", "`` ` $$ `` $ x$", "$P"]
    project.edit(PAGE, "and grows.", "and grows.\n\n" + "\n\n".join(f"- text {sentence} text" for sentence in left))
    assert {finding.place.line for finding in project.fast()} == {
        project.line_of(PAGE, f"- text {sentence}") for sentence in left
    }


@pytest.mark.parametrize("sentence", ["`$x$`", "``` $ ```", "$5 or $6", r"\$x", "a\n\n```\n$ x $\n```\n"])
def test_row_47_dollars_that_are_meant_as_such_are_left_alone(project, sentence):
    project.edit(PAGE, "and grows.", f"and grows {sentence}.")
    assert project.fast() == ()


def test_row_48_norms_and_magnitudes_keep_the_cells_of_a_table(built):
    table = re.search(r"<table>\s*<thead>\s*<tr>\s*<th>left.*?</table>", body(built, "filter"), re.DOTALL)[0]
    cells = re.findall(r"<td>(.*?)</td>", table, re.DOTALL)
    assert len(cells) == 2 and all(cell.count("<math") == 1 for cell in cells)
    assert "‖" in unescape(cells[1])


def test_row_48_a_bare_bar_that_splits_a_table_is_found_in_the_built_page(project):
    project.edit(PAGE, "and grows.\n", "and grows.\n\n| a | b |\n|---|---|\n| $|x|$ | $x$ |\n")
    found = messages(check_site(read_config(project.root))[1], "LI714")
    assert found and r"\lvert for | in tables" in found[0]


def test_row_49_generated_pages_hold_nothing_that_a_template_engine_would_read(built):
    pages = sorted((built.root / "build/docs").rglob("*.md"))
    assert len(pages) == 8
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert jinja2.Environment(keep_trailing_newline=True).from_string(text).render() == text


def test_row_49_braces_of_code_are_shown_as_they_are_written(built):
    line = re.search(r'id="L\d+"[^\0]*?names.*?\n', body(built, f"source/{CODE}"))[0]
    assert STRANGE.strip() in unescape(re.sub(r"<[^>]*>", "", line))


@pytest.mark.parametrize("latex", ["y = {{z}} - H x", r"y = \frac{{z}}{1} - H x", "y = z - {#H} x", "y = z - {%H} x"])
def test_row_49_formulas_hold_no_needless_braces(project, latex):
    project.edit("docs/filter.yml", "latex: y = z - H x", f"latex: '{latex}'")
    assert {finding.code for finding in project.fast()} == {"LI501"}


@pytest.mark.parametrize(
    "command", [r"\label{eq:y}", r"\tag{1}", r"\ref{eq:y}", r"\eqref{eq:y}", r"\newcommand{\y}{y}", r"\href{x}{y}"]
)
def test_row_52_a_formula_cannot_name_or_number_itself(project, command):
    project.edit("docs/filter.yml", "latex: y = z - H x", f"latex: y = z - H x {command}")
    found = [finding for finding in project.fast() if finding.code == "LI501"]
    assert [(f.place.line, f.place.col) for f in found] == [
        (project.line_of("docs/filter.yml", command), len("  latex: y = z - H x ") + 1)
    ]


def test_row_52_numbers_and_anchors_of_equations_are_unique(built):
    html = body(built, "filter")
    anchors = re.findall(r'id="(eq-[^"]+)"', html)
    assert len(anchors) == len(set(anchors)) == 8
    numbers = re.findall(r'<a[^>]*class="lx-eq__no"[^>]*href="#(eq-[^"]+)"[^>]*>([^<]+)</a>', html)
    assert numbers == [(anchor, f"The filter {number}") for number, anchor in enumerate(anchors, 1)]


@pytest.mark.parametrize("heading", ["## Update of $x$ {#update}", "# The filter $x$", "### Why $P$?", "#### $x$ {#x}"])
def test_row_53_a_heading_holds_no_formula(project, heading):
    old = {"##": "## Update {#update}", "#": "# The filter\n"}.get(heading.split()[0], "A measurement")
    project.edit(PAGE, old, f"{heading}\n\n{old if not old.startswith(('# ', '## ')) else ''}")
    found = [finding for finding in project.fast() if finding.code == "LI116"]
    assert [finding.place.line for finding in found] == [project.line_of(PAGE, heading)]


def test_row_53_the_table_of_contents_and_the_search_titles_are_plain(built):
    html = built.read("site/filter/index.html")
    contents = re.search(r'<nav class="md-nav md-nav--secondary".*?</nav>', html, re.DOTALL)[0]
    titles = [entry["title"] for entry in json.loads(built.read("site/search/search_index.json"))["docs"]]
    assert "<math" not in contents and not any(re.search(r"[$\\<]", title) for title in titles)


def test_row_54_code_shows_characters_of_html_as_they_are_written(built):
    html = body(built, f"source/{CODE}")
    assert "<b>" not in html and "&lt;b&gt; &amp;" in html


@pytest.mark.parametrize("latex", [r"y = z - H x, \qquad y < z", r"y = z - H x \quad\text{for } m > n"])
def test_row_54_relations_of_a_formula_are_no_tags(project, latex):
    from linkindex.formula import Notation, parse, render
    from linkindex.pipeline import places_for

    page = places_for(read_config(project.root))[0].pages[0]
    mathml = render(parse(latex, Notation.of(page.notation)).marked, display=True)
    assert ("&lt;" if "<" in latex else "&gt;") in mathml
    assert not re.search(r"<(?!/?m|/?semantics|/?annotation)", mathml)


def test_row_54_text_of_records_is_escaped(project):
    project.edit("docs/filter.yml", "title: Innovation\n", "title: 'a<b & <script>c'\n")
    project.edit("docs/symbols.yml", "The innovation: what", "<i>The</i> innovation & what")
    assert build_site(read_config(project.root), project.root / "site") == ()
    html = body(project, "filter")
    assert "<script>c" not in html and "<i>The" not in html
    assert "a&lt;b &amp; &lt;script&gt;c" in html and "&lt;i&gt;The&lt;/i&gt; innovation &amp; what" in html


LINKS = [
    "[x](filter.md#gone)",
    "[x](#absent)",
    "[x](gone.md)",
    "[x](nowhere/)",
    "[x](picture.png)",
    '<a href="#lost">x</a>',
]
FLAGS = [
    "",
    "strict: true\n",
    "strict: false\n",
    "validation: {links: {anchors: ignore, not_found: ignore, unrecognized_links: ignore}}\n",
]


@pytest.mark.parametrize("settings", FLAGS, ids=["nothing set", "strict", "not strict", "validation off"])
def test_row_57_a_dead_link_is_found_whatever_mkdocs_is_told(project, settings):
    project.write("mkdocs.yml", BARE + settings)
    project.edit(PAGE, "and grows.", "and grows.\n\n" + "\n\n".join(f"- {link}" for link in LINKS))
    _, findings = check_site(read_config(project.root))
    found = {(finding.place.path, finding.place.line) for finding in findings}
    assert {(PAGE, project.line_of(PAGE, f"- {link}")) for link in LINKS} <= found


@pytest.mark.parametrize("anchor", ["Update", "updat", "eq-filter-Gain", "eq-filter.gain", "filter-gain"])
def test_row_58_a_dead_anchor_is_found_before_anything_is_built(project, anchor):
    project.edit(PAGE, "and grows.", f"and [grows](filter.md#{anchor}).")
    found = [finding for finding in project.fast() if finding.code == "LI118"]
    assert [finding.place.line for finding in found] == [project.line_of(PAGE, "and [grows]")]


def test_row_59_every_anchor_is_plain_lower_case_and_there_once(built):
    html = built.read("site/filter/index.html")
    ids = re.findall(r'<(?:h\d|div|section|figure)[^>]* id="([^"]+)"', body(built, "filter"))
    assert len(ids) > 14 and all(re.fullmatch(r"[a-z0-9-]+", name) for name in ids)
    every = [name.casefold() for name in re.findall(r' id="([^"]+)"', html)]
    assert len(every) == len(set(every))


def test_row_59_the_sections_of_two_concepts_do_not_share_an_anchor(built):
    anchors = re.findall(r'<h3 id="([^"]+)"', body(built, "filter"))
    assert anchors == ["prediction-remarks", "update-remarks"]
    assert not any(re.search(r"_\d+$", anchor) for anchor in anchors)


def test_row_59_an_anchor_stays_when_a_title_changes(project):
    project.edit("docs/filter.yml", "title: Innovation\n", "title: Surprise\n")
    project.edit(PAGE, "## Update {#update}", "## Correction {#update}")
    assert build_site(read_config(project.root), project.root / "site") == ()
    html = body(project, "filter")
    assert 'id="update"' in html and 'id="eq-filter-innovation"' in html
