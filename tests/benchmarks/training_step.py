"""One training step of the package against the same step in PyTorch, as its users write it: torch_models.py.

    python -m tests.benchmarks.training_step [--cases reversal language] [--threads 1 2] [--rounds 15]

A step is the forward pass, the loss, the whole backward pass and the update. Reversal and language are the models and
batches of the recipes in transformer/recipes. Prints the medians and their ratio, once as in a training that has
evaluated its model once, and once after glibc was made to keep all freed memory. Needs the extra `parity`. Figures
measured so far are in figures.md.
"""

from tests.benchmarks.cases import TRAINING
from tests.benchmarks.comparison import main

TARGETS = {(name, threads): wanted for name in ("reversal", "language") for threads, wanted in ((1, 0.65), (2, 0.75))}
RUNS = {"reversal": 20, "language": 60, "larger arrays": 10}

if __name__ == "__main__":
    main(__doc__.splitlines()[0], "training", TRAINING, TARGETS, RUNS)
