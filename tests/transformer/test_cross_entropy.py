"""Cross entropy, with ignored targets and with label smoothing."""

import json
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.page_numbers import DATA
from tests.transformer.checks import check_by_differences
from transformer.cross_entropy import (cross_entropy_backward, cross_entropy_forward, number_of_targets,
                                       smoothed_cross_entropy_backward, smoothed_cross_entropy_forward, smoothing_floor)
from transformer.optimizers import adam_state, adam_step

LESSON = json.loads((DATA / "lesson_numbers.json").read_text(encoding="utf-8"))
PAD = 0
EPS = 0.1
PLAIN = (cross_entropy_forward, cross_entropy_backward, ())
SMOOTHED = (smoothed_cross_entropy_forward, smoothed_cross_entropy_backward, (EPS,))
both = pytest.mark.parametrize(("forward", "backward", "more"), [PLAIN, SMOOTHED], ids=["plain", "smoothed"])


def sample(B=2, T=4, V=7):
    """Logits with tied entries, at the target among others, and targets that repeat, some of them padding."""
    rng = np.random.default_rng(3)
    logits = rng.normal(size=(B, T, V))
    targets = rng.integers(1, V, (B, T))
    targets[0, 1] = targets[0, 0]
    targets[0, 3] = targets[1, 2] = PAD
    logits[0, 0, 5] = logits[0, 0, targets[0, 0]]
    logits[1, 0] = 0.25
    return logits, targets


@both
@pytest.mark.parametrize("shape", [(1, 4), (2, 1), (4,), (), (2, 4, 1), (1, 2, 4)])
def test_targets_of_another_shape_are_refused(forward, backward, more, shape):
    """NumPy would take one target for several rows, and the sum of their losses be divided by the fewer targets."""
    logits, _ = sample()
    with pytest.raises(ValueError, match=r"need targets of the shape \(2, 4\), got"):
        forward(logits, np.ones(shape, int), PAD, *more)


def distribution(target, V, eps):
    """The smoothed target: eps / V for every token, and 1 - eps more for the right one."""
    return [(1 - eps) * (v == target) + eps / V for v in range(V)]


def definition(logits, targets, ignore, eps=0.0):
    """The mean over real targets of -sum_v q_v log p_v, by loops."""
    total, count = 0.0, 0
    for index in np.ndindex(targets.shape):
        if targets[index] == ignore:
            continue
        Z = math.fsum(math.exp(number) for number in logits[index])
        q = distribution(targets[index], logits.shape[-1], eps)
        total -= math.fsum(q_v * (number - math.log(Z)) for q_v, number in zip(q, logits[index], strict=True))
        count += 1
    return total / count


@both
def test_the_loss_is_the_definition(forward, backward, more):
    logits, targets = sample()
    loss, _ = forward(logits, targets, PAD, *more)
    assert_allclose(loss, definition(logits, targets, PAD, *more), rtol=1e-13)


@both
def test_row_D29_gradient_with_ties_batches_padding_and_repeated_targets(forward, backward, more):
    """(p - q) / N, once: the raw gradient is compared, since Adam would hide a wrong scale."""
    logits, targets = sample()
    _, cache = forward(logits, targets, PAD, *more)
    dlogits = backward(-1.7, cache)
    check_by_differences("logits", dlogits, lambda moved: -1.7 * float(forward(moved, targets, PAD, *more)[0]), logits)
    real = targets != PAD
    expected = np.zeros(logits.shape)
    for index in np.ndindex(targets.shape):
        if real[index]:
            Z = sum(math.exp(number) for number in logits[index])
            q = distribution(targets[index], logits.shape[-1], *(more or (0.0,)))
            for v, number in enumerate(logits[index]):
                expected[*index, v] = -1.7 * (math.exp(number) / Z - q[v]) / real.sum()
    assert_allclose(dlogits, expected, rtol=1e-12, atol=1e-15, strict=True)


def test_row_D29_numbers():
    """Row (5, 2, 3) with target 0, one of four: (-0.0781, 0.0210, 0.0571). A tied logit changes no target."""
    logits = np.tile([5.0, 2.0, 3.0], (4, 1))
    logits[1:] = [[1, 5, 2], [0, 0, 0], [2, 2, 1]]  # the second row holds the first row's target logit elsewhere
    loss, cache = cross_entropy_forward(logits, np.array([0, 2, 1, 0]), -1)
    dlogits = cross_entropy_backward(1, cache)
    assert [f"{number * 2:.4f}" for number in dlogits[0]] == ["-0.0781", "0.0210", "0.0571"]
    one, _ = cross_entropy_forward(logits[:1], np.array([0]), -1)
    assert f"{one:.4f}" == "0.1698"


