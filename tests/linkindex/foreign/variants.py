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
    "attention-backward.output-weight-gradient": (r"dW_o = d\mathrm{Out}^\top O",),
    "attention-backward.softmax-gradient": (
        r"dS_{ij} = A_{ij} \Big(dA_{ij} - \sum_{k} A_{kj}\, dA_{kj}\Big)",
        r"dS_{ij} = A_{ij} \Big(dA_{ij} - \sum_{k} A_{ik}\Big)",
    ),
    "attention-backward.head-key-gradient": (r"dK_h = \frac{dS\, Q_h}{\sqrt{d_h}}", r"dK_h = \sqrt{d_h}\, dS^\top Q_h"),
    "attention-backward.input-gradient": (
        r"dX_n = (dQ + dK + dV)\, W_q^\top",
        r"dX_n = dQ\, W_q + dK\, W_k + dV\, W_v",
    ),
    "attention-backward.initial-bound": (
        r"a = \sqrt{\frac{6}{n_{\mathrm{in}} n_{\mathrm{out}}}}",
        r"a = \frac{\sqrt{6}}{n_{\mathrm{in}} + n_{\mathrm{out}}}",
    ),
}  # fmt: skip

# Wrong forms of records of the projects in tests/fixtures.
PROJECTS = {
    "tracker": {
        "cycle.predicted-state": (
            r"\hat x_{k|k-1} = F^\top \hat x_{k-1} + B u_k",
            r"\hat x_{k|k-1} = F (\hat x_{k-1} + B u_k)",
        ),
        "cycle.predicted-covariance": (r"P_{k|k-1} = F (P_{k-1} + Q) F^\top", r"P_{k|k-1} = F^\top P_{k-1} F + Q"),
        "cycle.innovation": (r"\tilde y_k = H \hat x_{k|k-1} - z_k", r"\tilde y_k = z_k - H \hat x_{k|k}"),
        "cycle.innovation-covariance": (r"S_k = H P_{k|k-1} H^\top - R", r"S_k = H P_{k|k} H^\top + R"),
        "cycle.updated-state": (
            r"\hat x_{k|k} = \hat x_{k|k-1} - K_k \tilde y_k",
            r"\hat x_{k|k} = \hat x_{k|k-1} + K_k z_k",
        ),
        "cycle.updated-covariance": (
            r"P_{k|k} = (I - K_k H) P_{k|k-1} (I - K_k H)^\top",
            r"P_{k|k} = (I + K_k H) P_{k|k-1} (I + K_k H)^\top + K_k R K_k^\top",
            r"P_{k|k} = (I - K_k H) P_{k|k-1} (I - K_k H)^\top + K_k S_k K_k^\top",
        ),
    },
    "adam": {
        "adam.first-moment": (r"m_t = \beta_1 m_{t-1} + g_t", r"m_t = (1 - \beta_1) m_{t-1} + \beta_1 g_t"),
        "adam.second-moment": (
            r"v_t = \beta_2 v_{t-1} + (1 - \beta_2) g_t",
            r"v_t = \beta_2 v_{t-1} + ((1 - \beta_2) g_t)^2",
        ),
        "adam.first-corrected": (
            r"\hat m_t = \frac{m_t}{(1 - \beta_1)^t}",
            r"\hat m_t = \frac{m_t}{1 - \beta_1}",
            r"\hat m_t = \frac{m_t}{1 - \beta_1^{t-1}}",
        ),
        "adam.second-corrected": (r"\hat v_t = \frac{v_t}{1 - \beta_1^t}", r"\hat v_t = \frac{v_{t-1}}{1 - \beta_2^t}"),
        "adam.update": (
            r"\theta_t = \theta_{t-1} - \alpha \frac{\hat m_t}{\sqrt{\hat v_t + \epsilon}}",
            r"\theta_t = \theta_{t-1} - \alpha \frac{m_t}{\sqrt{v_t} + \epsilon}",
            r"\theta_t = \theta_{t-1} + \alpha \frac{\hat m_t}{\sqrt{\hat v_t} + \epsilon}",
        ),
    },
    "mlp": {
        "network.hidden-input": (r"A = X W_1 - \mathbf{1} b_1^\top",),
        "network.hidden": (r"H = \min(0, A)",),
        "network.logits": (r"Z = A W_2 + \mathbf{1} b_2^\top",),
        "network.probabilities": (r"P_{nk} = \frac{e^{Z_{nk}}}{\sum_{m} e^{Z_{mk}}}",),
        "network.loss": (r"L = -\frac{1}{C} \sum_{n} \log P_{n,y_n}",),
        "network.logits-gradient": (r"dZ_{nk} = \frac{1}{N} P_{nk} - \mathbb{1}[k = y_n]",),
        "network.output-weights": (r"dW_2 = A^\top dZ",),
        "network.hidden-gradient": (r"dH = \frac{1}{N} dZ W_2^\top",),
        "network.relu-gradient": (r"dA_{nj} = H_{nj} \mathbb{1}[dH_{nj} > 0]",),
        "network.hidden-weights": (r"dW_1 = X^\top dH",),
        "network.descent": (r"\theta' = \theta + \eta \, d\theta", r"\theta' = \theta - d\theta"),
    },
    "autograd": {
        "operations.product": (r"y = a + b",),
        "operations.product-first": (r"\bar a' = \bar a + a \bar y", r"\bar a' = b \bar y", r"\bar a' = \bar a + b"),
        "operations.sum-first": (r"\bar a' = \bar a + a \bar y", r"\bar a' = \bar a \bar y"),
        "operations.power-gradient": (r"\bar a' = \bar a + n a^n \bar y", r"\bar a' = \bar a + (n - 1) a^n \bar y"),
        "operations.exponential-gradient": (r"\bar a' = \bar a + a \bar y", r"\bar a' = \bar a + \frac{\bar y}{y}"),
        "operations.tanh-gradient": (r"\bar a' = \bar a + (1 - a^2) \bar y", r"\bar a' = \bar a + (1 - y)^2 \bar y"),
        "operations.rectifier-gradient": (r"\bar a' = \bar a + y \bar y", r"\bar a' = \bar a + \bar y"),
    },
}  # fmt: skip

