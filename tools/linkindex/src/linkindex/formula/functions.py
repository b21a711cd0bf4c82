"""The functions that need no formula of their own, entry by entry."""

import math
from collections.abc import Callable, Mapping

import numpy as np

FUNCTIONS: Mapping[str, Callable] = {
    "exp": np.exp,
    "log": np.log,
    "ln": np.log,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "arctan": np.arctan,
    "sign": np.sign,
    "abs": np.abs,
    "floor": np.floor,
    "ceil": np.ceil,
    "erf": np.vectorize(math.erf, otypes=[float]),
}
EXTREMES: Mapping[str, Callable] = {"max": np.maximum, "min": np.minimum}
REDUCTIONS: Mapping[str, tuple[Callable, float]] = {  # with the value of an excluded entry
    "sum": (np.sum, 0.0),
    "prod": (np.prod, 1.0),
    "max": (np.max, -np.inf),
    "min": (np.min, np.inf),
    "argmax": (np.argmax, -np.inf),
    "argmin": (np.argmin, np.inf),
}
RELATIONS: Mapping[str, Callable] = {
    "=": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    ">": np.greater,
    "<=": np.less_equal,
    ">=": np.greater_equal,
}