@both
def test_row_D25_ignored_is_a_value_and_not_a_position(forward, backward, more):
    """ignore=-1 leaves out targets that are -1; the last position counts like any other."""
    logits, targets = sample()
    marked = np.where(targets == PAD, -1, targets)
    loss, _ = forward(logits, marked, -1, *more)
    assert loss == forward(logits, targets, PAD, *more)[0]
    last = logits.copy()
    last[1, -1] += np.arange(7.0)
    assert forward(last, marked, -1, *more)[0] != loss


@both
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_row_D25_all_targets_ignored_gives_zero_loss_and_gradient(forward, backward, more, dtype):
    logits = sample()[0].astype(dtype)
    with np.errstate(all="raise"):
        loss, cache = forward(logits, np.full((2, 4), PAD), PAD, *more)
        dlogits = backward(1, cache)
    assert loss == 0 and loss.dtype == dtype
    assert_array_equal(dlogits, np.zeros_like(logits), strict=True)


@both
def test_row_D24_batches_without_padding_and_of_padding_alone(forward, backward, more):
    logits, targets = sample()
    full = np.where(targets == PAD, 1, targets)
    loss, cache = forward(logits, full, PAD, *more)
    assert_allclose(loss, definition(logits, full, PAD, *more), rtol=1e-13)
    assert (np.abs(backward(1, cache)).sum(axis=-1) > 0).all()
    assert forward(logits[:, :0], full[:, :0], PAD, *more)[0] == 0  # an empty batch has nothing to learn from


@both
def test_padding_changes_neither_the_loss_nor_the_gradients_of_real_rows(forward, backward, more):
    logits, targets = sample()
    garbage = logits.copy()
    garbage[targets == PAD] = 1e4 * np.random.default_rng(0).normal(size=(2, 7))
    longer = np.concatenate([garbage, 50 * garbage[:, :1]], axis=1)
    padded = np.concatenate([targets, np.full((2, 1), PAD)], axis=1)
    loss, cache = forward(logits, targets, PAD, *more)
    longer_loss, longer_cache = forward(longer, padded, PAD, *more)
    assert loss == longer_loss
    dlogits, longer_dlogits = backward(1, cache), backward(1, longer_cache)
    assert_array_equal(longer_dlogits[:, :4][targets != PAD], dlogits[targets != PAD])
    assert not longer_dlogits[padded == PAD].any()


@both
@pytest.mark.parametrize("value", [-np.inf, np.inf, np.nan])
def test_what_an_ignored_row_holds_changes_nothing_be_it_infinite_or_nan(forward, backward, more, value):
    logits, targets = sample()
    loss, cache = forward(logits, targets, PAD, *more)
    spoilt = logits.copy()
    spoilt[0, 3], spoilt[1, 2, 4] = value, value  # a whole row, and one entry of another
    with np.errstate(invalid="ignore"):
        spoilt_loss, spoilt_cache = forward(spoilt, targets, PAD, *more)
        dlogits = backward(-1.7, spoilt_cache)
    assert spoilt_loss == loss
    assert_array_equal(dlogits, backward(-1.7, cache))
    assert not dlogits[targets == PAD].any()


@both
def test_the_mean_over_many_targets_does_not_overflow_in_float16(forward, backward, more):
    """9,000 losses of about 8 nats sum to 72,000, beyond the largest number of float16, 65,504."""
    logits, targets = np.tile(np.array([8, 0, 0.25], np.float16), (9000, 1)), np.ones(9000, int)
    with np.errstate(over="raise", invalid="raise"):
        loss, cache = forward(logits, targets, PAD, *more)
        dlogits = backward(1, cache)
    exact, exact_cache = forward(logits.astype(np.float64), targets, PAD, *more)
    assert 9000 * exact > 65504 and loss.dtype == dlogits.dtype == np.float16
    assert_allclose(loss, exact, rtol=1e-3)
    assert_allclose(dlogits, backward(1, exact_cache), atol=1e-7)


def test_row_D26_the_mean_counts_real_targets_only():
    """The same eight rows in batches of 1, 4 and 8: sums of losses over numbers of targets give one number."""
    rng = np.random.default_rng(0)
    logits, targets = rng.normal(size=(8, 5, 7)), rng.integers(1, 7, (8, 5))
    for row, length in enumerate([5, 1, 3, 2, 5, 4, 1, 2]):
        targets[row, length:] = PAD
    means = []
    for size in (1, 4, 8):
        parts = [(cross_entropy_forward(logits[i:i + size], targets[i:i + size], PAD)[0],
                  number_of_targets(targets[i:i + size], PAD)) for i in range(0, 8, size)]
        means.append(sum(loss * n for loss, n in parts) / sum(n for _, n in parts))
    assert_allclose(means, [definition(logits, targets, PAD)] * 3, rtol=1e-14)
    one_real = np.array([[3, PAD]])
    alone, _ = cross_entropy_forward(np.tile([5.0, 2, 3, 0.5], (1, 1, 1)), np.array([[1]]), PAD)
    padded, _ = cross_entropy_forward(np.tile([5.0, 2, 3, 0.5], (1, 2, 1)), np.array([[1, PAD]]), PAD)
    assert_allclose(padded, alone, rtol=1e-15)
    assert number_of_targets(one_real, PAD) == 1


