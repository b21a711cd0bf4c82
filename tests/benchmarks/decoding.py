"""Greedy decoding of 100 tokens with a cache: the package against PyTorch, as its users write it: torch_models.py.

    python -m tests.benchmarks.decoding [--cases "decoder-only, B = 1"] [--threads 1 2] [--rounds 15]

A run reads the prompt, 8 tokens, or has the encoder read them, and writes 100 tokens without an end token. Prints the
medians and their ratio. Needs the extra `parity`. Figures measured so far are in figures.md.
"""

from tests.benchmarks.cases import DECODING
from tests.benchmarks.comparison import main

TARGETS = {(name, threads): 0.75 for name in DECODING if name.endswith("B = 1") for threads in (1, 2)}
RUNS = {name: 10 if name.endswith("B = 1") else 2 for name in DECODING}

if __name__ == "__main__":
    main(__doc__.splitlines()[0], "decoding", DECODING, TARGETS, RUNS)
