"""Each authoring rule is an error at its place, which says what to write."""

import pytest

from linkindex.formula import FormulaError, Notation, parse
from linkindex.model import Symbol

KEYS = ("A", "B", "C", "V_h", "Q_h", "X_n", "x", "c", "d", "T", r"\mathrm{out}", "M^{(h)}")
NOTATION = Notation.of(Symbol(key, "", key) for key in KEYS)


@pytest.mark.parametrize(
    ("latex", "offset", "says"),
    [
        # names
        ("z = A", 0, "z is not registered"),
        ("A = X_m B", 4, "nearest in the notation: X_n"),
        (r"\mathrm{ou} = A", 0, r"nearest in the notation: \mathrm{out}"),
        (r"\bar A = B", 0, r"\bar A is not registered"),
        ("A = B'", 5, "add the whole symbol to the notation"),
        ("A = B^*", 5, "add the whole symbol to the notation"),
        ("M = A", 0, "M is registered only as M^{(h)}"),
        (r"\sym{q}{A} = B", 0, "q is not registered"),
        (r"\sym{A}{A B} = C", 0, "mark each symbol on its own"),
        (r"A = \sym{Q_h}{V_h}", 4, r"\sym shows V_h where Q_h is evaluated: show the symbol as it is registered"),
        (r"A = \sym{d}{2} B", 4, r"\sym shows 2 where d is evaluated"),
        (r"A = \sym{d}{\pi} B", 4, r"\sym shows \pi where d is evaluated"),
        (r"A = \sym{d}{z} B", 4, r"\sym shows z where d is evaluated"),
        (r"A = \sym{d}{} B", 4, r"\sym shows  where d is evaluated"),
        (r"A = \sym{M^{(h)}}{M}", 4, r"is registered only as M^{(h)}"),
        (r"\mathbf{B} = A", 0, r"\mathbf{B} is not registered"),
        (r"\frac{\partial A}{\partial x_{i}} = B", 0, r"\frac{\partial A}{\partial x_{i}} is not registered"),
        (r"\frac{\partial A}{\partial x} = B", 0, r"as \frac{\partial L}{\partial z}"),
        (r"\nabla_x A = B", 0, r"add the gradient to the page's notation, as \nabla_z L"),
        (r"\operatorname{A} = B", 0, r"register a quantity as \mathrm{A}"),
        (r"\mathbb{E}[x] = d", 0, "an expectation over all data is a statement"),
        (r"\operatorname{Var}[x] = d", 0, "over which axis?"),
        (r"\mathbb{E}_i x_i = d", 13, r"write \mathbb{E}_i[x_i]"),
        # a second script, which LaTeX refuses
        ("Q_h_{ij} = A", 3, "Q_h has a script already, and LaTeX refuses two: write (Q_h)_{...}"),
        ("V_{h}_i = A", 5, "V_{h} has a script already"),
        ("A = X_n_i B", 7, "X_n has a script already"),
        # sets
        (r"d = \sum_{x \in B} x", 10, "x is in the page's notation"),
        (r"x \cup A", 2, "write one condition for the members of both sets"),
        (r"A \in Q_h", 6, r"only a set can stand behind \in"),
        (r"A = B \text{ for } d \in T", 25, r"only a set can stand behind \in"),
        # transposes, numbers, fractions
        ("A^T B", 1, r"write ^\top"),
        ("A^{T} B", 1, r"write ^\top"),
        (r"\sqrt 2 A", 6, r"write \sqrt{...}"),
        (r"10\,000 A", 4, "write one number without blanks"),
        ("10{,}000 A", 2, "also from numbers such as 10000"),
        ("2 3 A", 2, "write one number without blanks"),
        ("A B 2", 4, r"or \cdot between the two"),
        ("A^12", 2, "write ^{12}"),
        ("A / B C", 6, r"write \frac{...}{...}"),
        (r"A \bmod B C", 10, r"put brackets around a \bmod b"),
        # what stays out
        (r"\int A", 0, "make it a statement"),
        (r"\lim A", 0, "make it a statement"),
        (r"A \otimes B", 2, "write the entries with indices"),
        (r"A \circ B", 2, r"write \odot"),
        (r"A \coloneqq B", 2, "write :="),
        (r"A = B ; C = A", 6, r"write , \qquad between statements"),
        (r"c = d \mid x", 6, "make a conditional probability a statement"),
        ("(A ; B)", 3, "expected ) for the bracket at 1"),
        (r"A^{-\top} B", 4, r"write (A^{-1})^\top"),
        # separators and signs
        (r"A \quad B", 2, r"write , \qquad between statements"),
        ("|x|", 0, r"\lvert x \rvert"),
        (r"\|x\|", 0, r"\lVert x \rVert"),
        (r"A \approx B", 2, "holds exactly"),
        (r"A \sim B", 2, "state what is computed"),
        (r"A \pm B", 2, "write two formulas"),
        (r"\underbrace{A}_{n}", 16, "n is not registered"),
        ("A * B", 2, r"write \cdot"),
        ("A = B.", 5, "end the sentence in the prose"),
        ("A = B %", 6, "starts a comment"),
        (r"A \label{a}", 2, "the anchor of an equation comes from its id"),
        (r"A \tag{1}", 2, "numbered when the page is built"),
        ("A = α", 4, "write the LaTeX command"),
        # functions
        (r"\log A B", 7, "put it in brackets"),
        (r"\operatorname{softmax} A B", 25, "put it in brackets"),
        (r"\sin^2 A", 4, r"a script on \sin"),
        ("E[A]", 0, "E is not registered"),
        ("O(A)", 0, "O is not registered"),
        ("A = f(B)", 4, r"or write the function \operatorname{f}(...)"),
        (r"A = \eta (B + C)", 4, r"\eta is not registered"),
        # indices
        ("A_{i c}", 3, "may be one index or several"),
        ("A_{ij+1}", 3, "separate them by commas"),
        ("A_{i}_{j}", 5, "separate the indices of one subscript by commas"),
        ("A_12", 2, "write _{12}"),
        ("A_{01}", 3, "write commas between indices"),
        ("A_{00} = 1", 3, "write commas between indices"),
        ("A_{0i}", 3, "write commas between indices"),
        ("A_{i, 01}", 6, "write commas between indices"),
        ("A^{(01)}", 4, "write commas between indices"),
        (r"\sum A", 5, r"\sum_{j}"),
        (r"\sum_c A", 5, "c is in the page's notation"),
        (r"\sum_{j=1} A_j", 0, "a limit on one side only"),
        (r"\sum_{c=1}^{d} A_c", 6, "c is in the page's notation"),
        (r"\delta_i A", 0, r"\delta_{ij} takes two indices"),
        (r"c = \arg\max_{i, j} A_{ij}", 4, "write one index below it"),
        # dots, environments, words
        (r"\begin{bmatrix} A & \cdots & B \end{bmatrix}", 20, "differ in one running index"),
        (r"A + \cdots + B", 4, "dots stand only in a matrix"),
        (r"\begin{array} A \end{array}", 0, "use cases, bmatrix or pmatrix"),
        (r"A_i \text{ where } i > 2", 4, r"write \text{for}"),
        (r"A_i \text{ for } i", 18, r"a condition such as j \le i"),
        (r"A_i = x_i, i < 2", 0, r"conditions by \text{for}"),
        (r"A \Rightarrow B = 0", 0, r"nothing is claimed before \Rightarrow"),
        (r"A = 0 \quad\Rightarrow\quad B", 28, r"nothing is claimed after \Rightarrow"),
        # brackets
        ("(A B", 4, "expected ) for the bracket at 1"),
        ("(A]", 2, "expected ) for the bracket at 1, found ]"),
        ("A^{2", 4, "close the superscript"),
        ("(A, B)", 2, "only functions and operators take several arguments"),
        ("", 0, "expected a factor, found the end of the formula"),
        ("A = ", 4, "expected a factor, found the end of the formula"),
        (r"A = \foo", 4, r"\foo has no meaning"),
    ],
)
def test_a_broken_rule_is_an_error_that_says_what_to_write(latex, offset, says):
    with pytest.raises(FormulaError) as error:
        parse(latex, NOTATION)
    assert says in error.value.message
    assert error.value.offset == offset


