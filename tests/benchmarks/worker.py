"""One implementation in a process of its own, which works when it is told to.

    python -m tests.benchmarks.worker numpy|torch training|decoding CASE THREADS [--keep-memory]

CASE: the fields of a Case as JSON. Prints a line about its kernel when it is ready. Then each line that it reads,
"untimed timed", is two numbers of runs, and is answered by the seconds of each timed run.
"""

import argparse
import importlib
import json
import sys
import time

from tests.benchmarks.cases import Case

KEPT = 31 * 2 ** 20  # bytes; from 32 MiB on glibc ignores the example


def keep_memory():
    """Let glibc keep freed memory instead of giving it back: it follows the largest piece that was freed.

    Otherwise much of what a step frees goes back to the system, and the next step pays for each page again.
    """
    import numpy as np

    np.ones(KEPT, np.uint8)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("side", choices=["numpy", "torch"])
    parser.add_argument("job", choices=["training", "decoding"])
    parser.add_argument("case")
    parser.add_argument("threads", type=int)
    parser.add_argument("--keep-memory", action="store_true")
    args = parser.parse_args()
    if args.keep_memory:
        keep_memory()
    side = importlib.import_module(f"tests.benchmarks.{args.side}_side")
    kernel = side.kernel(args.threads)
    run = getattr(side, args.job)(Case(**json.loads(args.case)))
    print(kernel, flush=True)
    for line in sys.stdin:
        untimed, timed = map(int, line.split())
        for _ in range(untimed):
            run()
        seconds = []
        for _ in range(timed):
            start = time.perf_counter()
            run()
            seconds.append(time.perf_counter() - start)
        print(json.dumps(seconds), flush=True)


if __name__ == "__main__":
    main()
