"""The child process that imports and runs the project's code. Reads a job, writes a result: both JSON files.

Every example, every test file and every linked test runs in a forked copy: none sees what another one left behind, and
what each reaches is noted in full.
"""

import json
import sys
from functools import partial
from pathlib import Path

from linkindex.run import forked
from linkindex.run.examples import ExampleError, run_example
from linkindex.run.forked import Died, Work, in_copies
from linkindex.run.instrument import install_probes
from linkindex.run.linked_tests import by_file, died, run_file
from linkindex.run.packing import packed
from linkindex.run.reach import Reach
from linkindex.run.recorder import Recorder, Watch


def main(job_path: str, result_path: str) -> None:
    job = json.loads(Path(job_path).read_text(encoding="utf-8"))
    root = Path(job["root"])
    import_from(root)
    recorder, reach = Recorder(), Reach(root)
    spans = {path: {tuple(span): key for span, key in probes} for path, probes in job["probes"].items()}
    install_probes(root, spans, recorder)
    files = by_file(job["tests"])
    works = [
        *(Work(partial(run_file, file, nodeids, recorder, reach, not forked.AVAILABLE)) for file, nodeids in files.items()),
        *(Work(partial(_example, root, example, recorder, reach)) for example in job["examples"].values()),
    ]
    results = in_copies(works)
    tests = _tests(files, results[: len(files)])
    if forked.AVAILABLE:
        failed = by_file(nodeid for nodeid, test in tests.items() if test["outcome"] in ("failed", "error"))
        works = [Work(partial(run_file, file, nodeids, recorder, reach, True)) for file, nodeids in failed.items()]
        tests |= _tests(failed, in_copies(works))
    examples = dict(zip(job["examples"], map(_judged, results[len(files) :]), strict=True))
    result = {"tests": tests, "examples": examples}
    Path(result_path).write_text(json.dumps(result), encoding="utf-8")


def import_from(root: Path) -> None:
    """Put the project first on the path of imports."""
    sys.path[:0] = [str(root), *([str(root / "src")] if (root / "src").is_dir() else [])]


def _example(root: Path, example: dict, recorder: Recorder, reach: Reach) -> dict:
    """{"runs", "values", "reached"}, or {"error"} where the example is wrong."""
    recorder.watches = {key: [Watch(**watch) for watch in watches] for key, watches in example["watches"].items()}
    reach.start()
    try:
        return packed(run_example(root, example, recorder)) | {"reached": reach.noted()}
    except ExampleError as error:
        return {"error": {"code": error.code, "message": str(error), "line": error.line}}


def _judged(example: object) -> dict:
    return {"crash": str(example)} if isinstance(example, Died) else example


def _tests(files: dict[str, list[str]], results: list[object]) -> dict[str, dict]:
    """The results of the linked tests by node id, from those of their files."""
    tests: dict[str, dict] = {}
    for (file, nodeids), result in zip(files.items(), results, strict=True):
        if isinstance(result, Died):
            result = {nodeid: died(nodeid, f"{file} was not run to its end: {result}") for nodeid in nodeids}
        tests |= result
    return tests


if __name__ == "__main__":
    main(*sys.argv[1:])
