"""All cases, wrong forms of formulas elsewhere, and which wrong forms are not noticed, with the reason."""

from tests.linkindex.foreign.layers import LAYERS
from tests.linkindex.foreign.training import TRAINING

CASES = LAYERS | TRAINING

# Wrong forms of the attention page, whose values are those of tests/linkindex/formula/attention_values.py.
ATTENTION = {
    "attention.query": (r"Q = X_n W_q^\top + \mathbf{1} b_q^\top", r"Q = (X_n + \mathbf{1} b_q^\top) W_q"),
    "attention.head-columns": (r"M^{(h)}_{t,i} = M_{t,\, i H + h}",),
    "attention.scaled-scores": (r"S = \frac{Q_h K_h^\top}{d_h}", r"S = \frac{Q_h K_h^\top}{\sqrt{d}}"),
    "attention.causal-mask": (
        r"\bar S_{ij} = \begin{cases} S_{ij} & j \le i \\ 0 & j > i \end{cases}",
        r"\bar S_{ij} = \begin{cases} S_{ij} & i \le j \\ -\infty & i > j \end{cases}",
    ),
    "attention.weighted-row": (
        r"(O_h)_{i} = \sum_{j \ge i} A_{ij} (V_h)_{j}",
        r"(O_h)_{i} = \sum_{j \le i} A_{ji} (V_h)_{j}",
    ),
    "attention.output-weight-gradient": (r"dW_o = d\mathrm{Out}^\top O",),
    "attention.softmax-gradient": (
        r"dS_{ij} = A_{ij} \Big(dA_{ij} - \sum_{k} A_{kj}\, dA_{kj}\Big)",
        r"dS_{ij} = A_{ij} \Big(dA_{ij} - \sum_{k} A_{ik}\Big)",
    ),
    "attention.head-key-gradient": (r"dK_h = \frac{dS\, Q_h}{\sqrt{d_h}}", r"dK_h = \sqrt{d_h}\, dS^\top Q_h"),
    "attention.input-gradient": (r"dX_n = (dQ + dK + dV)\, W_q^\top", r"dX_n = dQ\, W_q + dK\, W_k + dV\, W_v"),
    "attention.initial-bound": (
        r"a = \sqrt{\frac{6}{n_{\mathrm{in}} n_{\mathrm{out}}}}",
        r"a = \frac{\sqrt{6}}{n_{\mathrm{in}} + n_{\mathrm{out}}}",
    ),
}  # fmt: skip

# Wrong forms of records of the projects in tests/fixtures.
PROJECTS = {
    "tracker": {},
    "adam": {},
    "mlp": {},
    "autograd": {},
}  # fmt: skip

# Cases that wait for values before and after a statement.
WAITING = {"positions", "rotary", "label-smoothing", "dropout", "weight-decay", "temperature", "momentum",
           "moving-average", "running-mean"}

# Wrong forms that are not noticed: (equation, form) -> why.
MISSED: dict[tuple[str, str], str] = {}
