"""Choosing tokens from scores, and writing text with them.

A model is used through one function, ``step(ids, state) -> (logits, state)``. ids: (B, n), the tokens that the model
has not read yet: at first the prompt, then one token a row. state: what the previous call returned, at first what the
caller gives, None unless given. logits: (B, V), the scores of the token after the last. A model with a cache keeps it
in the state; ``rereading`` makes a step from a model without one. Rows must not influence each other.
"""

import math
from typing import NamedTuple

import numpy as np

from transformer.softmax import softmax_forward

# --- from scores to scores: a token that is ruled out gets minus infinity --------------------------------------------


def with_temperature(logits, T):
    """logits / T: T below 1 sharpens the choice, above 1 flattens it. T = 0 leaves only the largest, lowest id on ties.

    logits: (..., V). Returns the same shape, in float64. Raises ValueError for a T that is negative or not finite.
    """
    if not (T >= 0 and math.isfinite(T)):
        raise ValueError(f"the temperature must be 0 or a positive number, got {T}")
    logits = checked(logits)
    if T == 0:
        return _keep(logits, np.arange(logits.shape[-1]) == logits.argmax(axis=-1)[..., None])
    with np.errstate(over="ignore"):  # a tiny T sends all but the largest to minus infinity, which is its meaning
        return (logits - logits.max(axis=-1, keepdims=True)) / T


def keep_top_k(logits, k):
    """Rule out all but k tokens: exactly k, of equal scores the lower ids. A k above V keeps all.

    logits: (..., V). Returns the same shape, in float64. Raises ValueError for k < 1.
    """
    if k < 1:
        raise ValueError(f"top-k must keep at least one token, got k = {k}")
    logits = checked(logits)
    return _keep(logits, _rank(logits) < k)


def keep_top_p(logits, p):
    """Rule out all but the smallest set of tokens whose probability reaches p (Holtzman et al. 2020, section 3.1).

    Tokens enter by falling probability, of equal ones the lower id first, while the mass before them is below p; so the
    token that crosses p is kept. p = 0 keeps one token and p = 1 all. logits: (..., V). Returns the same shape, in
    float64. Raises ValueError for p outside [0, 1].
    """
    if not 0 <= p <= 1:
        raise ValueError(f"top-p must lie between 0 and 1, got {p}")
    logits = checked(logits)
    if p == 1:  # a sum of rounded probabilities can reach 1 before the last token
        return logits
    weights, _ = softmax_forward(logits)
    order = _order(logits)
    mass = np.cumsum(np.take_along_axis(weights, order, axis=-1), axis=-1)
    before = np.concatenate([np.zeros_like(mass[..., :1]), mass[..., :-1]], axis=-1)
    size = np.count_nonzero(before < p, axis=-1)[..., None]
    return _keep(logits, _rank(logits) < np.maximum(size, 1))


def checked(logits, dtype=np.float64):
    """The scores in this dtype. Raises ValueError where a row has NaN or plus infinity, or only minus infinity."""
    logits = np.asarray(logits, dtype)
    if not np.isfinite(logits.max(axis=-1)).all():  # the largest of a row with NaN is NaN
        raise ValueError("each row of scores must have finite entries, or minus infinity for some: look for NaN and "
                         "infinity in the model's parameters")
    return logits


