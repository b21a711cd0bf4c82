"""Formulas of a transformer and its training, each with values from plain NumPy, as (latex, values, options).

``values`` maps each symbol to (value, shape); the first one is the target. Sizes differ: T, d, V and n are never equal.
"""

import math

import numpy as np


def _softmax(z):
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def formulas(rng, T, d, V):
    x = rng.normal(size=(T, d))
    gamma, beta, eps = rng.normal(size=d), rng.normal(size=d), 0.03
    mu, var = x.mean(-1), x.var(-1)
    hat = (x - mu[:, None]) / np.sqrt(var + eps)[:, None]
    normal = {r"\gamma": (gamma, "d"), r"\beta": (beta, "d"), r"\epsilon": (eps, "")}
    yield (
        "LayerNorm",
        (
            r"y_i = \gamma_i \frac{x_i - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta_i,"
            r" \qquad \mu = \frac{1}{d} \sum_i x_i, \qquad \sigma^2 = \frac{1}{d} \sum_i (x_i - \mu)^2",
            {
                "y": (gamma * hat + beta, "T d"),
                "x": (x, "T d"),
                r"\mu": (mu, "T"),
                r"\sigma^2": (var, "T"),
                "d": (d, ""),
            }
            | normal,
            {"per": ("T",)},
        ),
    )
    yield (
        "variance as a norm",
        (
            r"\sigma^2 = \frac{\lVert x - \mu \rVert^2}{d}",
            {r"\sigma^2": (var, "T"), "x": (x, "T d"), r"\mu": (mu, "T"), "d": (d, "")},
            {"per": ("T",)},
        ),
    )
    dY = rng.normal(size=(T, d))
    yield (
        "LayerNorm scale gradient",
        (
            r"d\gamma_j = \sum_{t} dY_{tj} \hat X_{tj}",
            {r"d\gamma": ((dY * hat).sum(0), "d"), "dY": (dY, "T d"), r"\hat X": (hat, "T d")},
            {},
        ),
    )
    dhat = dY * gamma
    dx = (dhat - dhat.mean(-1, keepdims=True) - hat * (dhat * hat).mean(-1, keepdims=True)) / np.sqrt(var + eps)[
        :, None
    ]
    yield (
        "LayerNorm input gradient",
        (
            r"dx_i = \frac{1}{\sqrt{\sigma^2 + \epsilon}} \Big( d\hat x_i - \frac{1}{d} \sum_k d\hat x_k"
            r" - \frac{\hat x_i}{d} \sum_k d\hat x_k \hat x_k \Big)",
            {
                "dx": (dx, "T d"),
                r"\sigma^2": (var, "T"),
                r"\epsilon": (eps, ""),
                r"d\hat x": (dhat, "T d"),
                r"\hat x": (hat, "T d"),
                "d": (d, ""),
            },
            {"per": ("T",)},
        ),
    )
    yield (
        "RMSNorm",
        (
            r"y_i = \frac{g_i x_i}{\sqrt{\frac{1}{d} \sum_k x_k^2 + \epsilon}}",
            {
                "y": (gamma * x / np.sqrt((x**2).mean(-1, keepdims=True) + eps), "T d"),
                "g": (gamma, "d"),
                "x": (x, "T d"),
                "d": (d, ""),
                r"\epsilon": (eps, ""),
            },
            {"per": ("T",)},
        ),
    )
    half = 4
    w = 10000.0 ** (-2 * np.arange(half) / (2 * half))
    P = np.empty((T, 2 * half))
    P[:, 0::2], P[:, 1::2] = np.sin(np.arange(T)[:, None] * w), np.cos(np.arange(T)[:, None] * w)
    yield (
        "sinusoidal positions",
        (
            r"P_{p,2i} = \sin\left(\frac{p}{10000^{2i/d}}\right),"
            r" \qquad P_{p,2i+1} = \cos\left(\frac{p}{10000^{2i/d}}\right)",
            {"P": (P, "T d"), "d": (2 * half, "")},
            {"indices": {"i": "d / 2"}, "sizes": {"d": 2 * half, "T": T}},
        ),
    )
    yield (
        "positions turn",
        (
            r"P_{p+k,2i} = P_{p,2i} \cos(k \omega_i) + P_{p,2i+1} \sin(k \omega_i) \text{ for } p + k < T",
            {"P": (P, "T d"), "k": (2, ""), r"\omega": (w, "n"), "T": (T, "")},
            {"property": True, "free": ("k",)},
        ),
    )
    angle = rng.normal(size=half)
    q = rng.normal(size=2 * half)
    turned = np.empty(2 * half)
    turned[0::2] = q[0::2] * np.cos(angle) - q[1::2] * np.sin(angle)
    turned[1::2] = q[0::2] * np.sin(angle) + q[1::2] * np.cos(angle)
    yield (
        "rotation of pairs",
        (
            r"\begin{bmatrix} r_{2i} \\ r_{2i+1} \end{bmatrix} = \begin{bmatrix} \cos\theta_i & -\sin\theta_i \\"
            r" \sin\theta_i & \cos\theta_i \end{bmatrix} \begin{bmatrix} q_{2i} \\ q_{2i+1} \end{bmatrix}",
            {"r": (turned, "m"), r"\theta": (angle, "n"), "q": (q, "m")},
            {"property": True},
        ),
    )
    m0, v0, g, theta, t = (
        rng.normal(size=(T, d)),
        rng.uniform(0.5, 2, (T, d)),
        rng.normal(size=(T, d)),
        rng.normal(size=(T, d)),
        3,
    )
    b1, b2, lr = 0.8, 0.95, 0.01
    m1, v1 = b1 * m0 + (1 - b1) * g, b2 * v0 + (1 - b2) * g**2
    mh, vh = m1 / (1 - b1**t), v1 / (1 - b2**t)
    yield (
        "Adam moment",
        (
            r"v_t = \beta_2 v_{t-1} + (1 - \beta_2) g_t^2",
            {"v_t": (v1, "T d"), r"\beta_2": (b2, ""), "v_{t-1}": (v0, "T d"), "g_t": (g, "T d")},
            {"per": ("entry",)},
        ),
    )
    yield (
        "Adam bias correction",
        (
            r"\hat m_t = \frac{m_t}{1 - \beta_1^t}",
            {r"\hat m_t": (mh, "T d"), "m_t": (m1, "T d"), r"\beta_1": (b1, ""), "t": (t, "")},
            {},
        ),
    )
    yield (
        "Adam update",
        (
            r"\theta_t = \theta_{t-1} - \eta \frac{\hat m_t}{\sqrt{\hat v_t} + \epsilon}",
            {
                r"\theta_t": (theta - lr * mh / (np.sqrt(vh) + eps), "T d"),
                r"\theta_{t-1}": (theta, "T d"),
                r"\eta": (lr, ""),
                r"\hat m_t": (mh, "T d"),
                r"\hat v_t": (vh, "T d"),
                r"\epsilon": (eps, ""),
            },
            {"per": ("entry",)},
        ),
    )
    step = np.arange(2, 2 + T)
    yield (
        "warm-up schedule",
        (
            r"\eta_i = d^{-1/2} \min(s_i^{-1/2}, s_i w^{-3/2})",
            {
                r"\eta": (d**-0.5 * np.minimum(step**-0.5, step * 4**-1.5), "T"),
                "d": (d, ""),
                "s": (step, "T"),
                "w": (4, ""),
            },
            {},
        ),
    )
    yield (
        "cosine schedule",
        (
            r"\eta_i = \eta_0 + \frac{1}{2} (\eta_1 - \eta_0) (1 + \cos(\pi s_i / n))",
            {
                r"\eta": (0.1 + 0.5 * (0.7 - 0.1) * (1 + np.cos(np.pi * step / 9)), "T"),
                r"\eta_0": (0.1, ""),
                r"\eta_1": (0.7, ""),
                "s": (step, "T"),
                "n": (9, ""),
            },
            {},
        ),
    )
    z, y = rng.normal(size=(T, V)), rng.integers(0, V, T)
    p = _softmax(z)
    onehot = np.eye(V)[y]
    yield (
        "label smoothing",
        (
            r"q_{tj} = (1 - \epsilon) \mathbb{1}[j = y_t] + \frac{\epsilon}{V}",
            {"q": ((1 - eps) * onehot + eps / V, "T V"), r"\epsilon": (eps, ""), "y": (y, "T"), "V": (V, "")},
            {},
        ),
    )
    yield (
        "label smoothing in cases",
        (
            r"q_{tj} = \begin{cases} 1 - \epsilon & j = y_t \\ \frac{\epsilon}{V - 1} & \text{otherwise} \end{cases}",
            {
                "q": (np.where(onehot == 1, 1 - eps, eps / (V - 1)), "T V"),
                r"\epsilon": (eps, ""),
                "y": (y, "T"),
                "V": (V, ""),
            },
            {},
        ),
    )
    top = z.max(-1)
    lse = top + np.log(np.exp(z - top[:, None]).sum(-1))
    yield (
        "log-sum-exp",
        (
            r"\ell = m + \log\sum_j e^{z_j - m}, \qquad m = \max_j z_j",
            {r"\ell": (lse, "T"), "m": (top, "T"), "z": (z, "T V")},
            {"per": ("T",)},
        ),
    )
    loss = -np.log(p[np.arange(T), y]).mean()
    yield (
        "cross-entropy",
        (
            r"L = -\frac{1}{T} \sum_t \log p_{t,y_t}",
            {"L": (loss, ""), "T": (T, ""), "p": (p, "T V"), "y": (y, "T")},
            {},
        ),
    )
    yield "perplexity", (r"\mathrm{PPL} = e^L", {r"\mathrm{PPL}": (math.exp(loss), ""), "L": (loss, "")}, {})
    yield (
        "gradient of cross-entropy",
        (
            r"dz_{tj} = \frac{p_{tj} - \mathbb{1}[j = y_t]}{T}",
            {"dz": ((p - onehot) / T, "T V"), "p": (p, "T V"), "y": (y, "T"), "T": (T, "")},
            {},
        ),
    )
    E = rng.normal(size=(V, d))
    yield (
        "lookup as one-hot product",
        (
            r"X_t = \sum_v \mathbb{1}[v = y_t] E_v = E_{y_t}",
            {"X": (E[y], "T d"), "y": (y, "T"), "E": (E, "V d")},
            {},
        ),
    )
    yield (
        "temperature",
        (
            r"p_i = \frac{e^{z_i / \tau}}{\sum_j e^{z_j / \tau}}",
            {"p": (_softmax(z / 0.7), "T V"), "z": (z, "T V"), r"\tau": (0.7, "")},
            {"per": ("T",)},
        ),
    )
    yield "most likely token", (r"k = \arg\max_j z_j", {"k": (z.argmax(-1), "T"), "z": (z, "T V")}, {"per": ("T",)})
    s = -np.sort(-p, axis=-1)
    before = np.cumsum(s, -1) - s
    yield "mass before a token", (r"c_i = \sum_{j < i} p_j", {"c": (before, "T V"), "p": (s, "T V")}, {"per": ("T",)})
    yield (
        "top-p set",
        (
            r"k_i = \mathbb{1}\Big[\sum_{j < i} p_j < \rho\Big]",
            {"k": ((before < 0.6).astype(float), "T V"), "p": (s, "T V"), r"\rho": (0.6, "")},
            {"per": ("T",)},
        ),
    )
    erf = np.vectorize(math.erf)
    yield (
        "GELU",
        (
            r"y = \frac{x}{2} \Big(1 + \operatorname{erf}\Big(\frac{x}{\sqrt{2}}\Big)\Big)",
            {"y": (x / 2 * (1 + erf(x / math.sqrt(2))), "T d"), "x": (x, "T d")},
            {"per": ("entry",)},
        ),
    )
    yield (
        "GELU by tanh",
        (
            r"y = \frac{x}{2} \left(1 + \tanh\left(\sqrt{\frac{2}{\pi}} (x + 0.044715 x^3)\right)\right)",
            {"y": (x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))), "T d"), "x": (x, "T d")},
            {"per": ("T", "d")},
        ),
    )
    W1, W2, c1, c2 = rng.normal(size=(d, V)), rng.normal(size=(V, d)), rng.normal(size=V), rng.normal(size=d)
    yield (
        "feed-forward",
        (
            r"Y = \max(0, X W_1 + \mathbf{1} b_1^\top) W_2 + \mathbf{1} b_2^\top",
            {
                "Y": (np.maximum(0, x @ W1 + c1) @ W2 + c2, "T d"),
                "X": (x, "T d"),
                "W_1": (W1, "d V"),
                "b_1": (c1, "V"),
                "W_2": (W2, "V d"),
                "b_2": (c2, "d"),
            },
            {},
        ),
    )
    yield (
        "linear, row by row",
        (
            r"y = x W + b",
            {"y": (x @ W1 + c1, "T V"), "x": (x, "T d"), "W": (W1, "d V"), "b": (c1, "V")},
            {"per": ("T",)},
        ),
    )
    yield "running sum", (r"s_i = \sum_{j=0}^{i} x_j", {"s": (np.cumsum(c1), "V"), "x": (c1, "V")}, {})
    yield (
        "one-based mean",
        (
            r"\mu = \frac{1}{n} \sum_{j=1}^{n} x_j",
            {r"\mu": (c1.mean(), ""), "n": (V, ""), "x": (c1, "V")},
            {},
        ),
    )
    prob = rng.uniform(0.3, 0.9, T)
    yield "probability of a sentence", (r"P = \prod_t p_t", {"P": (prob.prod(), ""), "p": (prob, "T")}, {})
    yield (
        "parameter count",
        (
            r"N = 12 d^2 L + V d",
            {"N": (12 * d * d * 4 + V * d, ""), "d": (d, ""), "L": (4, ""), "V": (V, "")},
            {},
        ),
    )
    A, C = rng.normal(size=(d, d)), rng.normal(size=(d, d))
    yield (
        "Kalman covariance",
        (
            r"P = (I - K M) P_0 (I - K M)^\top + K R K^\top",
            {
                "P": ((np.eye(d) - W1 @ W2) @ A @ (np.eye(d) - W1 @ W2).T + W1 @ np.diag(c1) @ W1.T, "d d"),
                "I": (np.eye(d), "d d"),
                "K": (W1, "d V"),
                "M": (W2, "V d"),
                "P_0": (A, "d d"),
                "R": (np.diag(c1), "V V"),
            },
            {},
        ),
    )
    yield (
        "tied gradient by entries",
        (
            r"G = A \odot C + A^\top C",
            {"G": (A * C + A.T @ C, "d d"), "A": (A, "d d"), "C": (C, "d d")},
            {},
        ),
    )
