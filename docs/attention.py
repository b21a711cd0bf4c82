"""The example of the attention page: six words, a width of four, two heads, and numbers chosen by hand.

The numbers are small enough to follow with a pencil. They were not learned and say nothing about language.
"""

from functools import partial

import numpy as np

from transformer import models, tokenizer
from transformer.attention import attention_backward, attention_forward
from transformer.decoder_only import Config, decoder_only_forward
from transformer.dropout import EVALUATION
from transformer.files import sha256
from transformer.generation import generate
from transformer.gradcheck import numerical_gradient
from transformer.init import init_attention, xavier_uniform
from transformer.masks import causal_mask
from transformer.optimizers import adam_state
from transformer.parameters import allocate, assign, shapes_of
from transformer.recipes import language
from transformer.softmax import softmax_backward, softmax_forward
from transformer.training import Recipe, start, train_step

SETTINGS = {name: language.CONFIGURATION[name] for name in ("decay", "beta1", "beta2", "eps")}


SENTENCE = "The old cats thank the fox."  # of the grammar that the language model learned from


def labels():
    """Names for the rows and columns that stand for positions; the tokens of the real sentence, and its model."""
    model = models.load("language")
    ids, merges = tokens_of(SENTENCE, model)
    return {
        "T": ["The", "cat", "sat", "on", "the", "mat"],
        "written": [written(model)],
        "tokens": [tokenizer.decode([token], merges) for token in ids],
        "model": [
            f"Checkpoint language {sha256(models.path_of('language').with_suffix('.npz').read_bytes())[:8]}",
            f"data {model.provenance.data_sha256[:8]}", f"NumPy {np.__version__}",
        ],
    }


def written(model, start="The old"):
    """How the trained model ends a sentence, always with the most probable token."""
    writing = language.writing(model, start)
    result = generate(writing.step, [writing.prompt], writing.room, eos=writing.eos)
    return writing.text(result.ids[0, len(writing.prompt) : result.lengths[0]].tolist())


def tokens_of(text, model):
    """The tokens of a line of text as the model reads them, and the merges of its tokenizer."""
    merges = tokenizer.pairs_of(model.constants["merges"].tolist())
    return tokenizer.encode("\n" + text, merges), merges


def inputs():
    """What attention receives: input, parameters, the number of heads, and a gradient with respect to its output."""
    Xn = np.array([
        [0.5, -1.0, 1.5, 0.25],    # The
        [1.0, 0.0, -0.5, 2.0],     # cat
        [-1.5, 0.75, 0.5, -0.25],  # sat
        [0.25, 1.25, -1.0, 0.5],   # on
        [0.75, -0.5, 1.0, -1.0],   # the
        [-0.5, 1.5, 0.25, 0.75],   # mat
    ])
    params = {
        "wq": np.array([[0.2, -0.1, 0.4, 0.3], [0.5, 0.6, -0.2, 0.1], [-0.3, 0.2, 0.7, -0.4], [0.1, -0.5, 0.3, 0.2]]),
        "bq": np.array([0.01, -0.02, 0.03, 0.04]),
        "wk": np.array([[0.3, 0.2, -0.6, 0.1], [-0.4, 0.5, 0.1, 0.3], [0.6, -0.1, 0.2, -0.2], [0.2, 0.4, -0.3, 0.5]]),
        "bk": np.array([-0.03, 0.02, 0.01, -0.04]),
        "wv": np.array([[0.1, 0.5, 0.2, -0.3], [0.4, -0.2, 0.3, 0.6], [-0.5, 0.1, 0.4, 0.2], [0.3, 0.3, -0.1, 0.1]]),
        "bv": np.array([0.02, 0.04, -0.01, 0.03]),
        "wo": np.array([[0.6, -0.2, 0.1, 0.3], [0.2, 0.4, -0.5, 0.1], [-0.1, 0.3, 0.5, -0.2], [0.4, 0.1, 0.2, 0.6]]),
        "bo": np.array([-0.01, 0.03, 0.02, -0.02]),
    }
    dOut = np.array([
        [0.1, -0.2, 0.3, 0.05],
        [-0.1, 0.25, 0.15, -0.3],
        [0.2, 0.1, -0.25, 0.15],
        [-0.05, 0.3, 0.1, -0.2],
        [0.15, -0.1, 0.2, 0.25],
        [0.3, -0.15, -0.1, 0.1],
    ])
    return {"Xn": Xn, "params": params, "H": 2, "dOut": dOut}


def run(Xn, params, H, dOut):
    """Once forward, once backward. Returns out, dXn, the gradients of the parameters, and initial parameters."""
    out, cache = attention_forward(Xn, params, H, causal_mask(len(Xn)))
    dXn, grads = attention_backward(dOut, cache)
    rng = np.random.default_rng(0)
    initial = init_attention(Xn.shape[-1], rng)
    xavier_uniform(*Xn.shape, rng)  # not square, so that its rows and its columns are told apart; used for nothing else
    return out, dXn, grads, initial


