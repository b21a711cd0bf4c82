"""The child process that runs an example with a mutant in place of linked code, and records what it does then."""

import json
import sys
from functools import partial
from pathlib import Path

from linkindex.mutants.worker import UNKNOWN
from linkindex.run.examples import ExampleError, run_example
from linkindex.run.forked import Died, Work, in_copies
from linkindex.run.instrument import install_probes
from linkindex.run.packing import packed
from linkindex.run.reach import Reach
from linkindex.run.recorder import Recorder, Watch
from linkindex.run.spans import from_plain
from linkindex.run.worker import import_from

SECONDS = 60.0  # of processor time for one run of an example
NO_RESULT = {"reached": UNKNOWN}


def main(job_path: str, result_path: str) -> None:
    job = json.loads(Path(job_path).read_text(encoding="utf-8"))
    import_from(Path(job["root"]))
    parts = {}
    for name, part in job["parts"].items():
        works = (Work(partial(_run, job, part["example"], swap), SECONDS, lambda: NO_RESULT) for swap in part["swaps"])
        parts[name] = [NO_RESULT if isinstance(found, Died) else found for found in in_copies(works)]
    Path(result_path).write_text(json.dumps({"parts": parts}), encoding="utf-8")


def _run(job: dict, example: dict, swap: tuple[str, str]) -> dict:
    """{"example", "reached"}; without "example" where the mutant stops it."""
    root, recorder = Path(job["root"]), Recorder()
    recorder.watches = {key: [Watch(**watch) for watch in watches] for key, watches in example["watches"].items()}
    reach = Reach(root)
    install_probes(root, from_plain(job["probes"]), recorder, swap)
    reach.start()
    try:
        return {"example": packed(run_example(root, example, recorder)), "reached": reach.noted()}
    except ExampleError:
        return {"reached": reach.noted()}


if __name__ == "__main__":
    main(*sys.argv[1:])
