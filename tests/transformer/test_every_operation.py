"""What holds of every operation of the package, on the calls of sample_calls.py."""

import ast
import copy
import math
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.transformer.checks import LIMIT, check_gradient
from tests.transformer.recording import variables_of
from tests.transformer.sample_calls import B, Sample, cast, gradients, samples, value_of, with_value
from transformer.gradcheck import numerical_gradient, relative_error

SAMPLES = samples()
DIFFERENTIABLE = [name for name, sample in SAMPLES.items() if sample.backward]
ROW_WISE = [name for name in DIFFERENTIABLE if SAMPLES[name].batched]


def is_key_bias(name):
    """Its gradient is 0 in theory: central differences measure round-off alone."""
    return name.rpartition(".")[2] == "bk"


def measured(sample, name, dy):
    """The gradient of sum(y dy) on one argument by central differences."""
    return numerical_gradient(lambda moved: float(np.sum(sample.call(**with_value(sample, name, moved))[0] * dy)),
                              value_of(sample, name))


# --- gradients -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_every_gradient_equals_central_differences(name):
    sample = SAMPLES[name]
    dy = sample.dy()
    named = gradients(sample, dy, sample.call()[1])
    worst = 0.0
    for argument, gradient in named.items():
        if not is_key_bias(argument):
            numeric = measured(sample, argument, dy)
            worst = max(worst, check_gradient(f"{name}: {argument}", gradient, numeric))
    print(f"{name}: gradients of {', '.join(named)}, largest relative error {worst:.1e}")


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_every_float_argument_has_a_gradient(name):
    """Except the tables of rotary positions, which are not learned. No argument can be forgotten by its backward."""
    sample = SAMPLES[name]
    arrays = {key: value for key, value in sample.args.items() if key != "params"} | sample.args.get("params", {})
    floats = {key for key, value in arrays.items() if isinstance(value, np.ndarray) and value.dtype.kind == "f"}
    assert floats - {"cosine", "sine"} == set(gradients(sample, sample.dy(), sample.call()[1]))


def mutants(function):
    """(description, changed function) for each term or factor that is left out of a backward, bug row A6."""
    path = Path(function.__code__.co_filename)
    tree = next(node for node in ast.parse(path.read_text(encoding="utf-8")).body
                if getattr(node, "name", None) == function.__name__)
    places = [node for node in ast.walk(tree) if isinstance(node, ast.BinOp)
              and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div))]
    for number in range(len(places)):
        for side in ("left", "right"):
            changed = copy.deepcopy(tree)
            node = [n for n in ast.walk(changed) if isinstance(n, ast.BinOp)
                    and isinstance(n.op, (ast.Add, ast.Sub, ast.Mult, ast.Div))][number]
            before, kept = ast.unparse(node), getattr(node, side)
            Replace(node, kept).visit(changed)
            module = ast.fix_missing_locations(ast.Module([changed], []))
            names = dict(function.__globals__)
            exec(compile(module, str(path), "exec"), names)
            yield f"{before} -> {ast.unparse(kept)}", names[function.__name__]


class Replace(ast.NodeTransformer):
    """One node of a tree by another."""

    def __init__(self, old, new):
        self.old, self.new = old, new

    def generic_visit(self, node):
        return self.new if node is self.old else super().generic_visit(node)

    visit_BinOp = generic_visit


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_row_A6_a_term_or_factor_left_out_of_a_backward_is_noticed(name):
    """Each operand of + - * / is dropped in turn; the gradient check must fail, or the backward break."""
    sample = SAMPLES[name]
    dy, cache = sample.dy(), sample.call()[1]
    numeric = {argument: measured(sample, argument, dy) for argument in gradients(sample, dy, cache)}
    survivors, changes = [], list(mutants(sample.backward))
    for description, backward in changes:
        changed = Sample(sample.forward, sample.args, sample.sizes, sample.dots, backward)
        try:
            found = gradients(changed, dy, cache)
            same = all(relative_error(np.asarray(found[argument]), numeric[argument]) < LIMIT
                       for argument in found if not is_key_bias(argument))
        except (ValueError, TypeError, AttributeError, IndexError):
            same = False  # the shapes or types no longer fit
        if same:
            survivors.append(description)
    print(f"{name}: {len(changes)} terms and factors left out, {len(survivors)} not noticed")
    assert not survivors, f"{name}: not noticed: {'; '.join(survivors)}"


# --- dtypes, inputs, leading axes ------------------------------------------------------------------------------------


