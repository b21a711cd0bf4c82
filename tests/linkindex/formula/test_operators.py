import numpy as np
import pytest

from linkindex.formula import Bound, FormulaError, Notation, Reading, Trial, operator, parse, prove
from linkindex.model import Symbol

KEYS = {
    "y": "T d",
    "x": "T d",
    r"\gamma": "d",
    r"\beta": "d",
    r"\epsilon": "",
    r"\mu": "T",
    r"\sigma^2": "T",
    "d": "",
    "Z": "T d",
    "X": "T d",
    "F": "T d",
    "A": "H T T",
    "B": "H T T",
}
NOTATION = Notation.of(Symbol(key, "", key, size="free" if key == "d" else None) for key in KEYS)
SHAPES = {key: tuple(shape.split()) for key, shape in KEYS.items()}
LAYER_NORM = (
    r"y_i = \gamma_i \frac{x_i - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta_i,"
    r" \qquad \mu = \frac{1}{d} \sum_i x_i, \qquad \sigma^2 = \frac{1}{d} \sum_i (x_i - \mu)^2"
)


def layer_norm():
    declared = r"LayerNorm(x, \gamma, \beta, \epsilon)"
    return operator(declared, parse(LAYER_NORM, NOTATION), NOTATION, SHAPES, per=("T",))


def post_norm(seed, wrong=0.0):
    rng = np.random.default_rng(seed)
    X, F, gamma, beta = rng.normal(size=(5, 3)), rng.normal(size=(5, 3)), rng.normal(size=3), rng.normal(size=3)
    R = X + F
    Z = gamma * (R - R.mean(-1, keepdims=True)) / np.sqrt(R.var(-1, keepdims=True) + 0.1 + wrong) + beta
    values = {"Z": Z, "X": X, "F": F, r"\gamma": gamma, r"\beta": beta, r"\epsilon": 0.1}
    bound = {key: Bound(value, SHAPES[key]) for key, value in values.items()}
    return Trial(bound, (bound["Z"],))


def test_an_operator_is_evaluated_from_its_formula_and_the_definitions_beside_it():
    formula = parse(r"Z = \operatorname{LayerNorm}(X + F, \gamma, \beta, \epsilon)", NOTATION)
    reading = Reading({"LayerNorm": layer_norm()})
    assert prove(formula, [post_norm(0), post_norm(1)], reading).ok
    assert not prove(formula, [post_norm(0), post_norm(1, wrong=0.01)], reading).ok


def test_an_operator_on_rows_goes_over_every_row_of_a_matrix_for_each_head():
    softmax = operator(
        "softmax(x)",
        parse(r"\frac{e^{x_i - 1}}{\sum_k e^{x_k - 1}} = \frac{e^{x_i}}{\sum_k e^{x_k}}", NOTATION),
        NOTATION,
        SHAPES,
        per=("T",),
    )
    B = np.random.default_rng(0).normal(size=(2, 4, 4))
    A = np.exp(B) / np.exp(B).sum(-1, keepdims=True)
    formula = parse(r"A = \operatorname{softmax}(B)", NOTATION)
    reading = Reading({"softmax": softmax})

    def trial(A):
        bound = {"A": Bound(A, SHAPES["A"]), "B": Bound(B, SHAPES["B"])}
        return Trial(bound, (bound["A"],))

    assert prove(formula, [trial(A)], reading).ok
    assert not prove(formula, [trial(np.exp(B) / np.exp(B).sum(-2, keepdims=True))], reading).ok


@pytest.mark.parametrize("latex", [r"X_{ij} = F_{ij} \text{ for } i < 2", r"i < 2 \Rightarrow X_{ij} = F_{ij}"])
def test_a_formula_that_holds_under_a_condition_defines_no_operator(latex):
    with pytest.raises(FormulaError, match="without conditions"):
        operator("f(F)", parse(latex, NOTATION), NOTATION, SHAPES)


def test_a_wrong_number_of_arguments_is_a_finding():
    formula = parse(r"Z = \operatorname{LayerNorm}(X + F)", NOTATION)
    result = prove(formula, [post_norm(0)], Reading({"LayerNorm": layer_norm()}))
    assert "LayerNorm takes 4 arguments, found 1" in result.why


@pytest.mark.parametrize(
    ("defines", "says"),
    [
        ("LayerNorm", "is no call"),
        (r"LayerNorm(x, \gamma, X)", "argument 3 of LayerNorm"),
        ("LayerNorm(q)", "q is not registered"),
    ],
)
def test_a_declaration_that_the_formula_does_not_bear_out_is_refused(defines, says):
    with pytest.raises(FormulaError, match=says):
        operator(defines, parse(LAYER_NORM, NOTATION), NOTATION, SHAPES, per=("T",))
