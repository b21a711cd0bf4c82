"""The benchmarks against PyTorch run, and time two implementations of the same; in tiny sizes, so without figures."""

import math

import pytest

from tests.benchmarks import agreement, decoding, training_step
from tests.benchmarks.cases import DECODING, TRAINING, tiny
from tests.benchmarks.comparison import Row, main, table

QUICK = ["--tiny", "--rounds", "1", "--gap", "0", "--threads", "1"]


@pytest.fixture(scope="module", autouse=True)
def torch(not_run):
    """PyTorch, from the extra ``parity``."""
    try:
        import threadpoolctl  # noqa: F401, the benchmarks ask it which kernel runs
        import torch
    except ImportError as error:
        not_run(f"{error.name} is not installed: it comes with the extra `parity`")
    torch.set_num_threads(1)
    return torch


@pytest.mark.parametrize("name", TRAINING)
def test_both_sides_have_the_same_losses_while_they_learn(name):
    assert agreement.training_differs(tiny(TRAINING[name])) is None


@pytest.mark.parametrize("name", DECODING)
def test_both_sides_write_the_same_tokens(name):
    assert agreement.decoding_differs(tiny(DECODING[name])) is None


@pytest.mark.parametrize("name", ["reversal", "language"])
def test_another_model_on_one_side_is_noticed(name, torch, monkeypatch):
    from tests.benchmarks import torch_models

    monkeypatch.setattr(torch_models.Attention, "read", lambda self, x, keys, values, mask=None: self.o(self.q(x)))
    assert agreement.training_differs(tiny(TRAINING[name])) is not None


@pytest.mark.parametrize(("benchmark", "job", "name", "cases"), [
    (training_step, "training", "reversal", TRAINING),
    (decoding, "decoding", "decoder-only, B = 1", DECODING),
])
def test_a_benchmark_runs_and_prints_a_table(benchmark, job, name, cases, capfd):
    (row,) = main("", job, cases, benchmark.TARGETS, benchmark.RUNS, ["--cases", name, *QUICK])
    assert all(0 < seconds < math.inf for seconds in row.medians.values()) and len(row.medians) == 3
    output = capfd.readouterr().out
    assert f"| {name} | 1 | " in output and "openblas" in output and "PyTorch 2" in output


def test_the_ratio_is_of_medians_and_the_largest_wanted_stands_beside_it():
    row = Row("reversal", 2, {"NumPy": 0.03, "NumPy, memory kept": 0.02, "PyTorch": 0.04}, {}, 0.0)
    line = table([row], training_step.TARGETS).splitlines()[-1]
    assert line == "| reversal | 2 | 30.00 ms | 20.00 ms | 40.00 ms | 0.75 | 0.50 | 0.75 |"
