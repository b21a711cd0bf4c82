"""Learning rates by step."""

import json
import math

import pytest

from tests.page_numbers import DATA
from transformer.schedules import warmup_cosine, warmup_inverse_root

LESSON = json.loads((DATA / "lesson_numbers.json").read_text(encoding="utf-8"))


def printed(key, value):
    number = LESSON[key]
    assert abs(value - number["printed"]) <= number["tolerance"] * (1 + 1e-9) + 1e-15, f"{key}: {value}"


def test_row_E30_table_of_the_base_model():
    """d = 512, warm-up 4,000: 1.747e-07, 3.494e-07 and so on up to 6.988e-04 at step 4,000."""
    for step in (1, 100, 1000, 4000, 10000, 100000):
        printed(f"lr.base.step{step}", warmup_inverse_root(step, 512, 4000))
    printed("lr.base.step40000_approx", warmup_inverse_root(40000, 512, 4000))
    printed("lr.base.peak", warmup_inverse_root(4000, 512, 4000))
    assert [f"{warmup_inverse_root(step, 512, 4000):.3e}" for step in (1, 2)] == ["1.747e-07", "3.494e-07"]


def test_row_E30_table_of_the_small_model():
    """d = 64, warm-up 400: 0.001563 at 100, 0.00625 at 400, 0.003125 at 1,600. A log one step late shows the next."""
    rates = [f"{warmup_inverse_root(step, 64, 400):.6f}" for step in (100, 400, 1600)]
    assert rates == ["0.001563", "0.006250", "0.003125"]
    printed("lr.toy.peak", warmup_inverse_root(400, 64, 400))
    printed("practice.lr_100", warmup_inverse_root(100, 64, 400))
    printed("practice.lr_1600", warmup_inverse_root(1600, 64, 400))
    printed("practice.lr_100_logged", warmup_inverse_root(101, 64, 400))
    printed("lr.toy.logged_step1", warmup_inverse_root(2, 64, 400))
    for step in (500, 1000, 2000, 3000):
        printed(f"lr.toy.logged_step{step}", warmup_inverse_root(step + 1, 64, 400))


@pytest.mark.parametrize("rate", [lambda step: warmup_inverse_root(step, 512, 4000),
                                  lambda step: warmup_cosine(step, 1e-3, 10, 100)])
def test_row_E30_steps_start_at_one(rate):
    """Step 0 is refused, and no rate of the warm-up comes twice."""
    for step in (0, -1):
        with pytest.raises(ValueError, match=f"counted from 1, got {step}"):
            rate(step)
    rates = [rate(step) for step in range(1, 11)]
    assert len(set(rates)) == 10 and rates == sorted(rates) and rates[0] > 0
    assert rates[1] == pytest.approx(2 * rates[0])


def test_the_peak_of_2017_is_where_both_branches_meet():
    rates = [warmup_inverse_root(step, 64, 400) for step in range(1, 2001)]
    assert rates.index(max(rates)) + 1 == 400
    assert rates[399] == pytest.approx(1 / math.sqrt(64 * 400), rel=1e-15)
    growth = {round((b - a) / rates[0], 9) for a, b in zip(rates[:399], rates[1:400], strict=True)}
    assert growth == {1.0}
    assert all(b < a for a, b in zip(rates[399:], rates[400:], strict=False))


def test_cosine_decay_goes_from_the_peak_to_the_floor():
    """Half way between the ends, half way between the rates; a quarter of the way, the cosine of 45 degrees."""
    def rate(step):
        return warmup_cosine(step, peak=0.02, warmup=20, total=100, floor=0.002)

    assert rate(1) == 0.001 and rate(10) == 0.01 and rate(20) == 0.02
    assert rate(60) == pytest.approx(0.011, rel=1e-14)
    assert rate(40) == pytest.approx(0.002 + 0.018 * (1 + math.sqrt(0.5)) / 2, rel=1e-14)
    assert rate(100) == rate(101) == rate(10_000) == 0.002
    assert all(rate(step + 1) < rate(step) for step in range(20, 100))


def test_cosine_decay_without_warm_up_starts_below_the_peak():
    assert warmup_cosine(1, 1.0, 0, 2) == pytest.approx(0.5) and warmup_cosine(2, 1.0, 0, 2) == 0


@pytest.mark.parametrize(("arguments", "said"), [((0.1, 5, 5), "must end before the last step: warmup 5, total 5"),
                                                 ((0.1, -1, 5), "warmup -1"), ((0.1, 1, 5, 0.2), "peak 0.1, floor 0.2"),
                                                 ((0.1, 1, 5, -0.1), "floor -0.1")])
def test_impossible_schedules_are_refused(arguments, said):
    with pytest.raises(ValueError, match=said):
        warmup_cosine(1, *arguments)


@pytest.mark.parametrize(("d", "warmup"), [(64, 0), (64, -5), (0, 400), (-1, 400), (64, math.nan)])
def test_the_schedule_of_2017_refuses_a_width_or_warm_up_of_nothing(d, warmup):
    with pytest.raises(ValueError, match=f"must be positive, got d = {d}, warmup = {warmup}: warmup = 1 is none"):
        warmup_inverse_root(1, d, warmup)


def test_a_warm_up_of_one_step_is_none():
    assert [warmup_inverse_root(step, 64, 1) for step in (1, 4, 16)] == pytest.approx([1 / 8, 1 / 16, 1 / 32])


@pytest.mark.parametrize("n", [1, 2, 7])
def test_with_a_total_of_one_more_every_update_learns(n):
    """At the total itself the rate is the floor, 0: a run of one update would learn nothing."""
    assert all(warmup_cosine(step, 0.1, 0, n + 1) > 0 for step in range(1, n + 1))
    assert warmup_cosine(n, 0.1, 0, n) == 0
