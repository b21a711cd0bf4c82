"""The child process that imports and runs the project's code. Reads a job, writes a result: both JSON files."""

import json
import platform
import sys
from pathlib import Path

import numpy as np
import pytest

from linkindex.run.examples import ExampleError, run_example
from linkindex.run.instrument import install_probes
from linkindex.run.linked_tests import run_tests
from linkindex.run.reach import Reach
from linkindex.run.recorder import Recorder, Watch


def main(job_path: str, result_path: str) -> None:
    job = json.loads(Path(job_path).read_text(encoding="utf-8"))
    root = Path(job["root"])
    sys.path[:0] = [str(root), *([str(root / "src")] if (root / "src").is_dir() else [])]
    recorder = Recorder({key: [Watch(**watch) for watch in watches] for key, watches in job["watches"].items()})
    spans = {path: {tuple(span): key for span, key in probes} for path, probes in job["probes"].items()}
    install_probes(root, spans, recorder)
    result = {"examples": {}, "errors": {}, "tests": [], "printed": "", "versions": _versions()}
    for page, example in job["examples"].items():
        try:
            result["examples"][page] = run_example(root, example, recorder)
        except ExampleError as error:
            result["errors"][page] = {"code": error.code, "message": str(error), "line": error.line}
    if job["tests"]:
        reach = Reach(root)
        result["tests"], result["printed"] = run_tests(job["tests"], recorder, reach)
        result["modules"] = reach.modules()
    Path(result_path).write_text(json.dumps(result), encoding="utf-8")


def _versions() -> dict[str, str]:
    return {"python": platform.python_version(), "numpy": np.__version__, "pytest": pytest.__version__}


if __name__ == "__main__":
    main(*sys.argv[1:])
