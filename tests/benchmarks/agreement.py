"""Whether both sides compute the same: checked before anything is timed, in a process in which nothing is timed.

    python -m tests.benchmarks.agreement training|decoding CASE

CASE: the fields of a Case as JSON. Ends with status 1 and a sentence where they differ.
"""

import json
import sys

import numpy as np

from tests.benchmarks.cases import Case

STEPS = 5
NEAR = 1e-4


def training_differs(case):
    """The losses of the first steps, without dropout, of NumPy and PyTorch; None where they agree.

    Each loss after the first holds the gradients and the updates before it.
    """
    from tests.benchmarks import numpy_side, torch_side

    still = case._replace(dropout=0.0)
    losses = []
    for side in (numpy_side, torch_side):
        step = side.training(still)
        losses.append([step() for _ in range(STEPS)])
    return None if np.abs(np.subtract(*losses)).max() < NEAR else losses


def decoding_differs(case):
    """The tokens that NumPy and PyTorch write; None where they are the same."""
    from tests.benchmarks import numpy_side, torch_side

    ours, theirs = (side.decoding(case)() for side in (numpy_side, torch_side))
    return None if np.array_equal(ours, theirs) else (ours, theirs)


DIFFERS = {"training": training_differs, "decoding": decoding_differs}


def main():
    job, case = sys.argv[1], Case(**json.loads(sys.argv[2]))
    found = DIFFERS[job](case)
    if found:
        sys.exit(f"{job} of {case}: NumPy and PyTorch do not compute the same:\n{found[0]}\n{found[1]}")


if __name__ == "__main__":
    main()
