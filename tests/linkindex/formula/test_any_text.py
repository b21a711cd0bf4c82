"""Whatever is typed: a formula is read, or refused with a place in it. Nothing else happens."""

from hypothesis import given, settings
from hypothesis import strategies as st

from linkindex.formula import FormulaError, Notation, check_visible, parse, render
from linkindex.model import Symbol

NOTATION = Notation.of(Symbol(key, "", key) for key in ("A", "Q_h", "M", "M^{(h)}", r"\bar S", "d", "T"))
PIECES = (
    r"A Q_h M \bar S d T i j e \pi \infty 2 10 0.5 + - = < \le \in , ( ) [ ] { } _ ^ & \\ ' | / \cdot \odot \bmod \top"
    r" \frac \sqrt \sum \max \arg \exp \mathbf \mathbb \mathrm \bar \sym \left \quad \qquad \Rightarrow \{ \} \lVert"
    r" \rVert \cdots \foo \begin{cases} \end{cases} \begin{bmatrix} \end{bmatrix} \operatorname{f}"
    r" \text{for} ^{(h)} _{ij}"
).split(" ")


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join))
def test_a_formula_is_read_and_drawn_or_refused_at_a_place(latex):
    try:
        formula = parse(latex, NOTATION)
        check_visible(formula, render(formula.marked))
    except FormulaError as error:
        assert error.message
        assert error.offset >= 0


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=20))
def test_any_text_is_refused_within_its_length(latex):
    try:
        parse(latex, NOTATION)
    except FormulaError as error:
        assert 0 <= error.offset <= len(latex)
