"""The functions that need no formula of their own, entry by entry."""

import math
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np


def of_numbers(function: Callable) -> Callable:
    """``function`` of two arrays where both are numbers; not a number elsewhere, also where NumPy says 1 or True."""
    return lambda a, b: np.where(np.isnan(a) | np.isnan(b), np.nan, function(a, b))


FUNCTIONS: Mapping[str, Callable] = {
    "exp": np.exp, "log": np.log, "ln": np.log, "sin": np.sin, "cos": np.cos, "tan": np.tan, "sinh": np.sinh,
    "cosh": np.cosh, "tanh": np.tanh, "arctan": np.arctan, "sign": np.sign, "abs": np.abs, "floor": np.floor,
    "ceil": np.ceil, "erf": np.vectorize(math.erf, otypes=[float]),
}  # fmt: skip
EXTREMES: Mapping[str, Callable] = {"max": np.maximum, "min": np.minimum}
REDUCTIONS: Mapping[str, tuple[Callable, float]] = {  # with the value of an excluded entry
    "sum": (np.sum, 0.0),
    "prod": (np.prod, 1.0),
    "max": (partial(np.max, initial=-np.inf), -np.inf),
    "min": (partial(np.min, initial=np.inf), np.inf),
    "argmax": (np.argmax, -np.inf),
    "argmin": (np.argmin, np.inf),
}
MOMENTS = ("mean", "var")  # over several indices at once
POWER = of_numbers(np.power)
RELATIONS: Mapping[str, Callable] = {  # 1 or 0 each
    "=": of_numbers(np.equal), "!=": of_numbers(np.not_equal), "<": of_numbers(np.less), ">": of_numbers(np.greater),
    "<=": of_numbers(np.less_equal), ">=": of_numbers(np.greater_equal),
}  # fmt: skip
