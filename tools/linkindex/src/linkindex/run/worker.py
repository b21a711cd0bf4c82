"""The child process that imports and runs the project's code. Reads a job, writes a result: both JSON files.

Every example, every test file and every linked test runs in a forked copy: none sees what another one left behind, and
what each reaches is noted in full.
"""

import json
import sys
from pathlib import Path

from linkindex.run.examples import ExampleError, run_example
from linkindex.run.forked import Died, in_copy
from linkindex.run.instrument import install_probes
from linkindex.run.linked_tests import by_file, died, run_file
from linkindex.run.reach import Reach
from linkindex.run.recorder import Recorder, Watch


def main(job_path: str, result_path: str) -> None:
    job = json.loads(Path(job_path).read_text(encoding="utf-8"))
    root = Path(job["root"])
    import_from(root)
    recorder, reach = Recorder(), Reach(root)
    spans = {path: {tuple(span): key for span, key in probes} for path, probes in job["probes"].items()}
    install_probes(root, spans, recorder)
    result = {
        "examples": {page: _example(root, example, recorder, reach) for page, example in job["examples"].items()},
        "tests": {},
    }
    for file, nodeids in by_file(job["tests"]).items():
        try:
            result["tests"] |= in_copy(lambda: run_file(file, nodeids, recorder, reach))
        except Died as error:
            result["tests"] |= {nodeid: died(nodeid, f"{file} was not run to its end: {error}") for nodeid in nodeids}
    Path(result_path).write_text(json.dumps(result), encoding="utf-8")


def import_from(root: Path) -> None:
    """Put the project first on the path of imports."""
    sys.path[:0] = [str(root), *([str(root / "src")] if (root / "src").is_dir() else [])]


def _example(root: Path, example: dict, recorder: Recorder, reach: Reach) -> dict:
    """{"runs", "reached"}, {"error"} where the example is wrong, or {"crash"} where its process died."""

    def work() -> dict:
        recorder.watches = {key: [Watch(**watch) for watch in watches] for key, watches in example["watches"].items()}
        reach.start()
        try:
            return {**run_example(root, example, recorder), "reached": reach.noted()}
        except ExampleError as error:
            return {"error": {"code": error.code, "message": str(error), "line": error.line}}

    try:
        return in_copy(work)
    except Died as error:
        return {"crash": str(error)}


if __name__ == "__main__":
    main(*sys.argv[1:])