def test_row_E34_logits_of_any_size_neither_overflow_nor_lose_digits():
    logits = np.array([[1000.0, 0.0], [-1000.0, -1001.0], [1e300, -1e300]])
    with np.errstate(over="raise", invalid="raise"):
        loss, cache = cross_entropy_forward(logits, np.array([0, 1, 0]), -1)
        assert np.isfinite(cross_entropy_backward(1, cache)).all()
    assert_allclose(3 * loss, math.log(1 + math.e), rtol=1e-15)
    single = np.array([[1e4, 1e4 - 1]], np.float32)
    assert abs(cross_entropy_forward(single, np.array([0]), -1)[0] - math.log(1 + math.exp(-1))) < 1e-7


def test_row_B13_equal_logits_cost_the_logarithm_of_the_vocabulary():
    for V, printed in ((13, "2.565"), (500, "6.215"), (50257, "10.825")):
        loss, _ = cross_entropy_forward(np.zeros((1, V)), np.array([2]), -1)
        assert f"{loss:.3f}" == printed


# --- label smoothing -------------------------------------------------------------------------------------------------


def test_row_D24_the_convention_shares_eps_over_all_tokens():
    """V = 13, eps = 0.1: 0.9077 and 0.0077, read off the gradient where p is known to be even."""
    _, cache = smoothed_cross_entropy_forward(np.zeros((1, 13)), np.array([4]), -1, EPS)
    q = 1 / 13 - smoothed_cross_entropy_backward(1, cache)[0]
    right, other = LESSON["smoothing.q_right_other"]["printed"]
    assert f"{q[4]:.4f}" == f"{right:.4f}" and {f"{number:.4f}" for number in np.delete(q, 4)} == {f"{other:.4f}"}
    assert abs(q.sum() - 1) < 1e-15


def test_row_D24_the_loss_at_the_target_distribution_is_its_entropy():
    q = np.array([distribution(4, 13, EPS)])
    entropy = -sum(number * math.log(number) for number in q[0])
    loss, cache = smoothed_cross_entropy_forward(np.log(q), np.array([4]), -1, EPS)
    assert_allclose([loss, smoothing_floor(13, EPS)], [entropy, entropy], rtol=1e-14)
    assert np.abs(smoothed_cross_entropy_backward(1, cache)).max() < 1e-15
    assert f"{entropy:.4f}" == "0.5372"
    assert abs(entropy - LESSON["smoothing.floor"]["printed"]) < LESSON["smoothing.floor"]["tolerance"]


def test_being_sure_costs_more_than_the_floor():
    """All of p on the right token, up to 1e-8: the lesson's 1.846 for V = 13. With p = 1 the loss is infinite."""
    sure = LESSON["smoothing.sure"]
    logits = np.zeros((1, 13))
    logits[0, 4] = 20.0
    loss, _ = smoothed_cross_entropy_forward(logits, np.array([4]), -1, EPS)
    assert abs(loss - sure["printed"]) < sure["tolerance"]
    logits[0, :] = -np.inf
    logits[0, 4] = 0.0
    assert smoothed_cross_entropy_forward(logits, np.array([4]), -1, EPS)[0] == np.inf
    assert cross_entropy_forward(logits, np.array([4]), -1)[0] == 0  # 0 log 0 counts as 0


@pytest.mark.parametrize("eps", [0, 1, -0.1, float("nan")])
def test_smoothing_by_nothing_or_by_everything_is_refused(eps):
    with pytest.raises(ValueError, match="0 < eps < 1, got .*: without smoothing, use cross_entropy_forward"):
        smoothed_cross_entropy_forward(np.zeros((1, 3)), np.array([1]), -1, eps)


@both
@pytest.mark.parametrize("wrong", [7, -2])
def test_a_target_outside_the_vocabulary_is_refused(forward, backward, more, wrong):
    logits, targets = sample()
    targets[0, 0] = wrong
    with pytest.raises(ValueError, match=f"ids from 0 to 6 or the ignored value 0, found .*{wrong}"):
        forward(logits, targets, PAD, *more)


def test_descending_the_smoothed_loss_ends_at_its_floor():
    theta = np.zeros(13)
    state = adam_state(theta)
    for _ in range(400):
        loss, cache = smoothed_cross_entropy_forward(theta[None], np.array([4]), -1, EPS)
        adam_step(theta, smoothed_cross_entropy_backward(1, cache)[0], state, lr=0.1)
    assert -1e-15 < loss - smoothing_floor(13, EPS) < 1e-6
