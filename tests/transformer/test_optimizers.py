"""Adam, AdamW and clipping."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from transformer.optimizers import adam_state, adam_step, adamw_step, clip_by_global_norm
from transformer.parameters import allocate, decay_mask


def by_hand(theta, gradients, lr, beta1, beta2, eps, decay=0.0):
    """The algorithm for one number, written out."""
    m = v = 0.0
    path = []
    for t, g in enumerate(gradients, start=1):
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g ** 2
        m_hat, v_hat = m / (1 - beta1 ** t), v / (1 - beta2 ** t)
        theta = theta - lr * (m_hat / (math.sqrt(v_hat) + eps) + decay * theta)
        path.append(theta)
    return path


def test_row_E31_three_steps_of_adam():
    """Different gradients at each step and entry, and an eps that matters: it is added after the root."""
    start, settings = [0.5, -1.0, 2.0], {"lr": 0.1, "beta1": 0.8, "beta2": 0.95, "eps": 0.3}
    gradients = np.array([[1.0, -2.0, 0.1], [-3.0, 0.5, 0.1], [0.2, 0.0, -4.0]])
    expected = [by_hand(x, gradients[:, i], **settings) for i, x in enumerate(start)]
    theta = np.array(start)
    state = adam_state(theta)
    for t in range(3):
        adam_step(theta, gradients[t], state, **settings)
        assert_allclose(theta, [path[t] for path in expected], rtol=1e-14)
        assert state["t"] == t + 1


def test_row_E31_three_steps_by_numbers():
    """theta 1, gradients 2, -1, 3, rate 0.1, beta 0.9 and 0.999: the moments and the parameter, worked out apart."""
    theta = np.array([1.0])
    state = adam_state(theta)
    adam_step(theta, np.array([2.0]), state, lr=0.1)
    assert_allclose([state["m"][0], state["v"][0], theta[0]], [0.2, 0.004, 0.9], rtol=1e-8)
    adam_step(theta, np.array([-1.0]), state, lr=0.1)
    # m = 0.08, m_hat = 0.08 / 0.19; v = 0.004996, v_hat = 0.004996 / 0.001999
    assert_allclose([state["m"][0], state["v"][0]], [0.08, 0.004996], rtol=1e-14)
    assert_allclose(theta[0], 0.9 - 0.1 * (0.08 / 0.19) / math.sqrt(0.004996 / 0.001999), rtol=1e-8)
    second = theta[0]
    adam_step(theta, np.array([3.0]), state, lr=0.1)
    # m = 0.372, m_hat = 0.372 / 0.271; v = 0.013991004, v_hat = 0.013991004 / 0.002997001
    assert_allclose([state["m"][0], state["v"][0]], [0.372, 0.013991004], rtol=1e-14)
    assert_allclose(theta[0], second - 0.1 * (0.372 / 0.271) / math.sqrt(0.013991004 / 0.002997001), rtol=1e-8)


def test_row_E31_the_first_step_is_the_rate_times_the_sign():
    """For gradients far above eps."""
    theta = np.zeros(4)
    adam_step(theta, np.array([1e-3, -1e-3, 50.0, -1e4]), adam_state(theta), lr=0.01)
    assert_allclose(theta, [-0.01, 0.01, -0.01, 0.01], rtol=1e-4)


def test_row_E31_the_bias_correction_fades():
    """Under one constant gradient every step is the rate. With t stuck at 7 all later steps would be 0.70 of it."""
    assert f"{math.sqrt(1 - 0.98 ** 7) / (1 - 0.9 ** 7):.2f}" == "0.70"
    theta = np.zeros(1)
    state = adam_state(theta)
    for t in range(1, 301):
        adam_step(theta, np.array([3.0]), state, lr=0.01, beta2=0.98)
        assert_allclose(theta, [-0.01 * t], rtol=1e-7)


def test_row_E30_one_update_counts_once_for_all_parameters():
    vector, views = allocate({"a": (2, 3), "b": (4,)})
    state = adam_state(vector)
    for _ in range(5):
        adam_step(vector, np.ones(10), state, lr=0.1)
    assert state["t"] == 5
    assert_allclose(views["a"], np.full((2, 3), -0.5), rtol=1e-7)
    assert_allclose(views["b"], np.full(4, -0.5), rtol=1e-7)


def test_row_E32_only_matrices_decay_and_the_groups_add_up():
    vector, views = allocate({"wq": (3, 4), "bq": (4,), "gamma": (4,), "beta": (4,), "E": (5, 4)})
    vector[:] = np.arange(1.0, vector.size + 1)
    mask = decay_mask(views)
    groups = {name: view.size for name, view in views.items()}
    assert mask.sum() == groups["wq"] + groups["E"] and (1 - mask).sum() == sum(groups.values()) - mask.sum()
    before = vector.copy()
    adamw_step(vector, np.zeros(vector.size), adam_state(vector), 0.1, 0.5, mask)
    assert_allclose(vector, before * np.where(mask == 1, 1 - 0.1 * 0.5, 1), rtol=1e-14)
    assert_array_equal(views["gamma"], before[16:20])


def test_row_E32_the_decay_is_decoupled():
    """It moves the parameter beside Adam's step and enters no moment; within the gradient it would be rescaled."""
    gradients, settings = [0.5, -0.2, 0.1], {"lr": 0.1, "beta1": 0.8, "beta2": 0.95, "eps": 1e-8}
    theta, plain = np.array([2.0]), np.array([2.0])
    state, plain_state = adam_state(theta), adam_state(plain)
    for t, g in enumerate(gradients):
        adamw_step(theta, np.array([g]), state, decay=0.3, decayed=np.ones(1), **settings)
        adam_step(plain, np.array([g]), plain_state, **settings)
        assert_allclose(theta, [by_hand(2.0, gradients, **settings, decay=0.3)[t]], rtol=1e-14)
    assert_array_equal(state["m"], plain_state["m"])
    assert_array_equal(state["v"], plain_state["v"])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_updates_happen_in_place_and_keep_the_dtype(dtype):
    theta, g = np.linspace(-1, 1, 6, dtype=dtype), np.linspace(2, 3, 6, dtype=dtype)
    state = adam_state(theta)
    arrays = {"theta": theta, **state}
    view, kept = theta[:3], g.copy()
    adam_step(theta, g, state, lr=0.1)
    adamw_step(theta, g, state, 0.1, 0.01, np.ones(6, dtype))
    assert all(state[name] is arrays[name] for name in ("m", "v", "t")) and state["t"].shape == ()
    assert {array.dtype for array in (theta, state["m"], state["v"])} == {np.dtype(dtype)}
    assert view[0] == theta[0] != -1
    assert_array_equal(g, kept)
    clipped, norm = clip_by_global_norm(g, 1.0)
    assert clipped.dtype == dtype and isinstance(norm, float)