# Other true forms of records of the projects.
ALSO_TRUE = {
    "tracker": {
        "cycle.updated-covariance": (
            r"P_{k|k} = (I - K_k H) P_{k|k-1}",  # for the optimal gain, which the code has
            r"P_{k|k} = P_{k|k-1} - K_k S_k K_k^\top",
        ),
        "cycle.updated-state": (r"\hat x_{k|k} = (I - K_k H) \hat x_{k|k-1} + K_k z_k",),
        "cycle.gain": (r"K_k = P_{k|k-1} H^\top (H P_{k|k-1} H^\top + R)^{-1}",),
    },
    "adam": {
        "adam.first-moment": (r"m_t = m_{t-1} + (1 - \beta_1) (g_t - m_{t-1})",),
        "adam.second-corrected": (r"\hat v_t = v_t (1 - \beta_2^t)^{-1}",),
        "adam.update": (r"\theta_t = \theta_{t-1} - \frac{\alpha}{\sqrt{\hat v_t} + \epsilon} \hat m_t",),
    },
    "mlp": {
        "network.relu-gradient": (
            r"dA_{nj} = \begin{cases} dH_{nj} & A_{nj} > 0 \\ 0 & A_{nj} \le 0 \end{cases}",
            r"dA_{nj} = dH_{nj} \mathbb{1}[H_{nj} > 0]",
        ),
        "network.output-shift": (r"(db_2)_k = \sum_{n} dZ_{nk}",),
        "network.hidden-weights": (r"dW_1 = \sum_{n} X_n^\top dA_n",),
    },
    "autograd": {
        "operations.power-gradient": (r"\bar a' = \bar a + n \frac{a^n}{a} \bar y",),
        "operations.tanh-gradient": (r"\bar a' = \bar a + (1 - (\tanh a)^2) \bar y",),
        "operations.rectifier": (r"y = \begin{cases} a & a > 0 \\ 0 & a \le 0 \end{cases}", r"y = [a]_+"),
    },
}  # fmt: skip

# Wrong forms that are not noticed, each with the reason.
MISSED: dict[str, str] = {}
