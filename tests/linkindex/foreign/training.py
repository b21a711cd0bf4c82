"""Losses, schedules and optimizers."""

from tests.linkindex.foreign.cases import NORMAL, SCORES, Case

TRAINING = {
    "cross-entropy": Case(
        code="""
def cross_entropy(z, y):
    z = z - z.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    loss = -np.mean(log_p[np.arange(len(y)), y])
    return loss
""",
        function="cross_entropy",
        sample={"z": SCORES, "y": "rng.integers(0, V, T)"},
        symbols={"L": ("loss", "()"), "z": ("z", "(T, V)"), "y": ("y", "(T,)"), "T": ("len(y)", "()")},
        true=(
            r"L = -\frac{1}{T} \sum_{t} \log \frac{e^{z_{t,y_t}}}{\sum_{j} e^{z_{tj}}}",
            r"L = \frac{1}{T} \sum_{t} \left( \log \sum_{j} e^{z_{tj}} - z_{t,y_t} \right)",
        ),
        wrong=(
            r"L = \frac{1}{T} \sum_{t} \left( \sum_{j} \log e^{z_{tj}} - z_{t,y_t} \right)",
            r"L = -\frac{1}{T} \sum_{t} \log \frac{e^{z_{t,y_t}}}{\sum_{s} e^{z_{s,y_t}}}",
            r"L = -\log\left( \frac{1}{T} \sum_{t} \frac{e^{z_{t,y_t}}}{\sum_{j} e^{z_{tj}}} \right)",
        ),
    ),
    "cross-entropy-gradient": Case(
        code="""
def gradient(p, y):
    dz = p.copy()
    dz[np.arange(len(y)), y] -= 1
    dz = dz / len(y)
    return dz
""",
        function="gradient",
        sample={"p": "softmax(rng.normal(size=(T, V)))", "y": "rng.integers(0, V, T)"},
        symbols={"dz": ("dz", "(T, V)"), "p": ("p", "(T, V)"), "y": ("y", "(T,)"), "T": ("len(y)", "()")},
        true=(r"dz_{tj} = \frac{1}{T} \left( p_{tj} - \mathbb{1}[j = y_t] \right)",),
        wrong=(
            r"dz_{tj} = \frac{1}{T} \left( \mathbb{1}[j = y_t] - p_{tj} \right)",
            r"dz_{tj} = p_{tj} - \frac{1}{T} \mathbb{1}[j = y_t]",
            r"dz_{tj} = \frac{1}{T} p_{tj} \mathbb{1}[j = y_t]",
        ),
        keys={"code": "dz / len(y)"},
    ),
    "warm-up": Case(
        code="""
def rate(d_model, step, warmup):
    lr = d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)
    return lr


def rates(d_model, steps, warmup):
    return [rate(d_model, step, warmup) for step in steps]
""",
        function="rates",
        of="rate",
        sample={"d_model": "d", "steps": "[1, 2, 5, 9, 14]", "warmup": "int(rng.integers(4, 8))"},
        symbols={r"\eta": ("lr", "()"), "d": ("d_model", "()"), "s": ("step", "()"), "w": ("warmup", "()")},
        true=(
            r"\eta = d^{-1/2} \min\left( s^{-1/2}, s w^{-3/2} \right)",
            r"\eta = \frac{1}{\sqrt{d}} \min\left( \frac{1}{\sqrt{s}}, \frac{s}{w \sqrt{w}} \right)",
            r"\eta = \frac{1}{\sqrt{d}} \begin{cases} \frac{s}{w \sqrt{w}} & s \le w \\ \frac{1}{\sqrt{s}} & s > w"
            r" \end{cases}",
        ),
        wrong=(
            r"\eta = \frac{1}{\sqrt{d}} \begin{cases} \frac{s}{w \sqrt{w}} & s > w \\ \frac{1}{\sqrt{s}} & s \le w"
            r" \end{cases}",
            r"\eta = d^{-1/2} \max\left( s^{-1/2}, s w^{-3/2} \right)",
            r"\eta = d^{-1/2} \min\left( s^{-1/2}, s w^{-1/2} \right)",
            r"\eta = \min\left( d^{-1/2} s^{-1/2}, s w^{-3/2} \right)",
        ),
    ),
    "cosine-schedule": Case(
        code="""
def anneal(t, total, low, high):
    t = np.minimum(t, total)
    lr = low + (high - low) * (1 + np.cos(np.pi * t / total)) / 2
    return lr
""",
        function="anneal",
        sample={
            "t": "rng.permutation(2 * T)[:T]", "total": "T", "low": "rng.uniform(0.1, 0.2)",
            "high": "rng.uniform(0.6, 0.9)",
        },
        symbols={
            r"\eta": ("lr", "(T,)"), "t": ("t", "(T,)"), "N": ("total", "()"),
            r"\eta_{\min}": ("low", "()"), r"\eta_{\max}": ("high", "()"),
        },
        true=(
            r"\eta_i = \eta_{\min} + \frac{1}{2} (\eta_{\max} - \eta_{\min})"
            r" \left( 1 + \cos\left( \frac{\pi t_i}{N} \right) \right)",
        ),
        wrong=(
            r"\eta_i = \eta_{\min} + \frac{1}{2} (\eta_{\max} - \eta_{\min})"
            r" \left( 1 + \cos\left( \frac{2 \pi t_i}{N} \right) \right)",
            r"\eta_i = \eta_{\min} + \frac{1}{2} (\eta_{\max} - \eta_{\min})"
            r" \left( 1 - \cos\left( \frac{\pi t_i}{N} \right) \right)",
            r"\eta_i = \eta_{\min} + \frac{1}{2} \eta_{\max} \left( 1 + \cos\left( \frac{\pi t_i}{N} \right) \right)",
        ),
    ),
    "label-smoothing": Case(
        code="""
def smooth(y, n_classes, eps):
    q = np.full((len(y), n_classes), eps / n_classes)
    q[np.arange(len(y)), y] += 1 - eps
    return q
""",
        function="smooth",
        sample={"y": "rng.integers(0, V, T)", "n_classes": "V", "eps": "rng.uniform(0.1, 0.4)"},
        symbols={"q": ("q", "(T, V)"), "y": ("y", "(T,)"), "V": ("n_classes", "()"), r"\epsilon": ("eps", "()")},
        true=(
            r"q_{tj} = (1 - \epsilon) \mathbb{1}[j = y_t] + \frac{\epsilon}{V}",
            r"q_{tj} = \begin{cases} 1 - \epsilon + \frac{\epsilon}{V} & j = y_t \\ \frac{\epsilon}{V}"
            r" & \text{otherwise} \end{cases}",
        ),
        wrong=(
            r"q_{tj} = \begin{cases} 1 - \epsilon & j = y_t \\ \frac{\epsilon}{V} & \text{otherwise} \end{cases}",
            r"q_{tj} = \begin{cases} 1 - \epsilon & j = y_t \\ \frac{\epsilon}{V - 1} & \text{otherwise} \end{cases}",
            r"q_{tj} = \mathbb{1}[j = y_t] + \frac{\epsilon}{V}",
        ),
        keys={"at": "return"},
    ),
    "perplexity": Case(
        code="""
def perplexity(p):
    nll = -np.log(p)
    ppl = np.exp(nll.mean())
    return ppl
""",
        function="perplexity",
        sample={"p": "rng.uniform(0.1, 0.9, T)"},
        symbols={r"\mathrm{PPL}": ("ppl", "()"), "p": ("p", "(T,)"), "T": ("len(p)", "()")},
        true=(
            r"\mathrm{PPL} = \exp\left( -\frac{1}{T} \sum_{t} \log p_t \right)",
            r"\mathrm{PPL} = \left( \prod_{t} p_t \right)^{-1/T}",
            r"\mathrm{PPL} = \prod_{t} p_t^{-1/T}",
            r"\mathrm{PPL} = 2^{-\frac{1}{T} \sum_{t} \log_2 p_t}",
        ),
        wrong=(
            r"\mathrm{PPL} = 2^{-\frac{1}{T} \sum_{t} \log p_t}",
            r"\mathrm{PPL} = \frac{1}{T} \sum_{t} \frac{1}{p_t}",
            r"\mathrm{PPL} = \prod_{t} p_t^{-T}",
        ),
    ),
    "clipping": Case(
        code="""
def clip(g, most):
    norm = np.sqrt((g**2).sum())
    scale = min(1.0, most / norm)
    clipped = g * scale
    return clipped


def both(g, most):
    return clip(g, most), clip(0.01 * g, most)
""",
        function="both",
        of="clip",
        sample={"g": NORMAL, "most": "rng.uniform(0.5, 1.0)"},
        symbols={r"\hat g": ("clipped", "(T, d)"), "g": ("g", "(T, d)"), "c": ("most", "()")},
        true=(
            r"\hat g = g \min\left( 1, \frac{c}{\sqrt{\sum_{ij} g_{ij}^2}} \right)",
            r"\hat g = g \min\left( 1, \frac{c}{\lVert g \rVert_F} \right)",
            r"\hat g = \frac{c}{\max(c, \lVert g \rVert_F)} g",
        ),
        wrong=(
            r"\hat g = g \min\left( 1, \frac{c}{\lVert g \rVert_2} \right)",
            r"\hat g = g \min\left( 1, \frac{c}{\sum_{ij} g_{ij}^2} \right)",
            r"\hat g = g \frac{c}{\sqrt{\sum_{ij} g_{ij}^2}}",
            r"\hat g = g \max\left( 1, \frac{c}{\sqrt{\sum_{ij} g_{ij}^2}} \right)",
        ),
    ),
    "weight-decay": Case(
        code="""
def decay(theta, update, lr, wd):
    theta = theta - lr * update
    theta = theta - lr * wd * theta
    return theta
""",
        function="decay",
        sample={"theta": NORMAL, "update": NORMAL, "lr": "rng.uniform(0.1, 0.4)", "wd": "rng.uniform(0.1, 0.4)"},
        symbols={
            r"\theta'": ("theta", "(T, d)"), r"\theta": ("theta", "(T, d)"), "u": ("update", "(T, d)"),
            r"\eta": ("lr", "()"), r"\lambda": ("wd", "()"),
        },
        true=(r"\theta' = (1 - \eta \lambda) \, (\theta - \eta u)",),
        wrong=(
            r"\theta' = (1 - \lambda) \, (\theta - \eta u)",
            r"\theta' = (1 - \eta \lambda) \, \theta - \eta u",
            r"\theta' = \theta - \eta (u + \lambda \theta)",
        ),
        keys={"code": "theta = theta - lr * update\ntheta = theta - lr * wd * theta"},
    ),
    "divergence": Case(
        code="""
def divergence(p, q):
    kl = np.sum(p * (np.log(p) - np.log(q)), axis=-1)
    return kl
""",
        function="divergence",
        sample={"p": "softmax(rng.normal(size=(T, V)))", "q": "softmax(rng.normal(size=(T, V)))"},
        symbols={"D": ("kl", "(T,)"), "p": ("p", "(T, V)"), "q": ("q", "(T, V)")},
        true=(r"D_t = \sum_{j} p_{tj} \log \frac{p_{tj}}{q_{tj}}",),
        wrong=(
            r"D_t = \sum_{j} q_{tj} \log \frac{q_{tj}}{p_{tj}}",
            r"D_t = -\sum_{j} p_{tj} \log q_{tj}",
            r"D_t = \sum_{j} p_{tj} \log \frac{q_{tj}}{p_{tj}}",
        ),
    ),
    "momentum": Case(
        code="""
def momentum(w, v, g, lr, mu):
    v *= mu
    v -= lr * g
    w += v
    return w


def two_steps(w, v, g, lr, mu):
    w, v = w.copy(), v.copy()
    momentum(w, v, g, lr, mu)
    return momentum(w, v, 2 * g, lr, mu)
""",
        function="two_steps",
        of="momentum",
        sample={"w": NORMAL, "v": NORMAL, "g": NORMAL, "lr": "rng.uniform(0.1, 0.4)", "mu": "rng.uniform(0.5, 0.9)"},
        symbols={
            "v'": ("v", "(T, d)"), "v": ("v", "(T, d)"), "g": ("g", "(T, d)"),
            r"\eta": ("lr", "()"), r"\mu": ("mu", "()"),
        },
        true=(r"v' = \mu v - \eta g",),
        wrong=(r"v' = \mu v + \eta g", r"v' = \mu (v - \eta g)", r"v' = \mu v - \eta (1 - \mu) g", r"v' = v - \eta g"),
    ),
    "moving-average": Case(
        code="""
def smooth(x, rho):
    s = x[0]
    out = []
    for t in range(1, len(x)):
        s = rho * s + (1 - rho) * x[t]
        out.append(s)
    return out
""",
        function="smooth",
        sample={"x": "rng.normal(size=T)", "rho": "rng.uniform(0.5, 0.9)"},
        symbols={
            "s_t": ("s", "()"), "s_{t-1}": ("s", "()"), "x_t": ("x[t]", "()"), r"\rho": ("rho", "()"),
        },
        true=(r"s_t = \rho s_{t-1} + (1 - \rho) x_t", r"s_t = s_{t-1} + (1 - \rho) (x_t - s_{t-1})"),
        wrong=(r"s_t = (1 - \rho) s_{t-1} + \rho x_t", r"s_t = \rho s_{t-1} + x_t", r"s_t = \rho (s_{t-1} + x_t)"),
        keys={"code": "rho * s + (1 - rho) * x[t]"},
    ),
    "huber": Case(
        code="""
def huber(r, delta):
    small = np.abs(r) <= delta
    loss = np.where(small, 0.5 * r**2, delta * (np.abs(r) - 0.5 * delta))
    return loss
""",
        function="huber",
        sample={"r": "3 * rng.normal(size=(T, V))", "delta": "rng.uniform(1.2, 1.8)"},
        symbols={r"\ell": ("loss", "(T, V)"), "r": ("r", "(T, V)"), r"\delta": ("delta", "()")},
        true=(
            r"\ell_{tj} = \begin{cases} \frac{r_{tj}^2}{2} & \max(r_{tj}, -r_{tj}) \le \delta \\"
            r" \delta \max(r_{tj}, -r_{tj}) - \frac{\delta^2}{2} & \text{otherwise} \end{cases}",
        ),
        wrong=(
            r"\ell_{tj} = \begin{cases} \frac{r_{tj}^2}{2} & r_{tj} \le \delta \\"
            r" \delta \max(r_{tj}, -r_{tj}) - \frac{\delta^2}{2} & \text{otherwise} \end{cases}",
            r"\ell_{tj} = \begin{cases} \frac{r_{tj}^2}{2} & \max(r_{tj}, -r_{tj}) \le \delta \\"
            r" \delta \max(r_{tj}, -r_{tj}) - \delta^2 & \text{otherwise} \end{cases}",
            r"\ell_{tj} = \begin{cases} \frac{r_{tj}^2}{2} & \max(r_{tj}, -r_{tj}) \le \delta \\"
            r" \max(r_{tj}, -r_{tj}) - \frac{\delta}{2} & \text{otherwise} \end{cases}",
        ),
    ),
    "accuracy": Case(
        code="""
def accuracy(z, y):
    right = np.argmax(z, axis=-1) == y
    share = right.mean()
    return share
""",
        function="accuracy",
        sample={"z": SCORES, "y": "np.where(rng.random(T) < 0.5, 0, rng.integers(0, V, T))"},
        symbols={"a": ("share", "()"), "z": ("z", "(T, V)"), "y": ("y", "(T,)"), "T": ("len(y)", "()")},
        true=(
            r"a = \frac{1}{T} \sum_{t} \mathbb{1}\left[ z_{t,y_t} = \max_{j} z_{tj} \right]",
            r"a = \frac{1}{T} \sum_{t} \mathbb{1}\left[ y_t = \arg\max_{j} z_{tj} \right]",
        ),
        wrong=(
            r"a = \frac{1}{T} \sum_{t} \mathbb{1}\left[ y_t = \arg\min_{j} z_{tj} \right]",
            r"a = \frac{1}{T} \sum_{t} \mathbb{1}\left[ t = \arg\max_{j} z_{tj} \right]",
            r"a = \frac{1}{T} \sum_{t} \mathbb{1}\left[ z_{t,y_t} < \max_{j} z_{tj} \right]",
            r"a = \frac{1}{T} \sum_{t} \mathbb{1}\left[ z_{t,y_t} = \max_{s} z_{s,y_t} \right]",
        ),
    ),
}  # fmt: skip