def test_a_state_that_was_stored_continues_bit_for_bit():
    rng = np.random.default_rng(0)
    theta, gradients = rng.normal(size=5), rng.normal(size=(6, 5))
    state = adam_state(theta)
    other, stored = theta.copy(), None
    for g in gradients:
        adam_step(theta, g, state, lr=0.1)
    first = adam_state(other)
    for t, g in enumerate(gradients):
        if t == 3:
            stored = {name: np.array(value) for name, value in first.items()}  # as a file would give it back
        adam_step(other, g, stored or first, lr=0.1)
    assert_array_equal(other, theta)


# --- clipping --------------------------------------------------------------------------------------------------------


def test_a_long_gradient_is_shortened_and_keeps_its_direction():
    g = np.array([3.0, -4.0, 12.0])  # length 13
    clipped, norm = clip_by_global_norm(g, 2.6)
    assert norm == 13
    assert_allclose(clipped, g / 5, rtol=1e-15)
    assert_allclose(np.linalg.norm(clipped), 2.6, rtol=1e-15)
    assert_array_equal(g, [3, -4, 12])


@pytest.mark.parametrize("g", [np.array([0.3, 0.4]), np.zeros(3)])
def test_a_short_gradient_stays_as_it_is(g):
    clipped, norm = clip_by_global_norm(g, 0.5)
    assert_array_equal(clipped, g)
    assert norm == np.linalg.norm(g)


@pytest.mark.parametrize("wrong", [np.inf, -np.inf, np.nan])
def test_a_gradient_that_is_not_finite_is_refused(wrong):
    with pytest.raises(FloatingPointError, match="the norm of the gradient is (inf|nan)"):
        clip_by_global_norm(np.array([1.0, wrong]), 1.0)


@pytest.mark.parametrize("limit", [0, -1.0, math.nan])
def test_a_limit_that_is_no_length_is_refused(limit):
    """A negative one would turn the gradient round, and NaN would spread to every parameter."""
    with pytest.raises(ValueError, match=f"a positive length, got the limit {limit}"):
        clip_by_global_norm(np.array([3.0, 4.0]), limit)


@pytest.mark.parametrize(("dtype", "size"), [(np.float16, 1e3), (np.float32, 1e20), (np.float64, 1e200)])
def test_a_gradient_whose_squares_overflow_is_clipped_all_the_same(dtype, size):
    g = (np.array([3, -4, 12]) * size).astype(dtype)
    with np.errstate(over="raise", invalid="raise"):
        clipped, norm = clip_by_global_norm(g, 2.6)
    assert clipped.dtype == dtype and isinstance(norm, float)
    assert_allclose(norm, 13 * size, rtol=1e-3 if dtype == np.float16 else 1e-6)
    assert_allclose(clipped, [0.6, -0.8, 2.4], rtol=2e-3 if dtype == np.float16 else 1e-6)


def test_the_decay_is_multiplied_by_the_rate_as_in_pytorch():
    """With the paper's lambda = lr decay, that is decay = lambda / alpha at eta 1: a zero gradient shows it alone."""
    theta = np.array([2.0])
    adamw_step(theta, np.zeros(1), adam_state(theta), lr=0.1, decay=0.3, decayed=np.ones(1))
    assert_allclose(theta, [2.0 - 0.1 * 0.3 * 2.0], rtol=1e-15)


def test_float16_parameters_are_refused():
    """The square of 0.0001 is 0 in float16, and so is eps: Adam would divide by 0."""
    with pytest.raises(ValueError, match="Adam needs float32 or float64 parameters"):
        adam_state(np.ones(3, np.float16))
