"""Training: one loop for every model.

A recipe says what is trained, on what and how. A state is all that changes from step to step; between two steps it is
whole, so it can be saved there and taken up again to the last bit. Chance has three streams, each its own generator
spawned from the seed: one for the initial parameters, one for the batches, one for dropout. So a change in one, such as
another dropout, leaves the others as they were; measuring uses none of them.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from transformer import dropout
from transformer.optimizers import adam_state, clip_by_global_norm
from transformer.parameters import allocate, assign, shapes_of

FIRST = 50  # so many steps at the start stand in the curve one by one: what a replay is compared with


@dataclass(frozen=True)
class Recipe:
    """What is trained and how. Steps count from 1; step n makes the n-th update."""

    configuration: dict      # all that was asked for, as JSON values
    seed: int
    data_sha256: str
    steps: int
    initial: Callable        # initial(rng) -> (theta, params): the flat vector and its named views
    batch: Callable          # batch(rng) -> a batch
    loss: Callable           # loss(params, batch, drop) -> (loss, grads), grads under the names of params
    rate: Callable           # rate(step) -> the learning rate, a Python number
    optimizer: Callable      # optimizer(params) -> update(theta, g, moments, lr), which changes theta and moments
    measure: Callable        # measure(params) -> dict of numbers on data that training does not see
    measured_every: int
    dropout: float = 0.0
    limit: float = math.inf  # the longest gradient that is not clipped
    averaged: tuple = ()     # the model is the mean of the parameters after these steps; if none, those after the last
    constants: dict = field(default_factory=dict)  # arrays that the model needs beside its parameters


@dataclass
class State:
    """Where a training stands. params and grads are views into theta and g."""

    step: int                # updates made
    theta: np.ndarray
    params: dict
    g: np.ndarray
    grads: dict
    update: Callable
    moments: dict            # the arrays of the optimizer
    total: np.ndarray        # the sum of theta over the steps that are averaged, so far
    rngs: dict               # "batches" and "dropout", each a numpy Generator
    found: dict = field(default_factory=dict)  # the gradients of the last step, as the model returned them
    curve: list = field(default_factory=list)


def start(recipe):
    """The State before the first step. Raises ValueError for averaged steps that repeat or lie outside 1..steps."""
    check_averaged(recipe)
    streams = np.random.SeedSequence(recipe.seed).spawn(3)
    initialisation, batches, drops = (np.random.default_rng(stream) for stream in streams)
    theta, params = recipe.initial(initialisation)
    g, grads = allocate(shapes_of(params), theta.dtype)
    return State(0, theta, params, g, grads, recipe.optimizer(params), adam_state(theta), np.zeros_like(theta),
                 {"batches": batches, "dropout": drops})


def check_averaged(recipe):
    """Raises ValueError unless the steps of recipe.averaged are all different and lie in 1..steps.

    Else their sum would have fewer summands than it is divided by: the model would be scaled.
    """
    averaged, made = recipe.averaged, range(1, recipe.steps + 1)
    if len(set(averaged)) < len(averaged) or not all(step in made for step in averaged):
        raise ValueError(f"the steps to be averaged must be different and lie in 1..{recipe.steps}, got {averaged}")


def train_step(recipe, state):
    """Make one update. Returns its entry for the curve: step, loss, lr and norm, the length of the gradient.

    The state keeps what the model returned until the next step has its own. These arrays lie above the memory in which
    the step worked, and while they are there, glibc does not give that back to the system: asking for it again, page by
    page, took a fifth of a step of the reversal task. After a step that is averaged, theta is added to state.total.

    Raises FloatingPointError where the loss or the gradient is not finite; then no parameter has changed.
    """
    step = state.step + 1
    batch = recipe.batch(state.rngs["batches"])
    drop = dropout.training(recipe.dropout, state.rngs["dropout"]) if recipe.dropout else dropout.EVALUATION
    loss, state.found = recipe.loss(state.params, batch, drop)
    if not math.isfinite(loss):
        raise FloatingPointError(f"the loss is {loss}: look for inf or NaN in the model, or lower the learning rate")
    assign(state.grads, state.found)
    g, norm = clip_by_global_norm(state.g, recipe.limit)
    lr = recipe.rate(step)
    state.update(state.theta, g, state.moments, lr)
    state.step = step
    if step in recipe.averaged:
        state.total += state.theta
    return {"step": step, "loss": float(loss), "lr": lr, "norm": norm}


def training(recipe, state):
    """Step by step to the end of the recipe: yields the entry of each step, while the state is whole.

    The curve gets the first FIRST steps, then those that are measured, whose entries hold the measures as well. Raises
    FloatingPointError, with the step, where the training diverges.
    """
    while state.step < recipe.steps:
        try:
            entry = train_step(recipe, state)
        except FloatingPointError as error:
            raise FloatingPointError(f"step {state.step + 1}: {error}") from None
        due = state.step % recipe.measured_every == 0 or state.step == recipe.steps
        if due:
            check_finite(state)
            entry |= measured_by(recipe, state.params, state.step)
        if due or state.step <= FIRST:
            state.curve.append(entry)
        yield entry


def check_finite(state):
    """Raises FloatingPointError where a parameter is not finite: the loss would only show it at the next step."""
    if not np.isfinite(state.theta).all():
        raise FloatingPointError(f"step {state.step}: parameters became inf or NaN: lower the learning rate")


def measured_by(recipe, params, step):
    """What the recipe measures. Raises FloatingPointError for a measure that is not finite: a record cannot hold it."""
    measures = recipe.measure(params)
    for name, value in measures.items():
        if not math.isfinite(value):
            raise FloatingPointError(f"step {step}: {name.replace('_', ' ')} is {value}: lower the learning rate")
    return measures


def result(recipe, state):
    """The parameters of the trained model, by name: after the last step, or the mean of those of recipe.averaged.

    The paper averages its last five checkpoints (Vaswani et al. 2017, section 6.1): where the rate is still high at the
    end, the parameters jump about a good place, and their mean lies nearer to it than any of them. Raises ValueError
    where a step of recipe.averaged has not been made: then there is no such mean yet.
    """
    if state.step < max(recipe.averaged, default=0):
        raise ValueError(f"the model is the mean of the parameters after the steps {recipe.averaged}, and only "
                         f"{state.step} steps were made: go on training, or leave out the average")
    theta, params = allocate(shapes_of(state.params), state.theta.dtype)
    theta[:] = state.total / len(recipe.averaged) if recipe.averaged else state.theta
    return params
