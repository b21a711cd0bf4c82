"""A process that has imported what workers need, and forks one for each job: the imports take longer than most jobs.

It never imports code of the project, so that every worker starts as clean as a new interpreter. It ends when the check
that started it does, or when it had nothing to do for a while.
"""

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import sys
import traceback
from pathlib import Path
from typing import NoReturn

WORKERS = (
    "linkindex.run.worker",
    "linkindex.mutants.worker",
    "linkindex.mutants.effects_worker",
    "linkindex.mutants.properties_worker",
)
PRELOADED = (
    "numpy.linalg", "numpy.random", "numpy.testing", "pdb", "pytest", "tomllib", "unittest", "xml.etree.ElementTree",
    *WORKERS,
)  # fmt: skip
IDLE = 60.0  # seconds
RECEIVED = b"."
LONGEST = 1 << 14  # bytes of a path


def serve(server: socket.socket) -> None:
    """Answer requests, each the path of a JSON file with a pipe to report to.

    It holds the "module" of the worker, its "environment", and the paths of "job", "result" and "errors".
    """
    for module in PRELOADED:
        importlib.import_module(module)
    gc.collect()
    gc.freeze()  # or the collector of each copy would write to the memory that it shares with this process
    keepers: list[int] = []
    server.settimeout(IDLE)
    while True:
        try:
            request, pipes, _, _ = socket.recv_fds(server, LONGEST, 1)
        except TimeoutError:
            keepers = [keeper for keeper in keepers if os.waitpid(keeper, os.WNOHANG) == (0, 0)]
            if keepers:
                continue
            return
        if not request:
            break
        keepers.append(os.fork())
        if keepers[-1] == 0:
            _keep(server, pipes[0], Path(os.fsdecode(request)))
        os.close(pipes[0])
        server.sendall(RECEIVED)
    for keeper in keepers:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it has ended, as all have where the check has
            os.killpg(keeper, signal.SIGKILL)
        os.waitpid(keeper, 0)  # or their time would not be that of this process


def _keep(server: socket.socket, report: int, request: Path) -> NoReturn:
    """Start the worker, report its exit code, and end all that it started: code that hangs must not outlive the check.

    The report is two lines: the process group of the worker, and the code.
    """
    server.close()
    os.setsid()
    worker = os.fork()
    if worker == 0:
        os.close(report)
        _work(json.loads(request.read_text(encoding="utf-8")))
    os.write(report, f"{os.getpid()}\n".encode())
    _, status = os.waitpid(worker, 0)
    os.write(report, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _work(request: dict) -> NoReturn:
    code = 1
    try:
        errors = os.open(request["errors"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(errors, 2)
        os.environ.clear()
        os.environ.update(request["environment"])
        importlib.import_module(request["module"]).main(request["job"], request["result"])
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
