"""Perplexity: the exponential of the mean loss of a real target."""

import math


def mean_over_targets(parts):
    """The mean loss of a real target over several batches.

    parts: for each batch the mean loss of its real targets and their number, such as cross_entropy_forward and
    number_of_targets give them. Padding is in neither, and a batch weighs as many targets as it has, so that the result
    does not depend on how the data were cut into batches. Raises ValueError where there is no real target.
    """
    parts = list(parts)
    count = sum(n for _, n in parts)
    if count == 0:
        raise ValueError("no batch has a real target, so the mean loss is not defined: check data and ignored value")
    return math.fsum(n * float(loss) for loss, n in parts) / count


def perplexity(parts):
    """exp of ``mean_over_targets``; the loss is in nats. Infinity where that is more than a float can hold."""
    try:
        return math.exp(mean_over_targets(parts))
    except OverflowError:
        return math.inf
