"""Layers of a network, and their gradients."""

from tests.linkindex.foreign.cases import NORMAL, SCORES, Case

LAYERS = {
    "layer-norm": Case(
        code="""
def layer_norm(x, gamma, beta, eps):
    mu = x.mean(axis=-1, keepdims=True)
    var = ((x - mu) ** 2).mean(axis=-1, keepdims=True)
    x_hat = (x - mu) / np.sqrt(var + eps)
    y = gamma * x_hat + beta
    return y
""",
        function="layer_norm",
        sample={
            "x": NORMAL, "gamma": "rng.normal(size=d)", "beta": "rng.normal(size=d)", "eps": "rng.uniform(0.1, 0.9)",
        },
        symbols={
            "y": ("y", "(T, d)"), "x": ("x", "(T, d)"), r"\gamma": ("gamma", "(d,)"), r"\beta": ("beta", "(d,)"),
            r"\epsilon": ("eps", "()"), r"\mu": ("mu", "(T, 1)"), r"\sigma^2": ("var", "(T, 1)"),
            "d": ("len(gamma)", "()"),
        },
        true=(
            r"y_{ti} = \gamma_i \frac{x_{ti} - \mu_t}{\sqrt{\sigma^2_t + \epsilon}} + \beta_i",
            r"y_{ti} = \gamma_i \frac{x_{ti} - \frac{1}{d} \sum_{k} x_{tk}}{\sqrt{\sigma^2_t + \epsilon}} + \beta_i",
        ),
        wrong=(
            r"y_{ti} = \gamma_i \frac{x_{ti} - \mu_t}{\sqrt{\sigma^2_t} + \epsilon} + \beta_i",
            r"y_{ti} = \gamma_i \left( \frac{x_{ti} - \mu_t}{\sqrt{\sigma^2_t + \epsilon}} + \beta_i \right)",
            r"y_{ti} = \gamma_i \frac{x_{ti} - \mu_t}{\sqrt{\frac{1}{d - 1} \sum_{k} (x_{tk} - \mu_t)^2 + \epsilon}}"
            r" + \beta_i",
        ),
    ),
    "rms-norm": Case(
        code="""
def rms_norm(x, g, eps):
    ms = np.mean(x * x, axis=-1, keepdims=True)
    y = x / np.sqrt(ms + eps) * g
    return y
""",
        function="rms_norm",
        sample={"x": NORMAL, "g": "rng.normal(size=d)", "eps": "rng.uniform(0.1, 0.9)"},
        symbols={
            "y": ("y", "(T, d)"), "x": ("x", "(T, d)"), "g": ("g", "(d,)"), r"\epsilon": ("eps", "()"),
            "d": ("len(g)", "()"),
        },
        true=(r"y_{ti} = \frac{g_i x_{ti}}{\sqrt{\frac{1}{d} \sum_{k} x_{tk}^2 + \epsilon}}",),
        wrong=(
            r"y_{ti} = \frac{g_i x_{ti}}{\sqrt{\frac{1}{d} (\sum_{k} x_{tk})^2 + \epsilon}}",
            r"y_{ti} = \frac{g_i x_{ti}}{\sqrt{\frac{1}{d} (\sum_{k} x_{tk}^2 + \epsilon)}}",
            r"y_{ti} = \frac{g_i x_{ti}}{\lVert x_t \rVert + \epsilon}",
        ),
    ),
    "gelu": Case(
        code="""
def gelu(x):
    inner = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    y = 0.5 * x * (1 + np.tanh(inner))
    return y
""",
        function="gelu",
        sample={"x": NORMAL},
        symbols={"y": ("y", "(T, d)"), "x": ("x", "(T, d)")},
        true=(
            r"y = \frac{x}{2} \left( 1 + \tanh\left( \sqrt{\frac{2}{\pi}} (x + 0.044715 x^3) \right) \right)",
        ),
        wrong=(
            r"y = \frac{x}{2} \left( 1 + \operatorname{erf}\left( \frac{x}{\sqrt{2}} \right) \right)",
            r"y = \frac{x}{2} \left( 1 + \tanh\left( \frac{2}{\sqrt{\pi}} (x + 0.044715 x^3) \right) \right)",
            r"y = \frac{x}{2} \left( 1 + \tanh\left( \sqrt{\frac{2}{\pi}} (x + 0.044715 x^2) \right) \right)",
        ),
        keys={"per": ["entry"]},
    ),
    "silu": Case(
        code="""
def silu(x):
    y = x / (1 + np.exp(-x))
    return y
""",
        function="silu",
        sample={"x": NORMAL},
        symbols={"y": ("y", "(T, d)"), "x": ("x", "(T, d)")},
        true=(r"y_{ti} = \frac{x_{ti}}{1 + e^{-x_{ti}}}", r"y_{ti} = \frac{x_{ti} e^{x_{ti}}}{1 + e^{x_{ti}}}"),
        wrong=(
            r"y_{ti} = \frac{x_{ti}}{1 + e^{x_{ti}}}",
            r"y_{ti} = \frac{x_{ti}}{2} \left( 1 + \tanh(x_{ti}) \right)",
        ),
    ),
    "positions": Case(
        code="""
def positions(n_positions, width):
    position = np.arange(n_positions)[:, None]
    rate = 10000 ** (-np.arange(0, width, 2) / width)
    P = np.zeros((n_positions, width))
    P[:, 0::2] = np.sin(position * rate)
    P[:, 1::2] = np.cos(position * rate)
    return P
""",
        function="positions",
        sample={"n_positions": "T", "width": "d"},
        symbols={"P": ("P", "(T, d)"), "d": ("width", "()"), "T": ("n_positions", "()")},
        true=(
            r"P_{t,2i} = \sin\left( \frac{t}{10000^{2i/d}} \right), \qquad"
            r" P_{t,2i+1} = \cos\left( \frac{t}{10000^{2i/d}} \right)",
        ),
        wrong=(
            r"P_{t,2i} = \sin\left( \frac{t}{10000^{i/d}} \right), \qquad"
            r" P_{t,2i+1} = \cos\left( \frac{t}{10000^{i/d}} \right)",
            r"P_{t,2i} = \cos\left( \frac{t}{10000^{2i/d}} \right), \qquad"
            r" P_{t,2i+1} = \sin\left( \frac{t}{10000^{2i/d}} \right)",
            r"P_{t,2i} = \sin\left( \frac{t}{10000^{2i/d}} \right), \qquad"
            r" P_{t,2i+1} = \cos\left( \frac{t}{10000^{(2i+1)/d}} \right)",
        ),
        keys={"indices": {"i": "d / 2"}, "at": "return"},
    ),
    "rotary": Case(
        code="""
def rotate(x, angle):
    even, odd = x[:, 0::2], x[:, 1::2]
    out = np.empty_like(x)
    out[:, 0::2] = even * np.cos(angle) - odd * np.sin(angle)
    out[:, 1::2] = even * np.sin(angle) + odd * np.cos(angle)
    return out
""",
        function="rotate",
        sample={"x": NORMAL, "angle": "rng.normal(size=(T, d // 2))"},
        symbols={
            "r": ("out", "(T, d)"), "x": ("x", "(T, d)"), r"\theta": ("angle", "(T, h)"), "d": ("x.shape[1]", "()"),
            "h": ("angle.shape[1]", "()"),
        },
        sizes={"h": "d // 2"},
        true=(
            r"r_{t,2i} = x_{t,2i} \cos\theta_{ti} - x_{t,2i+1} \sin\theta_{ti}, \qquad"
            r" r_{t,2i+1} = x_{t,2i} \sin\theta_{ti} + x_{t,2i+1} \cos\theta_{ti}",
        ),
        wrong=(
            r"r_{t,2i} = x_{t,2i} \cos\theta_{ti} + x_{t,2i+1} \sin\theta_{ti}, \qquad"
            r" r_{t,2i+1} = x_{t,2i+1} \cos\theta_{ti} - x_{t,2i} \sin\theta_{ti}",
            r"r_{t,2i} = x_{t,2i} \cos\theta_{ti} - x_{t,2i+1} \sin\theta_{ti}, \qquad"
            r" r_{t,2i+1} = r_{t,2i} \sin\theta_{ti} + x_{t,2i+1} \cos\theta_{ti}",
        ),
        keys={"at": "return"},
    ),
    "dropout": Case(
        code="""
def dropout(x, mask, p):
    x = x * mask
    x = x / (1 - p)
    return x
""",
        function="dropout",
        sample={"x": NORMAL, "mask": "rng.random((T, d)) < 0.6", "p": "rng.uniform(0.1, 0.6)"},
        symbols={"y": ("x", "(T, d)"), "x": ("x", "(T, d)"), "m": ("mask", "(T, d)"), "p": ("p", "()")},
        true=(r"y = \frac{1}{1 - p} \, x \odot m",),
        wrong=(r"y = \frac{1}{p} \, x \odot m", r"y = (1 - p) \, x \odot m", r"y = \frac{x}{1 - p} + m"),
        keys={"code": "x = x * mask\nx = x / (1 - p)"},
    ),
    "attention": Case(
        code="""
def attend(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[-1])
    S = np.where(np.tri(len(Q), dtype=bool), S, -np.inf)
    A = np.exp(S - S.max(axis=-1, keepdims=True))
    A /= A.sum(axis=-1, keepdims=True)
    O = A @ V
    return O
""",
        function="attend",
        sample={"Q": NORMAL, "K": NORMAL, "V": "rng.normal(size=(T, V))"},
        symbols={
            "O": ("O", "(T, V)"), "Q": ("Q", "(T, d)"), "K": ("K", "(T, d)"), "U": ("V", "(T, V)"),
            "d": ("Q.shape[-1]", "()"), "T": ("len(Q)", "()"),
        },
        true=(
            r"O_{ic} = \frac{\sum_{j \le i} e^{(Q K^\top)_{ij} / \sqrt{d}} U_{jc}}"
            r"{\sum_{j \le i} e^{(Q K^\top)_{ij} / \sqrt{d}}}",
        ),
        wrong=(
            r"O_{ic} = \frac{\sum_{j} e^{(Q K^\top)_{ij} / \sqrt{d}} U_{jc}}"
            r"{\sum_{j} e^{(Q K^\top)_{ij} / \sqrt{d}}}",
            r"O_{ic} = \frac{\sum_{j \le i} e^{(Q K^\top)_{ij} / \sqrt{d}} U_{jc}}"
            r"{\sum_{j} e^{(Q K^\top)_{ij} / \sqrt{d}}}",
            r"O_{ic} = \frac{\sum_{j \le i} e^{(Q K^\top)_{ij} / \sqrt{T}} U_{jc}}"
            r"{\sum_{j \le i} e^{(Q K^\top)_{ij} / \sqrt{T}}}",
            r"O_{ic} = \frac{\sum_{j \le i} e^{(K Q^\top)_{ij} / \sqrt{d}} U_{jc}}"
            r"{\sum_{j \le i} e^{(K Q^\top)_{ij} / \sqrt{d}}}",
        ),
    ),
    "softmax-gradient": Case(
        code="""
def backward(dA, A):
    dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))
    return dS
""",
        function="backward",
        sample={"dA": SCORES, "A": "softmax(rng.normal(size=(T, V)))"},
        symbols={"dS": ("dS", "(T, V)"), "dA": ("dA", "(T, V)"), "A": ("A", "(T, V)")},
        true=(
            r"dS_{ij} = A_{ij} \left( dA_{ij} - \sum_{k} dA_{ik} A_{ik} \right)",
            r"dS_{ij} = \sum_{k} dA_{ik} A_{ik} (\mathbb{1}[j = k] - A_{ij})",
        ),
        wrong=(
            r"dS_{ij} = A_{ij} \left( dA_{ij} - \sum_{k} dA_{ik} \right)",
            r"dS_{ij} = A_{ij} dA_{ij} - \sum_{k} dA_{ik} A_{ik}",
            r"dS_{ij} = A_{ij} \left( dA_{ij} - \sum_{k} dA_{kj} A_{kj} \right)",
        ),
    ),
    "feed-forward": Case(
        code="""
def feed_forward(x, W1, b1, W2, b2):
    h = np.maximum(0, x @ W1 + b1)
    y = h @ W2 + b2
    return y
""",
        function="feed_forward",
        sample={
            "x": NORMAL, "W1": "rng.normal(size=(d, V))", "b1": "rng.normal(size=V)",
            "W2": "rng.normal(size=(V, d))", "b2": "rng.normal(size=d)",
        },
        symbols={
            "Y": ("y", "(T, d)"), "X": ("x", "(T, d)"), "W_1": ("W1", "(d, V)"), "b_1": ("b1", "(V,)"),
            "W_2": ("W2", "(V, d)"), "b_2": ("b2", "(d,)"),
        },
        true=(r"Y = \max(0, X W_1 + \mathbf{1} b_1^\top) W_2 + \mathbf{1} b_2^\top",),
        wrong=(
            r"Y = \max(0, X W_1) W_2 + \mathbf{1} b_1^\top W_2 + \mathbf{1} b_2^\top",
            r"Y = \max(0, (X W_1 + \mathbf{1} b_1^\top) W_2 + \mathbf{1} b_2^\top)",
            r"Y = (X W_1 + \mathbf{1} b_1^\top) W_2 + \mathbf{1} b_2^\top",
        ),
    ),
    "temperature": Case(
        code="""
def soften(z, tau):
    z = z / tau
    z = np.exp(z - z.max())
    p = z / z.sum()
    return p
""",
        function="soften",
        sample={"z": "rng.normal(size=V)", "tau": "rng.uniform(0.4, 0.8)"},
        symbols={"p": ("p", "(V,)"), "z": ("z", "(V,)"), r"\tau": ("tau", "()")},
        true=(r"p_i = \frac{e^{z_i / \tau}}{\sum_{j} e^{z_j / \tau}}",),
        wrong=(r"p_i = \frac{e^{z_i \tau}}{\sum_{j} e^{z_j \tau}}", r"p_i = \frac{e^{z_i / \tau}}{\sum_{j} e^{z_j}}"),
        keys={"code": "z = z / tau\nz = np.exp(z - z.max())\np = z / z.sum()"},
    ),
    "running-mean": Case(
        code="""
class BatchNorm:
    def __init__(self, width, rate):
        self.mean = np.linspace(-1, 1, width)
        self.rate = rate

    def track(self, x):
        mu = x.mean(axis=0)
        self.mean = (1 - self.rate) * self.mean + self.rate * mu
        return x - self.mean


def normalise(x, rate):
    norm = BatchNorm(x.shape[1], rate)
    norm.track(x)
    return norm.track(2 * x)
""",
        function="normalise",
        of="BatchNorm.track",
        sample={"x": NORMAL, "rate": "rng.uniform(0.1, 0.4)"},
        symbols={
            r"\bar\mu'": ("self.mean", "(d,)"), r"\bar\mu": ("self.mean", "(d,)"), r"\mu": ("mu", "(d,)"),
            "x": ("x", "(T, d)"), r"\alpha": ("self.rate", "()"), "T": ("len(x)", "()"),
        },
        true=(
            r"\bar\mu' = (1 - \alpha) \bar\mu + \alpha \mu",
            r"\bar\mu'_i = \bar\mu_i + \alpha \left( \frac{1}{T} \sum_{t} x_{ti} - \bar\mu_i \right)",
        ),
        wrong=(
            r"\bar\mu' = \alpha \bar\mu + (1 - \alpha) \mu",
            r"\bar\mu' = (1 - \alpha) (\bar\mu + \alpha \mu)",
            r"\bar\mu' = (1 - \alpha) \mu + \alpha \bar\mu",
        ),
    ),
}  # fmt: skip
