"""Formulas in Markdown become MathML when the page is made; nobody sees TeX afterwards."""

import re

import markdown
import pytest

from linkindex.site.mathext import MathExtension, PageError

EXTENSIONS = ["attr_list", "md_in_html", "tables", "toc", "pymdownx.arithmatex"]


def convert(text: str) -> tuple[str, markdown.Markdown]:
    md = markdown.Markdown(
        extensions=[*EXTENSIONS, MathExtension()], extension_configs={"pymdownx.arithmatex": {"generic": True}}
    )
    return md.convert(text), md


def test_an_inline_formula_becomes_mathml():
    html, _ = convert("The queries $Q_h$ are rows.")
    assert re.fullmatch(r'<p>The queries <span class="arithmatex"><math>.*</math></span> are rows.</p>', html)
    assert "$" not in html and "\\" not in html


def test_a_displayed_formula_keeps_its_symbol_marks():
    html, _ = convert("Text.\n\n$$\n\\sym{Q}{Q} = \\sym{x}{x} \\sym{W_q}{W_q}\n$$\n")
    assert '<math display="block">' in html
    assert re.findall(r'data-sym="(.*?)"', html) == ["Q", "x", "W_q"]
    assert "\\" not in html


def test_a_formula_inside_raw_html_that_holds_markdown():
    html, _ = convert('<div id="eq-a" class="lx-equation" markdown="1">\n\n$$\n\\sym{a}{a} < b\n$$\n\n</div>\n')
    assert re.search(r'<div class="lx-equation" id="eq-a">\s*<div class="arithmatex"><math', html)
    assert "&lt;" in html


@pytest.mark.parametrize("body", ["j<k", "a & b", "a > b"])
def test_characters_that_mean_something_in_html_are_escaped(body):
    html, _ = convert(f"$\\begin{{bmatrix}} {body} \\end{{bmatrix}}$" if "&" in body else f"${body}$")
    assert not re.search(r"<k>|& ", html)


def test_underscores_and_stars_are_no_emphasis():
    html, _ = convert("$a_i b_j$ and $x * y * z$")
    assert "<em>" not in html


def test_a_norm_in_a_table_keeps_its_cell():
    html, _ = convert("| a | b |\n|---|---|\n| $\\lVert x \\rVert$ | 2 |\n")
    assert html.count("<td>") == 2 and "<math>" in html


def test_a_formula_in_a_heading_reads_as_characters_in_the_table_of_contents():
    _, md = convert("## Weights $W_q$ {#weights}\n")
    (token,) = md.toc_tokens
    assert token["id"] == "weights"
    assert token["name"].replace(" ", "") == "WeightsWq"


def test_every_formula_that_cannot_be_set_is_named_at_once():
    with pytest.raises(PageError) as caught:
        convert("Here $\\frac{a}{b$ and there $\\nosuchcommand$.")
    assert "'\\\\frac{a}{b'" in str(caught.value)
    assert "'\\\\nosuchcommand'" in str(caught.value)


def test_code_is_not_typeset():
    html, _ = convert("`$x$`")
    assert html == "<p><code>$x$</code></p>"
