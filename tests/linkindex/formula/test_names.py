"""What may be registered as a symbol: one name, however it is spelt; never a formula, which nobody would evaluate."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkindex.formula import FormulaError, Notation, check_visible, parse, render
from linkindex.formula.names import name_of
from linkindex.model import Symbol
from tests.linkindex.formula.test_any_text import PIECES

NAMES = (
    "Q", "Q_h", "M^{(h)}", r"\bar S", r"\mathrm{out}", r"d\mathrm{Out}", "dW_o", r"n_{\mathrm{in}}",
    r"\theta_{t-1}", "x'", "x''", "x'_h", r"\sigma^2", r"\hat{\mathbf x}", r"\widehat{dW}", r"\overline S",
    r"\vec{x_h}", r"{\bar x}_i", "{y}", r"\mathbf 1", "x^*", r"x^\star", r"x^\dagger", r"x^{\circ}", r"x^{\prime}",
    r"x_\perp", r"x_{a \mid b}", r"\vec x", r"\partial L", r"\nabla f", r"\hbar", r"\aleph", r"\delta x", "x_{1:t}",
    r"x_{\max}", "dd", r"\nabla_z L", r"\nabla_{W_1} L", r"\frac{\partial L}{\partial z}",
    r"\frac{\partial \mathcal L}{\partial W_1}", r"\frac{\partial \hat y}{\partial x}",
)  # fmt: skip


@pytest.mark.parametrize("latex", NAMES)
def test_a_name_is_read_drawn_and_seen_as_it_is(latex):
    name_of(latex)
    formula = parse(f"{latex} = 2 {latex}", Notation.of([Symbol(latex, "", "x")]))
    check_visible(formula, render(formula.marked))
    assert formula.symbols == (latex,)


@pytest.mark.parametrize(("one", "other"), [("Q_h", "Q_{h}"), (r"\bar S", r"\bar{S}"), ("y", " y ")])
def test_two_spellings_are_one_name(one, other):
    assert name_of(one) == name_of(other)


@pytest.mark.parametrize(("latex", "offset", "says"), [
    ("", 0, "expected a name, found nothing: write the symbol as the formulas show it"),
    (r"\,", 0, "expected a name, found nothing"),
    (r"\left", 0, "expected a name, found nothing"),
    (r"\text{gain}", 0, r"expected a name, found words: set them upright with \mathrm{...}"),
    (r"x_{\text{in}}", 0, "expected a name, found words"),
    ("α", 0, "found the character α: write the LaTeX command for it"),
    ("$x$", 0, "found $, which has no meaning in a formula: remove it"),
    ("x %", 2, "starts a comment in LaTeX: remove it"),
    # more than a name
    ("z - H x", 2, "expected one letter with its accents and scripts, found - behind it"),
    ("y = z", 2, "found = behind it: register each symbol on its own"),
    ("H x", 2, "found x behind it"),
    ("ab", 1, r"found b behind it: register each symbol on its own, or set a name of several letters upright"),
    ("x}", 1, "found } behind it"),
    ("x__a", 3, "found a behind it"),
    # no name at all
    ("2", 0, "expected a letter, found 2: write one name, such as Q_h, no formula"),
    ("(x)", 0, r"expected a letter, found ("),
    (r"\sqrt{x}", 0, r"expected a letter, found \sqrt"),
    (r"\frac{x}{y}", 0, r"expected a letter, found \frac"),
    (r"\frac{\partial L}{z}", 0, r"expected a letter, found \frac"),
    (r"\frac{\partial L}{\partial z + 1}", 0, r"expected a letter, found \frac"),
    (r"\frac{\partial L}{\partial z} x", 30, "found x behind it"),
    (r"\sum", 0, r"expected a letter, found \sum"),
    (r"\le", 0, r"expected a letter, found \le"),
    (r"\foo", 0, r"expected a letter, found \foo"),
    (r"\sym{x}{y}", 0, r"expected a letter, found \sym"),
    ("_h", 0, "expected a letter, found _"),
    ("{}", 0, "expected a letter, found {"),
    (r"\bar{x + y}", 0, r"expected one name after \bar, found something else: write only that"),
    (r"\mathrm{x - y}", 0, r"expected letters and digits after \mathrm, found something else"),
    # not whole
    ("x_", 1, "expected something for _, found an end: write it in braces"),
    ("x_{h", 1, "expected something for _, found an end"),
    (r"\bar", 0, r"expected something for \bar, found an end"),
    ("x_}", 1, "expected something for _, found an end"),
    ("x_a_b", 0, "Duplicate subscript or superscript: correct the LaTeX"),
    (r"x_{\foo}", 0, r'Unknown command "\foo": correct the LaTeX'),
    ("{" * 3000 + "x" + "}" * 3000, 0, "found too much inside one another: write it with less"),
])  # fmt: skip
def test_what_is_no_name_is_refused_with_what_to_write(latex, offset, says):
    with pytest.raises(FormulaError) as error:
        name_of(latex)
    assert says in error.value.message
    assert error.value.offset == offset or "correct the LaTeX" in says


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=20), st.lists(st.sampled_from(PIECES), max_size=6).map(" ".join)))
def test_whatever_is_registered_is_a_name_that_can_be_used_or_refused(latex):
    try:
        name_of(latex)
    except FormulaError as error:
        assert error.message
        return
    formula = parse(f"{latex} = 2 {latex}", Notation.of([Symbol(latex, "", "x")]))
    check_visible(formula, render(formula.marked))
