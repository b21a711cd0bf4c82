"""Learning rates by step. Steps count updates from 1: the first update uses the rate of step 1."""

import math


def check_step(step):
    """ValueError for step 0 or below: the rates start with step 1."""
    if step < 1:
        raise ValueError(f"steps are counted from 1, got {step}: the first update is step 1")


def warmup_inverse_root(step, d, warmup):
    """d^(-1/2) min(step^(-1/2), step warmup^(-3/2)) (Vaswani et al. 2017, eq. 3).

    Proportional to the step up to ``warmup``, where it peaks at (d warmup)^(-1/2); then it falls with the root of the
    step. d: the width of the model. With warmup 1 there is none. ValueError unless d and warmup are positive.
    """
    check_step(step)
    if not (d > 0 and warmup > 0):
        raise ValueError(f"width and warm-up must be positive, got d = {d}, warmup = {warmup}: warmup = 1 is none")
    return d ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)


def warmup_cosine(step, peak, warmup, total, floor=0.0):
    """Proportional to the step up to ``peak`` at ``warmup``, then falls along half a cosine to ``floor`` at ``total``.

    It stays there after ``total`` (Loshchilov and Hutter 2017, eq. 5, without restarts). So with floor 0 the update of
    step ``total`` changes nothing: for n updates that all learn, give total = n + 1. warmup may be 0. ValueError
    unless 0 <= warmup < total and 0 <= floor <= peak.
    """
    check_step(step)
    if not 0 <= warmup < total:
        raise ValueError(f"the warm-up must end before the last step: warmup {warmup}, total {total}")
    if not 0 <= floor <= peak:
        raise ValueError(f"the rate falls from peak to floor: peak {peak}, floor {floor}")
    if step <= warmup:
        return peak * step / warmup
    progress = min(1.0, (step - warmup) / (total - warmup))
    return floor + (peak - floor) * 0.5 * (1 + math.cos(math.pi * progress))
