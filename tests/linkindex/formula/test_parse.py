import pytest

from linkindex.formula import FormulaError, Notation, parse
from linkindex.formula.syntax import Chain, Index, Product, Run, Subscript, walk
from linkindex.formula.syntax import Symbol as Mark
from linkindex.formula.tokens import tokenize
from linkindex.model import Symbol

KEYS = (
    "A", "B", "V_h", "V", "Q_h", "Q", "K_h", "M", "M^{(h)}", r"\bar S", "S", r"\mathrm{out}", r"d\mathrm{Out}", "dW_p",
    "W_p", "d", "d_h", "H", "T", "X_n", r"\theta_{t-1}", r"\theta_t", "c", "x", r"x'",
)  # fmt: skip
NOTATION = Notation.of(Symbol(key, "", key) for key in KEYS)


def symbols(latex):
    return parse(latex, NOTATION).symbols


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"Q_h K_h^\top", ("Q_h", "K_h")),
        (r"Q_{h} K_{ h }^{\top}", ("Q_h", "K_h")),
        (r"Q h", None),
        (r"\bar{S}_{ij} = S_{ij}", (r"\bar S", "S")),
        (r"\mathrm{out} = X_n", (r"\mathrm{out}", "X_n")),
        (r"dW_p = d\mathrm{Out}", ("dW_p", r"d\mathrm{Out}")),
        (r"d \cdot W_p", ("d", "W_p")),
        (r"d W_p", ("dW_p",)),
        (r"M^{(h)}_{t,i} = M_{t, h d_h + i}", ("M^{(h)}", "M", "d_h")),
        (r"M_{t,i}^{(0)}", ("M^{(h)}",)),
        (r"A^{(0)} V_h^{(H-1)}", ("A", "V_h", "H")),
        (r"\theta_t = \theta_{ t - 1 }", (r"\theta_t", r"\theta_{t-1}")),
        (r"x' = x", ("x'", "x")),
        (r"A = B, \qquad B = A", ("A", "B")),
        (r"\sym{x}{x}_i = \sym{\bar S}{\bar{S}}_i", ("x", r"\bar S")),
        (r"\sym{d}{d} W_p = A", ("d", "W_p", "A")),
        (r"\sym{M^{(h)}}{M}^{(h)}_i = A_i", ("M^{(h)}", "A")),
    ],
)
def test_symbols_are_the_longest_notation_in_order_of_first_use(latex, expected):
    if expected is None:
        with pytest.raises(FormulaError, match="h is not registered"):
            parse(latex, NOTATION)
    else:
        assert symbols(latex) == expected


@pytest.mark.parametrize(
    ("latex", "target"),
    [
        ("A = B", ("A",)),
        (r"\bar S_{ij} = S_{ij}", (r"\bar S",)),
        (r"M^{(h)}_{t,i} = M_{t, h d_h + i}", ("M^{(h)}",)),
        (r"Q, V \leftarrow A, B", ("Q", "V")),
        ("A B", ()),
        (r"(A B)_{i} = B_i", ()),
        (r"A = 0 \Rightarrow B = 0", ()),
        (r"e^A = B", ()),
    ],
)
def test_the_target_is_what_stands_on_the_left(latex, target):
    assert parse(latex, NOTATION).target == target


def test_marks_go_around_the_symbols_and_leave_the_rest_as_written():
    formula = parse(r"M^{(h)}_{t,i}  = \sym{S}{S}_{t,i} \cdot d", NOTATION)
    assert formula.marked == r"\sym{M^{(h)}}{M}^{(h)}_{t,i}  = \sym{S}{S}_{t,i} \cdot \sym{d}{d}"
    assert formula.latex == r"M^{(h)}_{t,i}  = S_{t,i} \cdot d"


def test_operators_are_named_once_in_order():
    formula = parse(r"A = \operatorname{softmax}(\operatorname{merge}(B)) + \operatorname{softmax}(S)", NOTATION)
    assert formula.operators == ("softmax", "merge")


def test_a_bound_index_is_another_one_than_a_free_index_of_the_same_letter():
    formula = parse(r"A_{ij} \sum_{j} B_{ij}", NOTATION)
    assert {node.name for node in walk(formula.statements[0]) if isinstance(node, Index)} == {"i", "j", "j·1"}


def test_two_letters_are_two_indices_and_an_expression_is_one():
    pair, shifted = (next(node for node in walk(parse(latex, NOTATION).statements[0]) if isinstance(node, Subscript))
                     for latex in ("A_{ij}", "A_{i, 2j + 1}"))  # fmt: skip
    assert [len(node.indices) for node in (pair, shifted)] == [2, 2]


def test_statements_premises_and_conditions_are_told_apart():
    formula = parse(r"A_i = 0 \quad\Rightarrow\quad B_i = 0 \text{ for } i > 2, \qquad S = A", NOTATION)
    first, second = formula.statements
    assert (len(first.premises), len(first.conditions), len(second.premises)) == (1, 1, 0)


def test_a_condition_may_be_a_chain():
    (statement,) = parse(r"A_i = B_i \text{ for } 0 \le i < 3 \text{ and } i \ne 1", NOTATION).statements
    assert [chain.relations for chain in statement.conditions] == [("<=", "<"), ("!=",)]


def test_dots_become_a_run_over_the_index_that_differs():
    formula = parse(r"\begin{bmatrix} A^{(0)} V_h^{(0)} & \cdots & A^{(H-1)} V_h^{(H-1)} \end{bmatrix}", NOTATION)
    (run,) = (node for node in walk(formula.statements[0]) if isinstance(node, Run))
    assert isinstance(run.body, Product)
    assert run.lower != run.upper


def test_spans_point_into_the_source():
    source = r"A = \frac{B}{\sqrt{d_h}}"
    for node in walk(parse(source, NOTATION).statements[0]):
        if isinstance(node, Mark):
            assert source[slice(*node.span)] == node.latex
        if isinstance(node, Chain):
            assert source[slice(*node.span)] == source


@pytest.mark.parametrize(
    "right", [r"\begin{cases} B & i < 1 \\ 0 & \text{otherwise} \end{cases}", r"\begin{bmatrix} B & V \end{bmatrix}"]
)
def test_the_span_of_cases_and_of_a_matrix_reaches_to_their_end(right):
    source = f"A_i = {right}"
    (node,) = parse(source, NOTATION).statements[0].chain.members[1]
    assert source[slice(*node.span)] == right


def test_every_token_is_consumed():
    source = r"\bar S_{ij} = \begin{cases} S_{ij} & j \le i \\ -\infty & j > i \end{cases}"
    assert len(parse(source, NOTATION).tokens) == len(tokenize(source))


def test_two_spellings_of_one_notation_are_refused():
    with pytest.raises(FormulaError, match="same notation"):
        Notation.of([Symbol("Q_h", "", "a"), Symbol("Q_{h}", "", "b")])


def test_two_notations_of_one_variable_are_refused():
    notation = Notation.of([Symbol("Q_h", "", "Kh"), Symbol("K_h", "", "Kh")])
    with pytest.raises(FormulaError, match="both stand for the variable Kh") as error:
        parse(r"Q_h K_h^\top", notation)
    assert error.value.offset == 4
