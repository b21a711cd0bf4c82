"""The child process that runs examples with a mutant in place of linked code, and records what they do then.

What an example imports is imported once; then each mutant is switched on in a forked copy of its own.
"""

import contextlib
import json
import sys
from functools import partial
from pathlib import Path

from linkindex.mutants.active import Active
from linkindex.mutants.worker import NOTHING
from linkindex.run.examples import ExampleError, load_example, run_example
from linkindex.run.forked import Died, Work, in_copies
from linkindex.run.instrument import install_probes
from linkindex.run.packing import packed
from linkindex.run.reach import Reach
from linkindex.run.recorder import Recorder, Watch
from linkindex.run.spans import from_plain
from linkindex.run.worker import import_from

SECONDS = 20.0  # of processor time for one run of an example
NO_RESULT = {"reached": NOTHING}  # of a mutant that ended its run: what it reached, others did


def main(job_path: str, result_path: str) -> None:
    job = json.loads(Path(job_path).read_text(encoding="utf-8"))
    import_from(Path(job["root"]))
    results = in_copies(Work(partial(_part, job, **part)) for part in job["parts"].values())
    parts = {
        name: [{"reached": None}] * len(part["cases"]) if isinstance(result, Died) else result
        for (name, part), result in zip(job["parts"].items(), results, strict=True)
    }
    Path(result_path).write_text(json.dumps({"parts": parts}), encoding="utf-8")


def _part(job: dict, example: dict, cases: list[tuple[str, str]]) -> list[dict]:
    """What comes of each case: a key, and the code of a mutant."""
    root, recorder, active = Path(job["root"]), Recorder(), Active()
    recorder.watches = {key: [Watch(**watch) for watch in watches] for key, watches in example["watches"].items()}
    mutants = {key: [code for at, code in cases if at == key] for key, _ in cases}
    reach = Reach(root)
    install_probes(root, from_plain(job["probes"]), recorder, mutants, active)
    reach.start()
    with contextlib.suppress(Exception, SystemExit):  # which each run meets again
        load_example(root / example["path"])

    def run(key: str, code: str) -> dict:
        """{"example", "reached"}; without "example" where the mutant stops it."""
        active.switch_on(key, mutants[key].index(code))
        try:
            return {"example": packed(run_example(root, example, recorder)), "reached": reach.noted()}
        except ExampleError:
            return {"reached": reach.noted()}

    works = (Work(partial(run, *case), SECONDS, lambda: NO_RESULT) for case in cases)
    return [NO_RESULT if isinstance(found, Died) else found for found in in_copies(works)]


if __name__ == "__main__":
    main(*sys.argv[1:])
