"""Central differences: the gradient of a function, measured instead of derived."""

import numpy as np


def numerical_gradient(f, x, h=1e-5):
    """Gradient of the scalar f(x) by central differences, (f(x + h) - f(x - h)) / (2 h) for each entry.

    f: function of one array. x: float64 array of any shape; it is not changed. h: the step, in the units of x.
    Returns an array of the shape of x. The error is of the order of h squared, plus round-off of the order of
    1e-16 |f| / h. Raises TypeError for other dtypes, in which the differences would drown in round-off.
    """
    if x.dtype != np.float64:
        raise TypeError(f"central differences need float64, got {x.dtype}: convert the input first")
    gradient = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        ahead, behind = x.copy(), x.copy()
        ahead[index] += h
        behind[index] -= h
        gradient[index] = (f(ahead) - f(behind)) / (2 * h)
    return gradient


def relative_error(a, b):
    """Largest |a - b| over the largest magnitude in a and b; 0 if both are 0. a, b: arrays of one shape."""
    if np.shape(a) != np.shape(b):
        raise ValueError(f"compared arrays must have one shape, got {np.shape(a)} and {np.shape(b)}")
    size = max(np.max(np.abs(a), initial=0), np.max(np.abs(b), initial=0))
    return float(np.max(np.abs(a - b), initial=0) / size) if size else 0.0
