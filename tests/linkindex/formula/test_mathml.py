import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

import linkindex
from linkindex.formula import FormulaError, Notation, check_visible, parse, render
from linkindex.formula.tokens import GREEK
from linkindex.model import Symbol
from tests.linkindex.formula.attention_values import EQUATIONS
from tests.linkindex.formula.attention_values import NOTATION as ATTENTION

NOTATION = Notation.of(Symbol(key, "", key) for key in ("A", r"\bar S", "S", "x", "Q_h", r"\mathrm{out}", r"\epsilon"))


def marks(mathml):
    return [node.get("data-sym") for node in ElementTree.fromstring(mathml).iter() if node.get("class") == "sym"]


@pytest.mark.parametrize("name", EQUATIONS)
def test_every_symbol_is_marked_with_its_notation(name):
    formula = parse(EQUATIONS[name]["latex"], ATTENTION)
    assert set(marks(render(formula.marked))) == set(formula.symbols)


def test_more_than_ten_marks_keep_their_names():
    latex = " + ".join(["A", "S"] * 12)
    assert sorted(marks(render(parse(latex, NOTATION).marked))) == ["A"] * 12 + ["S"] * 12


def test_a_mark_encloses_its_symbol_and_not_the_index():
    root = ElementTree.fromstring(render(parse(r"\bar S_{ij}", NOTATION).marked))
    (mark,) = (node for node in root.iter() if node.get("class") == "sym")
    assert "".join(mark.itertext()) == "S¯"


@pytest.mark.parametrize(("latex", "inside"), [
    (r"\sym{Q_h}{Q_h} = K_h", ["Q"]), (r"\sym{f}{f}_i^2", ["f"]), (r"\mathbf{q}_i + \eta_t", ["𝐪", "η"]),
    (r"Q^2 + K_h + (f g)_i + \bar{y}_i + \mathrm{out}_i", []),
])  # fmt: skip
def test_a_subscript_hangs_no_lower_for_a_letter_that_reaches_below_the_line(latex, inside):
    root = ElementTree.fromstring(render(latex))
    raised = [node for node in root.iter() if node.tag.endswith("mpadded")]
    assert ["".join(node.itertext()) for node in raised] == inside
    assert {node.get("depth") for node in raised} <= {"0"}


def test_names_are_escaped_in_attributes():
    mathml = render(r"\sym{a<b&c}{A}")
    assert 'data-sym="a&lt;b&amp;c"' in mathml
    assert marks(mathml) == ["a<b&c"]


def test_the_result_is_xml_without_named_entities():
    mathml = render(r"\operatorname{f}(A) < \exp(S) \& 2")
    ElementTree.fromstring(mathml)
    assert "&lt;" in mathml
    assert "ApplyFunction" not in mathml


def test_display_and_identifier_go_onto_the_element():
    root = ElementTree.fromstring(render("A", ident="eq-a"))
    assert (root.get("id"), root.get("display")) == ("eq-a", "block")
    assert ElementTree.fromstring(render("A", display=False)).get("display") != "block"


@pytest.mark.parametrize(
    ("latex", "offset"),
    [(r"\frac{\sym{A}{A}}{b", 19), (r"\sym{A}{A} + \foo", 13), ("A % b", 2), (r"A \label{x}", 2), (r"A \tag{x}", 2),
     (r"A \sym{b", 6), (r"\sym{A} b", 0)],
)  # fmt: skip
def test_invalid_latex_is_an_error_at_its_place(latex, offset):
    with pytest.raises(FormulaError) as error:
        render(latex)
    assert error.value.offset == offset


@pytest.mark.parametrize("name", EQUATIONS)
def test_a_token_that_was_not_read_is_noticed(name):
    formula = parse(EQUATIONS[name]["latex"], ATTENTION)
    mathml = render(formula.marked)
    check_visible(formula, mathml)
    unseen = {"{", "}", "_", "^", "&", "\\\\", "\\qquad", "\\quad", "\\frac", "\\sqrt", "\\end", "\\mathrm", "\\mathbf"}
    for position, token in enumerate(formula.tokens):
        if token.text in unseen:
            continue
        fewer = replace(formula, tokens=formula.tokens[:position] + formula.tokens[position + 1 :])
        with pytest.raises(FormulaError, match="shown but not read"):
            check_visible(fewer, mathml)


FONT = Path(linkindex.__file__).parent / "site/assets/fonts/latinmodern-math-subset.woff2"


@pytest.mark.parametrize(
    "latex",
    [r"\mathbb{1}[i = j]", r"x^{\mathsf T}", r"\mathsf x", r"\mathbb E", r"\underbrace{x}_{x}", r"\overbrace{x}^{x}",
     r"\forall i", r"\nabla_z L", r"\frac{\partial L}{\partial z}", r"\{a \mid b\}", "a := b", "[u ; w]", r"\argmax_j",
     *sorted(GREEK), *(rf"\{font} {letter}" for font in ("mathbf", "mathcal", "mathsf") for letter in "ABXQ")],
)  # fmt: skip
def test_every_character_that_is_drawn_is_in_the_font_of_the_pages(latex):
    known = TTFont(FONT).getBestCmap()
    text = "".join(ElementTree.fromstring(render(latex)).itertext())
    assert [character for character in text if not character.isspace() and ord(character) not in known] == []


def test_a_mark_may_stand_inside_of_a_mark():
    key = r"\frac{\partial L}{\partial z}"
    notation = Notation.of(Symbol(name, "", name) for name in (key, "y", "x"))
    formula = parse(r"\frac{\partial L}{\partial z_{t, y_t}} = x_t", notation)
    assert marks(render(formula.marked)) == [key, "y", "x"]
    assert formula.latex == formula.source


def test_accents_fonts_and_variants_count_as_what_is_seen():
    formula = parse(r"\bar S + \mathrm{out} \ge \epsilon \cdot \mathbf{1}^\top x - \lVert A \rVert", NOTATION)
    check_visible(formula, render(formula.marked))