def log_probabilities(logits):
    """logits minus their log-sum-exp: (..., V), in float64; minus infinity for a token that is ruled out."""
    shifted = checked(logits) - np.max(logits, axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def log_probability_of(tokens, logits):
    """The log-probability of one token in each row, in float64. tokens: (B,), logits: (B, V). Returns (B,)."""
    chosen = logits[np.arange(len(tokens)), tokens]
    top = logits.max(axis=-1)
    totals = np.exp(logits - top[:, None]).sum(axis=-1)
    return np.float64(chosen) - top - np.log(totals, dtype=np.float64)


def _order(logits):
    """The ids by falling score, of equal scores the lower first: (..., V)."""
    return np.argsort(-logits, axis=-1, kind="stable")


def _rank(logits):
    """The place of each id in that order: (..., V)."""
    return np.argsort(_order(logits), axis=-1)


def _keep(logits, kept):
    return np.where(kept, logits, -np.inf)


# --- from scores to tokens -------------------------------------------------------------------------------------------


def greedy(logits, rngs=None):
    """The token of the largest score in each row, the lowest id on ties. logits: (B, V). Returns (B,)."""
    return checked(logits, dtype=None).argmax(axis=-1)


def sampler(temperature=1.0, top_k=None, top_p=None):
    """A choice at random: ``choose(logits, rngs)``, with logits: (B, V) and one numpy Generator a row, gives (B,).

    Temperature comes first, then top-k, then top-p of what is left. Each token costs its row one random number.
    """

    def choose(logits, rngs):
        if any(rng is None for rng in rngs):
            raise ValueError("a choice at random needs a numpy Generator: pass rng to generate")
        scores = with_temperature(logits, temperature)
        scores = scores if top_k is None else keep_top_k(scores, top_k)
        scores = scores if top_p is None else keep_top_p(scores, top_p)
        weights, _ = softmax_forward(scores)
        return np.array([draw(row, rng) for row, rng in zip(weights, rngs, strict=True)], dtype=np.int64)

    choose(np.zeros((1, 1)), [np.random.default_rng(0)])  # wrong arguments are refused here, not at the first token
    return choose


def draw(weights, rng):
    """A token drawn with these probabilities, weights: (V,): the first whose running sum lies above a random number."""
    sums = np.cumsum(weights)
    return int(np.searchsorted(sums / sums[-1], rng.random(), side="right"))


# --- writing ---------------------------------------------------------------------------------------------------------


class Written(NamedTuple):
    """Rows of tokens: the prompt, what was written after it, and padding up to the longest row."""

    ids: np.ndarray      # (B, longest)
    lengths: np.ndarray  # (B,), with the prompt and the end token
    scores: np.ndarray   # (B,), the model's log-probability of what was written, the end token included once


def generate(step, prompts, max_new, choose=greedy, eos=None, pad=0, rng=None, state=None):
    """Write after each prompt until the end token or ``max_new`` tokens, each row for itself: as if it were alone.

    prompts: (B, n), or a list of B lists of ids, which may differ in length: then a row reads the rest of its prompt
    while others write already. step: see the top of this file; its state starts as ``state``. choose: ``greedy`` or a
    ``sampler``. eos: the id that ends a row, None if there is none; a finished row is fed ``pad`` and grows no more.
    rng: a numpy Generator, from which each row gets one of its own, or a list of one for each row; greedy needs none.
    Returns Written. Raises ValueError for an empty prompt, no prompt, or a negative max_new.
    """
    prompts = [list(prompt) for prompt in prompts]  # they are gone through twice
    given = np.array([len(prompt) for prompt in prompts], dtype=np.int64)  # (B,)
    if not given.size or given.min() == 0 or max_new < 0:
        raise ValueError("needed are at least one prompt, one token in each prompt, and max_new from 0 on; got "
                         f"prompts of the lengths {given.tolist()} and max_new = {max_new}")
    rngs = row_generators(rng, len(given))
    ids = np.full((len(given), given.max() + max_new), pad, dtype=np.int64)  # (B, longest)
    for row, prompt in zip(ids, prompts):
        row[:len(prompt)] = prompt

    lengths, scores = given.copy(), np.zeros(len(given))
    finished = np.full(len(given), max_new == 0)
    read, n = 0, given.min()  # tokens that the model has read; tokens that stand
    while not finished.all():
        logits, state = step(ids[:, read:n], state)
        writing = np.flatnonzero(~finished & (given <= n))
        if writing.size:
            open_logits = logits if writing.size == len(given) else logits[writing]
            tokens = choose(open_logits, [rngs[row] for row in writing])
            ids[writing, n] = tokens
            scores[writing] += log_probability_of(tokens, open_logits)
            lengths[writing] = n + 1
            finished[writing] = (tokens == eos) if eos is not None else False
        read, n = n, n + 1
        finished |= n >= given + max_new
    return Written(ids[:, :lengths.max()], lengths, scores)


def row_generators(rng, B):
    """One generator a row: those of a list, or new ones with seeds drawn from the one generator. None gives None.

    Raises ValueError for a list of another length.
    """
    if rng is None:
        return [None] * B
    if isinstance(rng, np.random.Generator):
        return [np.random.default_rng(seed) for seed in rng.integers(2 ** 63, size=B)]
    if len(rng) != B:
        raise ValueError(f"{B} rows need {B} generators, got {len(rng)}")
    return list(rng)


def rereading(forward):
    """The step of a model without a cache: forward(ids: (B, n)) -> logits (B, n, V) reads all tokens every time."""

    def step(ids, state):
        seen = ids if state is None else np.concatenate([state, ids], axis=1)
        return forward(seen)[:, -1], seen

    return step


def take_rows(state, rows):
    """The same state for other rows: each array is indexed by ``rows`` along its first axis, which must be the rows.

    state: an array, None, a number, or a tuple, list, dict or NamedTuple of such; numbers and None count for all rows.
    """
    if isinstance(state, np.ndarray) and state.ndim:
        return state[rows]
    if isinstance(state, dict):
        return {name: take_rows(part, rows) for name, part in state.items()}
    if isinstance(state, tuple) and hasattr(state, "_fields"):
        return type(state)(*(take_rows(part, rows) for part in state))
    if isinstance(state, tuple | list):
        return type(state)(take_rows(part, rows) for part in state)
    return state
