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
from linkindex.run.linked_tests import results_of, run_linked
from linkindex.run.packing import packed
from linkindex.run.reach import Reach
from linkindex.run.recorder import Recorder, Watch
from linkindex.run.sessions import sessions_of
from linkindex.run.spans import from_plain

FAILED = ("failed", "error")


def main(job_path: str, result_path: str) -> None:
    job = json.loads(Path(job_path).read_text(encoding="utf-8"))
    root = Path(job["root"])
    import_from(root)
    recorder, reach = Recorder(), Reach(root)
    install_probes(root, from_plain(job["probes"]), recorder, choices=job["choices"])

    def tests_of(session: dict[str, list[str]], in_words: bool) -> Work:
        return Work(partial(run_linked, session, recorder, reach, in_words))

    sessions = sessions_of(job["tests"])
    works = [tests_of(session, in_words=not forked.AVAILABLE) for session in sessions]
    works += [Work(partial(_example, root, example, recorder, reach)) for example in job["examples"].values()]
    results = in_copies(works)
    tests = _tests(sessions, results[: len(sessions)])
    if forked.AVAILABLE:
        failed = sessions_of(nodeid for nodeid, test in tests.items() if test["outcome"] in FAILED)
        tests |= _tests(failed, in_copies(tests_of(session, in_words=True) for session in failed))
    examples = dict(zip(job["examples"], map(_judged, results[len(sessions) :]), strict=True))
    Path(result_path).write_text(json.dumps({"results": {**examples, **tests}}), encoding="utf-8")


def import_from(root: Path) -> None:
    """Put the project first on the path of imports."""
    sys.path[:0] = [str(root), *([str(root / "src")] if (root / "src").is_dir() else [])]


def _example(root: Path, example: dict, recorder: Recorder, reach: Reach) -> dict:
    """{"runs", "values", "reached"}, or {"error"} where the example is wrong."""
    recorder.watches = {key: [Watch(**watch) for watch in watches] for key, watches in example["watches"].items()}
    recorder.numbers = example["numbers"]
    reach.start()
    try:
        return packed(run_example(root, example, recorder)) | {"reached": reach.noted()}
    except ExampleError as error:
        return {"error": {"code": error.code, "message": str(error), "line": error.line}}


def _judged(example: object) -> dict:
    return {"crash": str(example)} if isinstance(example, Died) else example


def _tests(sessions: list[dict[str, list[str]]], results: list[object]) -> dict[str, dict]:
    """The results of the linked tests by node id, from those of sessions, which may have died."""
    tests: dict[str, dict] = {}
    for session, result in zip(sessions, results, strict=True):
        tests |= results_of(session, dict.fromkeys(session, result)) if isinstance(result, Died) else result
    return tests


if __name__ == "__main__":
    main(*sys.argv[1:])
