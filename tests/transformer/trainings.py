"""Recipes whose training takes a moment: a line of two parameters, and tiny ones of the shipped models."""

import dataclasses
from functools import partial

import numpy as np

from transformer import resuming
from transformer.optimizers import adam_step
from transformer.parameters import allocate
from transformer.recipes import language, reversal
from transformer.training import Recipe, start, training

# --- a model of two parameters: y = a x + b, so that every step can be followed ---------------------------------------


def line_recipe(**changes):
    """Least squares, one point a batch."""
    recipe = Recipe(configuration={"task": "line"}, seed=3, data_sha256="0" * 64, steps=7, initial=line_initial,
                    batch=line_batch, loss=line_loss, rate=lambda step: 0.1 / step,
                    optimizer=lambda params: partial(adam_step, beta1=0.5, beta2=0.25, eps=0.125),
                    measure=lambda params: {"a": float(params["a"][0])}, measured_every=3)
    return dataclasses.replace(recipe, **changes)


def line_initial(rng):
    theta, params = allocate({"a": (1,), "b": (1,)})
    theta[:] = rng.normal(size=2)
    return theta, params


def line_batch(rng):
    x = rng.normal()
    return x, 3 * x - 2


def line_loss(params, batch, drop):
    x, y = batch
    kept, _ = drop.forward(np.array([x]))
    error = params["a"] * kept + params["b"] - y
    return float(error[0] ** 2) / 2, {"b": error, "a": error * kept}


# --- the shipped models ----------------------------------------------------------------------------------------------


def tiny_reversal(seed=5, **changes):
    c = reversal.CONFIGURATION | {"d": 12, "H": 3, "d_ff": 14, "layers": 2, "batch": 7, "warmup": 6, "steps": 20,
                                  "held_out": 9, "measured_every": 8}
    return reversal.recipe(c | changes, seed)


def tiny_language(seed=5, **changes):
    c = language.CONFIGURATION | {"merges": 20, "n_max": 24, "d": 12, "H": 3, "d_ff": 14, "layers": 2, "batch": 7,
                                  "warmup": 6, "steps": 20, "sentences": 5, "measured_every": 8}
    return language.recipe(c | changes, seed)


def stopped(recipe, path, step):
    """Train up to a step and save. Returns the state."""
    state = start(recipe)
    for entry in training(recipe, state):
        if entry["step"] == step:
            break
    resuming.save_state(path, recipe, state, {})
    return state
