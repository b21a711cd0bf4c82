"""Names of symbols, however they are written, are drawn as they are read."""

import pytest
from linkindex.formula import Notation, check_visible, parse, render
from linkindex.model import Symbol

NAMES = (
    "Q", "Q_h", "M^{(h)}", r"\bar S", r"\mathrm{out}", r"d\mathrm{Out}", "dW_o", r"n_{\mathrm{in}}",
    r"\theta_{t-1}", "x'", "x''", "x'_h", r"\sigma^2", r"\hat{\mathbf x}", r"\widehat{dW}", r"\overline S",
    r"\vec{x_h}", r"{\bar x}_i", "{y}", r"\mathbf 1", "x^*", r"x^\star", r"x^\dagger", r"x^{\circ}", r"x^{\prime}",
    r"x_\perp", r"x_{a \mid b}", r"\vec x", r"\partial L", r"\nabla f", r"\hbar", r"\aleph", r"\delta x", "x_{1:t}",
    r"x_{\max}", "dd",
)  # fmt: skip


@pytest.mark.parametrize("latex", NAMES)
def test_a_name_is_read_drawn_and_seen_as_it_is(latex):
    formula = parse(f"{latex} = 2 {latex}", Notation.of([Symbol(latex, "", "x")]))
    check_visible(formula, render(formula.marked))
    assert formula.symbols == (latex,)
