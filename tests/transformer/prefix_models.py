"""Models for the tests of generation: scores that depend on every token read so far, each row for itself."""

import numpy as np

from transformer.generation import rereading


def prefix_scores(seed, prefix, V):
    """Random scores: (V,), others for every prefix."""
    return np.random.default_rng([seed, *map(int, prefix)]).normal(scale=2, size=V)


def prefix_model(seed, V):
    """A step that reads all tokens again each time."""

    def forward(ids):
        return np.array([[prefix_scores(seed, row[:n + 1], V) for n in range(len(row))] for row in ids])

    return rereading(forward)


def cached_prefix_model(seed, V):
    """The same scores from a state that holds what was read, a dict with an array whose first axis is the rows."""

    def step(ids, state):
        cached = np.zeros((len(ids), 0), dtype=np.int64) if state is None else state["cache"]
        seen = np.concatenate([cached, ids], axis=1)
        return np.array([prefix_scores(seed, row, V) for row in seen]), {"cache": seen, "read": seen.shape[1]}

    return step


def next_token_model(table):
    """A step whose scores depend only on the last token: row i of the table."""

    def step(ids, state):
        return np.asarray(table, dtype=np.float64)[ids[:, -1]], state

    return step