def floats(value, name=""):
    """(name, dtype) of each float array in nested tuples, lists and dictionaries."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, tuple | list) else None
    if parts is not None:
        return [pair for key, part in parts for pair in floats(part, f"{name}[{key!r}]")]
    is_float = isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind == "f"
    return [(name, value.dtype)] if is_float else []


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_every_variable_has_the_dtype_of_the_input(name, dtype):
    sample = SAMPLES[name].as_dtype(dtype)
    dy = sample.dy()
    result, forward = variables_of(sample.forward, *copy.deepcopy(sample.args).values())
    gradient, backward = variables_of(sample.backward, dy, result[1])
    found = floats(forward) + floats(backward) + floats(result, "result") + floats(gradient, "gradient")
    wrong = [f"{variable} is {kind}" for variable, kind in found if kind != dtype]
    assert len(found) > 3 and not wrong, f"{name} of {np.dtype(dtype)}: {', '.join(wrong)}"


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_single_precision_agrees_with_double(name):
    """To a few hundred roundings of float32, so that nothing cancels and nothing is computed from other numbers."""
    double = SAMPLES[name]
    single = double.as_dtype(np.float32)
    dy = double.dy()
    y, cache = double.call()
    y32, cache32 = single.call()
    assert_allclose(y32, y, rtol=2e-5, atol=2e-5 * np.abs(y).max())
    found = gradients(single, dy if isinstance(dy, float) else dy.astype(np.float32), cache32)
    exact = gradients(double, dy, cache)
    for argument, gradient in exact.items():
        sized = f"{argument[:-1]}q" if is_key_bias(argument) else argument  # round-off of the size of the query bias
        size = max(np.abs(exact[sized]).max(), 1e-1)
        assert_allclose(found[argument], gradient, rtol=2e-5, atol=2e-5 * size, err_msg=f"{name}: {argument}")


@pytest.mark.parametrize("name", SAMPLES)
def test_inputs_are_unchanged(name):
    """Neither the forward nor the backward writes into its arguments, the upstream gradient included."""
    sample = SAMPLES[name]
    args = copy.deepcopy(sample.args)
    result = sample.forward(**args)
    before = [copy.deepcopy(part) for part in (args, result)]
    if sample.backward:
        dy = sample.dy()
        dy_before = copy.deepcopy(dy)
        sample.backward(dy, result[1])
        assert_array_equal(dy, dy_before)
    for (label, part), kept in zip((("arguments", args), ("results and cache", result)), before, strict=True):
        assert_same(part, kept, f"{name}: {label}")
    assert_same({k: v for k, v in args.items() if k != "rng"},
                {k: v for k, v in sample.args.items() if k != "rng"}, f"{name}: arguments")


def assert_same(value, kept, what):
    if isinstance(value, dict):
        for key in value:
            assert_same(value[key], kept[key], f"{what}[{key!r}]")
    elif isinstance(value, tuple | list):
        for index, (part, other) in enumerate(zip(value, kept, strict=True)):
            assert_same(part, other, f"{what}[{index}]")
    elif isinstance(value, np.ndarray):
        assert_array_equal(value, kept, strict=True, err_msg=what)


@pytest.mark.parametrize("name", ROW_WISE)
def test_a_batch_gives_what_its_sequences_give_one_by_one(name):
    """(B, T, d) and (T, d) run the same lines: outputs and input gradients are stacked, those of parameters add up."""
    sample = SAMPLES[name]
    dy = sample.dy()
    y, cache = sample.call()
    together = gradients(sample, dy, cache)
    alone = []
    for n in range(B):
        y_n, cache_n = sample.call(**{key: sample.args[key][n] for key in sample.batched})
        assert_allclose(y_n, y[n], rtol=1e-12, atol=1e-13, strict=True)
        alone.append(gradients(sample, dy[n], cache_n))
    for argument, gradient in together.items():
        parts = [found[argument] for found in alone]
        expected = np.stack(parts) if argument in sample.batched else sum(parts)
        assert_allclose(gradient, expected, rtol=1e-11, atol=1e-12, strict=True, err_msg=f"{name}: {argument}")


def test_samples_can_be_cast_without_losing_integers():
    args = {"ids": np.arange(3), "params": {"w": np.ones(2)}, "p": 0.5}
    changed = cast(args, np.float32)
    assert changed["ids"].dtype == np.arange(3).dtype and changed["params"]["w"].dtype == np.float32
    assert math.isclose(changed["p"], 0.5)
