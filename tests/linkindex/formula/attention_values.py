"""The formulas of the two attention pages, with values from the same NumPy lines as transformer/attention.py."""

import math
from pathlib import Path

import numpy as np
import yaml

from linkindex.formula import Bound, Notation, Reading, Trial, operator, parse
from linkindex.model import Symbol
from transformer.attention import attention_backward, attention_forward
from transformer.heads import merge_heads, split_heads
from transformer.softmax import softmax_backward, softmax_forward

PAGES = "attention", "attention-backward"
DOCS = Path(__file__).parents[3] / "docs"
SIZES = ({"T": 5, "H": 3, "d_h": 4}, {"T": 7, "H": 2, "d_h": 5}, {"T": 4, "H": 5, "d_h": 3})
SHAPES = {  # what the shape comments of the code say, by symbol
    "Q": "T d",
    "K": "T d",
    "V": "T d",
    r"\mathrm{out}": "T d",
    "dW_o": "d d",
    "db_o": "d",
    "dQ": "T d",
    "dK": "T d",
    "dV": "T d",
    "db_k": "d",
    "dX_n": "T d",
}


def load():
    """The notation of both pages, their equations, and the shape of each symbol."""
    pages = [yaml.safe_load((DOCS / f"{name}.yml").read_text()) for name in PAGES]
    registry = yaml.safe_load((DOCS / "symbols.yml").read_text())
    notation, shapes = [], dict({latex: tuple(text.split()) for latex, text in SHAPES.items()})
    assert [page.pop("shares", None) for page in pages] == [None, "attention"]
    for latex in (latex for page in pages for latex in page.pop("notation")):
        row = registry[latex]
        code, shape = row["code"], row.get("shape")
        if shape is not None:
            text = shape if isinstance(shape, str) else ""
            shapes[latex] = tuple(part.strip() for part in text.strip("()").split(",") if part.strip())
        notation.append(
            Symbol(
                latex,
                row["meaning"],
                code if isinstance(code, str) else None,
                code if isinstance(code, dict) else {},
                size=row.get("size"),
            )
        )
    return Notation.of(notation), pages[0] | pages[1], shapes


NOTATION, EQUATIONS, SHAPE = load()
FORMULAS = tuple(EQUATIONS)


def recorded(sizes, seed):
    """Every symbol's value, and the linked values of the formulas whose left side is no symbol."""
    rng = np.random.default_rng(seed)
    T, H, dh = sizes["T"], sizes["H"], sizes["d_h"]
    d = H * dh
    Xn, dOut = rng.normal(size=(T, d)), rng.normal(size=(T, d))
    params = {"w" + n: rng.normal(size=(d, d)) / math.sqrt(d) for n in "qkvo"} | {
        "b" + n: rng.normal(size=d) for n in "qkvo"
    }
    Q, K, V = (Xn @ params["w" + n] + params["b" + n] for n in "qkv")
    Qh, Kh, Vh = (split_heads(M, H) for M in (Q, K, V))
    scores = Qh @ Kh.mT
    S = scores / math.sqrt(dh)
    S_masked = np.where(np.tri(T, dtype=bool), S, -np.inf)
    A, _ = softmax_forward(S_masked)
    Oh = A @ Vh
    merged = merge_heads(Oh)
    out, cache = attention_forward(Xn, params, H, np.tri(T, dtype=bool))
    dXn, grads = attention_backward(dOut, cache)
    dOh = split_heads(dOut @ params["wo"].T, H)
    dVh, dA = A.mT @ dOh, dOh @ Vh.mT
    dS = softmax_backward(dA, A)
    dQh, dKh = (dS @ Kh) / math.sqrt(dh), (dS.mT @ Qh) / math.sqrt(dh)
    dQ, dK, dV = (merge_heads(M) for M in (dQh, dKh, dVh))
    values = {
        "T": T,
        "H": H,
        "d_h": dh,
        "d": d,
        "X_n": Xn,
        "Q": Q,
        "K": K,
        "V": V,
        "M": Q,
        "M^{(h)}": Qh,
        "Q_h": Qh,
        "K_h": Kh,
        "V_h": Vh,
        "S": S,
        r"\bar S": S_masked,
        "A": A,
        "x": S_masked,
        "c": S_masked.max(-1, keepdims=True),
        "O_h": Oh,
        "O": merged,
        r"\mathrm{out}": out,
        r"d\mathrm{Out}": dOut,
        "dO_h": dOh,
        "dV_h": dVh,
        "dA": dA,
        "dS": dS,
        "dQ_h": dQh,
        "dK_h": dKh,
        "dQ": dQ,
        "dK": dK,
        "dV": dV,
        "dX_n": dXn,
        "dW_o": grads["wo"],
        "db_o": grads["bo"],
        "db_k": grads["bk"],
        "dM_p": {"q": dQ, "k": dK, "v": dV},
        "dW_p": {n: grads["w" + n] for n in "qkv"},
        "db_p": {n: grads["b" + n] for n in "qkv"},
        r"n_{\mathrm{in}}": 3 * T,  # more than n_out on one run, fewer on another
        r"n_{\mathrm{out}}": d + 2,
        "a": math.sqrt(6 / (3 * T + d + 2)),
    }
    values |= {"W_" + n: params["w" + n] for n in "qkvo"} | {"b_" + n: params["b" + n] for n in "qkvo"}
    linked = {
        "attention.scores": (scores, ("H", "T", "T")),
        "attention.shift": (A, ("H", "T", "T")),
        "attention.masked-weight": (A, ("H", "T", "T")),
        "attention-backward.masked-gradient": (dS, ("H", "T", "T")),
    }
    return values, linked, {"T": T, "H": H, "d_h": dh, "d": d}


RECORDED = [recorded(sizes, seed) for seed, sizes in enumerate(SIZES)]

OPERATORS = {
    built.name: built
    for name, record in EQUATIONS.items()
    if "defines" in record
    for built in [operator(record["defines"], parse(record["latex"], NOTATION), NOTATION, SHAPE, per=record.get("per"))]
}


def case(name, latex=None):
    """The formula, or another one in its place, its trials and its reading."""
    record = EQUATIONS[name]
    formula = parse(latex or record["latex"], NOTATION)
    trials = []
    for values, linked, sizes in RECORDED:
        bound = {latex: Bound(values[latex], SHAPE[latex]) for latex in formula.symbols}
        target = tuple(bound[latex] for latex in formula.target) or (Bound(*linked[name]),)
        trials.append(Trial(bound, target, sizes))
    reading = Reading(
        OPERATORS,
        per=tuple(record.get("per", ())),
        free=tuple(record.get("free", ())),
        property=record.get("property", False),
    )
    return formula, trials, reading
