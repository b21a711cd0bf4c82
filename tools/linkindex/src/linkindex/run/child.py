"""Start a worker: a child process that imports the project's code, with a job in and a result out as JSON files."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

TIMEOUT = 900  # seconds for one job


def run_worker(module: str, job: dict) -> dict:
    """The result of ``python -m module job result``, or {"crash": what happened}."""
    with tempfile.TemporaryDirectory() as folder:
        job_path, result_path = Path(folder, "job.json"), Path(folder, "result.json")
        job_path.write_text(json.dumps(job), encoding="utf-8")
        command = [sys.executable, "-B", "-m", module, str(job_path), str(result_path)]
        with subprocess.Popen(
            command, cwd=job["root"], env=_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, encoding="utf-8", errors="replace", start_new_session=True,
        ) as process:  # fmt: skip
            try:
                _, printed = process.communicate(timeout=TIMEOUT)
            except subprocess.TimeoutExpired:
                return {"crash": f"no result after {TIMEOUT} seconds: make the examples and linked tests faster"}
            finally:
                _end(process)
        if not result_path.is_file():
            last = [line for line in printed.splitlines() if line.strip()][-1:]
            return {"crash": f"the process ended with code {process.returncode}: {''.join(last) or 'nothing was printed'}"}
        return json.loads(result_path.read_text(encoding="utf-8"))


def _end(process: subprocess.Popen) -> None:
    """End the worker and all that it started: code that hangs must not outlive the check."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _environment() -> dict[str, str]:
    """The worker imports this linkindex, and computes with one thread: small matrices gain nothing from more."""
    path = os.pathsep.join(filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH"))))
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8", **threads}
