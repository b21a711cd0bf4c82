"""Every fault of a built site is found, by its code, at the place where it is repaired."""

from dataclasses import replace

import pytest

from linkindex.model import Place


def test_a_site_in_which_everything_leads_where_it_says_has_no_finding(small_site):
    assert small_site.findings() == ()


# --- references ----------------------------------------------------------------------------------------------------


def test_a_link_to_a_file_that_is_not_there(small_site):
    small_site.change("decay/index.html", 'href="../"', 'href="../nowhere/"')
    assert "'../nowhere/' leads to no file" in small_site.only("LI710").message


@pytest.mark.parametrize(
    "tag",
    [
        '<img src="../nothing.png" alt="">',
        '<script src="nothing.js"></script>',
        '<img srcset="../assets/site.svg 1x, ../nothing.png 2x" alt="">',
        '<link rel="stylesheet" href="../nothing.css">',
    ],
)
def test_a_missing_file_of_any_kind(small_site, tag):
    small_site.change("decay/index.html", "</body>", tag + "</body>")
    assert "nothing" in small_site.only("LI710").message


def test_an_address_that_is_none(small_site):
    small_site.change("decay/index.html", 'href="../"', 'href="http://["')
    small_site.only("LI710")


def test_a_link_out_of_the_site(small_site):
    small_site.change("decay/index.html", 'href="../"', 'href="../../README.md"')
    small_site.only("LI710")


def test_a_dead_anchor_is_placed_where_it_is_written_in_the_source(small_site):
    source = small_site.index.config.root / "docs" / "decay.md"
    source.write_text(source.read_text().replace("#eq-decay-step", "#eq-decay-stp"))
    small_site.change("decay/index.html", 'href="#eq-decay-step"', 'href="#eq-decay-stp"')
    finding = small_site.only("LI711")
    assert finding.place == Place("docs/decay.md", 3, 17)
    assert "nearest is 'eq-decay-step'" in finding.message


def test_an_anchor_that_differs_only_in_case_is_dead(small_site):
    small_site.change("index.html", "#eq-decay-step", "#eq-Decay-step")
    assert "nearest is 'eq-decay-step'" in small_site.only("LI711").message


def test_a_percent_encoded_anchor_is_decoded(small_site):
    small_site.change("decay/index.html", "</body>", '<p id="größe"></p><a href="#gr%C3%B6%C3%9Fe">size</a></body>')
    assert small_site.findings() == ()


def test_a_finding_of_a_page_without_a_source_names_the_html_file_and_line(small_site):
    small_site.change("source/decay.py/index.html", 'href="#L1"', 'href="#L7"')
    assert small_site.only("LI711").place == Place("site/source/decay.py/index.html", 3)


# --- names ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["decay", "DECAY"])
def test_an_id_that_is_used_twice(small_site, name):
    small_site.change("decay/index.html", "</body>", f'<p id="{name}"></p></body>')
    assert repr(name) in small_site.only("LI712").message


def test_two_pages_that_differ_only_in_case(small_site):
    small_site.write("Decay/index.html", "<html lang='en'></html>")
    assert "Decay/index.html, decay/index.html" in small_site.only("LI713").message


# --- raw TeX -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        r"\(x\)", r"\[x\]", "$$", "$x$", "$ a $", "$5 to $6", r"\sym{x}{x}", r"\frac{a}{b}", r"\begin{bmatrix}",
        "<table><tr><td>$</td></tr></table>",
    ],
)
def test_tex_that_the_reader_would_see(small_site, text):
    small_site.change("decay/index.html", "</body>", f"<div>{text}</div></body>")
    small_site.only("LI714")


def test_tex_that_only_a_screen_reader_would_read(small_site):
    small_site.change("decay/index.html", "</body>", r'<img src="../assets/site.svg" alt="\(x\)"></body>')
    small_site.only("LI714")


@pytest.mark.parametrize("text", ["<code>$x$</code>", "<pre>\\frac{a}{b}</pre>", "<p>$5</p>", "<kbd>\\[</kbd>"])
def test_code_and_sums_of_money_are_no_formulas(small_site, text):
    small_site.change("decay/index.html", "</body>", f"{text}</body>")
    assert small_site.findings() == ()


@pytest.mark.parametrize("key", ["title", "text"])
def test_tex_in_the_search_index(small_site, key):
    entry = {"location": "decay/", "title": "Decay", "text": ""} | {key: r"\(\sigma\)"}
    small_site.write_search(entry)
    small_site.only("LI714")


# --- hosts and inline code -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tag",
    [
        '<img src="https://example.org/a.png" alt="">',
        '<img srcset="//example.org/a.png 2x" alt="">',
        '<script src="https://example.org/a.js"></script>',
        '<link rel="stylesheet" href="https://example.org/a.css">',
        '<link rel="preconnect" href="https://example.org">',
        '<iframe src="https://example.org/" title="x"></iframe>',
        '<form action="https://example.org/"></form>',
    ],
)
def test_a_request_to_another_host(small_site, tag):
    small_site.change("decay/index.html", "</body>", tag + "</body>")
    assert "example.org" in small_site.only("LI715").message


@pytest.mark.parametrize("rule", ["@import 'https://example.org/a.css';", "p { background: url(//example.org/a.png) }"])
def test_a_style_sheet_that_asks_another_host(small_site, rule):
    small_site.write("assets/site.css", rule)
    assert small_site.only("LI715").place.path == "site/assets/site.css"


def test_links_to_other_hosts_and_metadata_are_no_requests(small_site):
    small_site.change("decay/index.html", "</head>", '<link rel="canonical" href="https://example.org/decay/"></head>')
    assert small_site.findings() == ()


