"""What tests of gradients share."""

from transformer.gradcheck import numerical_gradient, relative_error

LIMIT = 1e-6


def check_gradient(name, gradient, numeric, limit=LIMIT):
    """Compare a gradient with a measured one. Returns the relative error, which the message of a failure states."""
    error = relative_error(gradient, numeric)
    assert error < limit, f"{name}: largest relative error {error:.1e}, allowed {limit:.0e}"
    return error


def check_by_differences(name, gradient, f, x):
    """Compare a gradient with central differences of the scalar f at x, in float64."""
    return check_gradient(name, gradient, numerical_gradient(f, x))
