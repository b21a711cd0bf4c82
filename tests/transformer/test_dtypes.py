"""The dtype of the input is the dtype of every variable on the way and of every result."""

import numpy as np
import pytest

from tests.transformer.recording import variables_of
from tests.transformer.samples import attention_sample
from transformer.attention import (attention_backward, attention_forward, scaled_dot_product_backward,
                                   scaled_dot_product_forward)
from transformer.init import init_attention
from transformer.linear import linear_backward, linear_forward
from transformer.softmax import softmax_backward, softmax_forward


def floats(value, name=""):
    """(name, dtype) of each array in nested tuples and dictionaries of arrays; masks and indices are left out."""
    if isinstance(value, dict):
        return [pair for key, part in value.items() for pair in floats(part, f"{name}[{key!r}]")]
    if isinstance(value, tuple):
        return [pair for index, part in enumerate(value) for pair in floats(part, f"{name}[{index}]")]
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind == "f":
        return [(name, value.dtype)]
    return []


def runs(dtype):
    """(function, arguments) of every forward and backward, for inputs of this dtype."""
    Xn, params, H, mask, dOut = attention_sample()
    Xn, dOut, params = Xn.astype(dtype), dOut.astype(dtype), {k: v.astype(dtype) for k, v in params.items()}
    yield attention_forward, (Xn, params, H, mask)
    yield attention_backward, (dOut, attention_forward(Xn, params, H, mask)[1])
    yield scaled_dot_product_forward, (Xn, Xn, Xn, mask)
    yield scaled_dot_product_backward, (dOut, scaled_dot_product_forward(Xn, Xn, Xn, mask)[1])
    yield softmax_forward, (Xn,)
    yield softmax_backward, (dOut, softmax_forward(Xn)[1])
    yield linear_forward, (Xn, params["wq"], params["bq"])
    yield linear_backward, (dOut, linear_forward(Xn, params["wq"], params["bq"])[1])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_every_variable_has_the_dtype_of_the_input(dtype):
    for function, args in runs(dtype):
        result, variables = variables_of(function, *args)
        found = floats(variables) + floats(result, "result")
        assert len(found) > 5
        wrong = [f"{name} is {found_dtype}" for name, found_dtype in found if found_dtype != dtype]
        assert not wrong, f"{function.__name__} of {np.dtype(dtype)}: {', '.join(wrong)}"


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_initial_parameters_have_the_dtype_asked_for(dtype):
    assert {found for _, found in floats(init_attention(6, np.random.default_rng(0), dtype))} == {np.dtype(dtype)}