@pytest.mark.parametrize(
    "latex",
    [r"\frac12 A", r"\tfrac1d A", r"\frac{1}2 A",
     r"\log x_i", r"A + \exp(x_i) B", r"-\frac{1}{d} \log x_i", r"\log \sum_k e^{x_k}", "A B / d", "e^{2i/d} x_i",
     r"2 \cdot 3 A", r"\sin(x_i) \cos(x_i)", "x_i, \\qquad A", r"\Big(A + B\Big) C",
     r"\lVert x \rVert_2^2", r"\sqrt[3]{d}", r"\sym{Q_h}{Q_{h}} \sym{d}{d} A", r"\sym{M^{(h)}}{M}^{(h)}", "A_{0, i}",
     "x_{12}", r"A = 0 \text{ for } d \in \{1, 2\}", "(" * 30 + "A" + ")" * 30],
)  # fmt: skip
def test_what_reads_one_way_is_accepted(latex):
    parse(latex, NOTATION)


@pytest.mark.parametrize(
    "latex",
    ["(" * 400 + "A" + ")" * 400, r"\sqrt{" * 5000 + "A" + "}" * 5000, r"\log " * 3000 + "d",
     "A^{" * 99 + "2" + "}" * 99, r"\sum_i " * 999 + "x_i", r"d \cdot " * 999 + "d", "x_{" * 99 + "i" + "}" * 99],
)  # fmt: skip
def test_too_much_inside_one_another_is_refused(latex):
    with pytest.raises(FormulaError, match="inside one another: split the formula"):
        parse(latex, NOTATION)


WHOLES = ["x^{-1}", "x^2", r"x^\top", r"z^{\top}", r"\delta x", "x^{H}", "x^{H + 1}"]


@pytest.mark.parametrize("key", WHOLES)
def test_a_product_is_no_symbol(key):
    notation = Notation.of(Symbol(name, "", name) for name in ("y", "x", "H", r"\delta", key))
    with pytest.raises(FormulaError, match="is registered as one symbol") as refused:
        parse(f"y = {key}", notation)
    assert refused.value.offset == 4


SINGLE = [
    r"\sigma^2", r"d\gamma", r"d\hat x", "dX_n", r"d\mathrm{Out}", "z'", "x^*", "x^{(2)}", r"x^{\mathrm{new}}",
    r"x^{\circ}",
    r"\hat{\mathrm{ab}}_t", r"\theta_{t-1}", r"\Delta t", "{V}_h", "x_{1,2}", r"\widehat{dW}", "x^{(H)}", "x_{1:H}",
]  # fmt: skip


@pytest.mark.parametrize("key", SINGLE)
def test_a_letter_with_accents_labels_and_a_prefix_is_one(key):
    notation = Notation.of(Symbol(name, "", name) for name in ("y", "x", key))
    assert key in parse(f"y = {key}", notation).symbols