def sample(rng, sizes):
    """Random inputs of other sizes; ``sizes`` gives T, H, d_h and d = H d_h. No bias is 0."""
    T, d = sizes["T"], sizes["d"]
    params = {}
    for name in "qkvo":
        params["w" + name] = rng.normal(size=(d, d)) / np.sqrt(d)
        params["b" + name] = rng.normal(size=d)
    return {"Xn": rng.normal(size=(T, d)), "params": params, "H": sizes["H"], "dOut": rng.normal(size=(T, d))}


def trained(**inputs):
    """The attention weights of the trained language model on the real sentence: (layers, H, tokens, tokens)."""
    model = models.load("language")
    ids, _ = tokens_of(SENTENCE, model)
    _, (*_, caches, _, _, _, _) = decoder_only_forward(np.array(ids), model.params, model.config, EVALUATION)
    return {"weights": np.stack([A for _, (_, (*_, A), *_), *_ in caches])}


def spread(**inputs):
    """How far scores lie apart for heads of three widths, with and without scaling, and what it does to softmax.

    64 queries and 64 keys, drawn from a normal distribution, five times. ``spread``: the standard deviation of all
    scores. ``largest``: the largest weight of a row, ``gradient``: the length of a row of gradients of the scores if
    those of the weights are drawn likewise; the median of both.
    """
    widths = np.array([4, 64, 1024])
    raw, scaled = [], []
    for width in widths:
        rngs = [np.random.default_rng(seed) for seed in range(5)]
        drawn = [[rng.normal(size=(64, n)) for n in (width, width, 64)] for rng in rngs]
        scores, dA = np.stack([Q @ K.T for Q, K, _ in drawn]), np.stack([d for *_, d in drawn])
        raw.append(_of_scores(scores, dA))
        scaled.append(_of_scores(scores / np.sqrt(width), dA))
    names = ("spread", "largest", "gradient")
    of = {"raw": dict(zip(names, np.array(raw).T)), "scaled": dict(zip(names, np.array(scaled).T))}
    return {"widths": widths, **{f"{way}_{name}": of[way][name] for way in of for name in names}}


def _of_scores(scores, dA):
    weights, cache = softmax_forward(scores)
    dS = softmax_backward(dA, cache)
    return np.std(scores), np.median(weights.max(axis=-1)), np.median(np.linalg.norm(dS, axis=-1))


def central_differences(Xn, params, H, dOut):
    """Gradients measured instead of derived: move one number, run forward, see how the loss moves.

    The loss is the sum of out * dOut, because its gradient with respect to out is dOut itself.
    """
    def loss(Xn, params):
        out, _ = attention_forward(Xn, params, H, causal_mask(len(Xn)))
        return np.sum(out * dOut)

    measured = {}
    for name in ("wo", "wq", "wk", "wv"):
        measured[name] = numerical_gradient(lambda W, name=name: loss(Xn, {**params, name: W}), params[name])
    measured["dXn"] = numerical_gradient(lambda moved: loss(moved, params), Xn)
    return measured


def updated(Xn, params, H, dOut):
    """The query weights before one update, their gradient, and the weights after it, by AdamW as the recipe sets it up.

    The rate and the decay are far larger than in real training, so that the change can be seen.
    """
    _, _, grads, _ = run(Xn, params, H, dOut)
    theta, views = allocate(shapes_of(params))
    assign(views, params)
    g, slots = allocate(shapes_of(params))
    assign(slots, grads)
    rate, decay = 0.1, 0.5
    language.optimizer(views, **SETTINGS | {"decay": decay})(theta, g, adam_state(theta), rate)
    return {"before": params["wq"], "gradient": grads["wq"], "after": views["wq"], "rate": rate, "decay": decay}


def recipe(Xn, H):
    """The recipe of the language model: as wide as Xn, with two blocks, for one step on random tokens."""
    T, d = Xn.shape
    config = Config(V=50, n_max=T, d=d, H=H, d_ff=4 * d, layers=2)

    def batch(rng):
        ids = rng.integers(config.V, size=(2, T + 1))
        return ids[:, :-1], ids[:, 1:]

    return Recipe(
        configuration=config._asdict(), seed=0, data_sha256="", steps=1, measured_every=1, limit=1.0,
        initial=partial(language.initial, config=config, dtype=np.float64), batch=batch,
        loss=partial(language.loss, config=config), rate=lambda step: 0.001,
        optimizer=partial(language.optimizer, **SETTINGS), measure=lambda params: {},
    )


def parameters(Xn, params, H, dOut):
    """The parameters of that model before the first step, by name."""
    return start(recipe(Xn, H)).params


def decays(Xn, params, H, dOut):
    """Which of them weight decay moves: from ones, the optimizer of the recipe takes a step with a gradient of zero."""
    state = start(recipe(Xn, H))
    state.theta[...] = 1
    state.update(state.theta, np.zeros_like(state.theta), state.moments, 0.5)
    return {name: view != 1 for name, view in state.params.items()}


def one_update(Xn, params, H, dOut):
    """One training step of that model. Returns its parameters afterwards."""
    state = start(recipe(Xn, H))
    train_step(recipe(Xn, H), state)
    return state.params