@pytest.mark.parametrize(
    "tag",
    [
        "<script>alert(1)</script>",
        '<script type="module">alert(1)</script>',
        "<style>p { color: red }</style>",
        '<p style="color: red">x</p>',
        '<p onclick="alert(1)">x</p>',
        '<a href="javascript:void(0)">x</a>',
    ],
)
def test_code_in_the_page(small_site, tag):
    small_site.change("decay/index.html", "</body>", tag + "</body>")
    small_site.only("LI716")


def test_data_in_the_page_is_no_code(small_site):
    small_site.change("decay/index.html", "</body>", '<script type="application/json">{}</script></body>')
    assert small_site.findings() == ()


# --- equations -----------------------------------------------------------------------------------------------------


def test_zero_equations_are_not_a_pass(small_site):
    page = replace(small_site.index.pages[0], equations=())
    empty = replace(small_site, index=replace(small_site.index, pages=(page,)))
    small_site.write_index()
    assert "LI720" in [finding.code for finding in empty.findings()]


def test_an_equation_without_its_anchor(small_site):
    small_site.change("decay/index.html", 'id="eq-decay-step"', 'data-equation="decay.step"')
    findings = {finding.code: finding for finding in small_site.findings()}
    assert findings.keys() == {"LI711", "LI722"}  # the links to it are dead as well
    assert findings["LI722"].place == Place("docs/decay.yml", 3, 1)


def test_an_equation_without_its_formula(small_site):
    small_site.change("decay/index.html", '<math display="block">', "<span>")
    small_site.change("decay/index.html", "</math>", "</span>")
    assert "no formula" in small_site.only("LI722").message


def test_the_formula_of_another_equation_at_the_anchor(small_site):
    small_site.change("decay/index.html", "<mi>a</mi>", "<mi>b</mi>")
    assert "expected the formula 'y=ax'" in small_site.only("LI722").message


def test_a_displayed_formula_that_is_in_no_record(small_site):
    small_site.change("decay/index.html", "</body>", '<math display="block"><mi>z</mi></math></body>')
    finding = small_site.only("LI724")
    assert "'z'" in finding.message
    assert finding.place.path == "docs/decay.md"


def test_a_formula_shown_again_elsewhere_names_its_equation(small_site):
    again = '<p data-equation="decay.step"><math display="block"><mi>y</mi></math></p>'
    small_site.change("index.html", "</body>", again + "</body>")
    assert small_site.findings() == ()


# --- link-index.json -----------------------------------------------------------------------------------------------


def test_a_site_without_its_link_index(small_site):
    (small_site.folder / "link-index.json").unlink()
    small_site.only("LI721")


def test_a_link_index_that_is_no_json_is_placed_at_its_line(small_site):
    small_site.write("link-index.json", '{"schema": 2,\n "commit": }')
    assert small_site.only("LI721").place == Place("site/link-index.json", 2, 12)


def test_a_link_index_that_breaks_its_schema(small_site):
    small_site.change_entry(anchor=None)
    assert "$.equations[0].anchor" in small_site.only("LI721").message


def test_an_equation_that_the_link_index_forgot(small_site):
    small_site.write_index()
    finding = small_site.only("LI721")
    assert finding.place.path == "docs/decay.yml"
    assert "no entry for decay.step" in finding.message


@pytest.mark.parametrize("kind", ["property", "statement", "theorem"])
def test_an_entry_of_another_kind_than_its_record(small_site, kind):
    small_site.change_entry(kind=kind)
    assert {finding.code for finding in small_site.findings()} == {"LI721"}


def test_an_entry_that_has_no_record(small_site):
    small_site.change_entry(id="decay.other")
    assert {finding.code for finding in small_site.findings()} == {"LI721"}


# --- code links ----------------------------------------------------------------------------------------------------


def test_a_link_to_a_page_that_is_not_there(small_site):
    small_site.change_link(url="source/growth.py/#L2")
    assert "no page 'source/growth.py/'" in small_site.only("LI723").message


def test_a_link_to_a_line_that_is_not_there(small_site):
    small_site.change_link(url="source/decay.py/#L9", line=9, end_line=9)
    assert "no anchor 'L9'" in small_site.only("LI723").message


def test_a_link_whose_anchor_is_another_line(small_site):
    small_site.change_link(url="source/decay.py/#L1")
    assert "expected the anchor 'L2'" in small_site.only("LI723").message


def test_a_link_whose_line_moved(small_site):
    small_site.change_link(line=1, end_line=1, url="source/decay.py/#L1")
    finding = small_site.only("LI723")
    assert finding.place == Place("decay.py", 1, 12)
    assert "expected 'a * x'" in finding.message


def test_a_link_that_is_one_column_off(small_site):
    small_site.change_link(col=11, end_col=16)
    assert "found ' a * '" in small_site.only("LI723").message


def test_code_that_is_not_marked(small_site):
    small_site.change("source/decay.py/index.html", "decay.other decay.step", "decay.other")
    assert "marked" in small_site.only("LI723").message


def test_a_link_over_several_lines(small_site):
    page, second = "source/decay.py/index.html", '<mark data-eq="decay.step">            * x)</mark>  # scaled'
    small_site.change(page, ">a <b>*</b> x</mark>", ">(a</mark>")
    small_site.change(page, "</body>", f'<div id="L3"><code>{second}</code></div></body>')
    small_site.change_link(end_line=3, end_col=17, code="(a\n            * x)")
    assert small_site.findings() == ()
