"""Start a worker: a child process that imports the project's code, with a job in and a result out as JSON files."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TIMEOUT = 600  # seconds for one job


def run_worker(module: str, job: dict) -> dict:
    """The result of ``python -m module job result``, or {"crash": what happened}."""
    with tempfile.TemporaryDirectory() as folder:
        job_path, result_path = Path(folder, "job.json"), Path(folder, "result.json")
        job_path.write_text(json.dumps(job), encoding="utf-8")
        command = [sys.executable, "-B", "-m", module, str(job_path), str(result_path)]
        try:
            done = subprocess.run(
                command, cwd=job["root"], env=_environment(), stdin=subprocess.DEVNULL, capture_output=True,
                encoding="utf-8", errors="replace", timeout=TIMEOUT,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return {"crash": f"no result after {TIMEOUT} seconds"}
        if not result_path.is_file():
            last = [line for line in done.stderr.splitlines() if line.strip()][-1:]
            return {"crash": f"the process ended with code {done.returncode}: {''.join(last) or 'nothing was printed'}"}
        return json.loads(result_path.read_text(encoding="utf-8"))


def _environment() -> dict[str, str]:
    """The worker imports this linkindex, and computes with one thread: small matrices gain nothing from more."""
    path = os.pathsep.join(filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH"))))
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8", **threads}
