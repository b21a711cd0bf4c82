"""Start a worker: a child process that imports the project's code, with a job in and a result out as JSON files.

Where processes can be forked, the workers of a check are copies of one fork server.
"""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from linkindex.run import forked
from linkindex.run.forkserver import RECEIVED

TIMEOUT = 900  # seconds for one job
_STARTING = threading.Lock()  # a request and its receipt belong together
_STOPS: list[int] = []  # ends of pipes: once one can be read, nobody waits for workers any more
Result = TypeVar("Result")


class Stopped(Exception):
    """The result of a worker is of no use any more."""


def run_worker(module: str, job: dict) -> dict:
    """The result of ``main(job, result)`` of the module, or {"crash": what happened}."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: Path(folder, name) for name in ("request", "job", "result", "errors")}
        paths["job"].write_text(json.dumps(job), encoding="utf-8")
        code = (_forked if forked.AVAILABLE else _spawned)(module, job["root"], paths)
        if code is None:
            return {"crash": f"no result after {TIMEOUT} seconds: make the examples and linked tests faster"}
        if not paths["result"].is_file():
            printed = paths["errors"].read_text(encoding="utf-8", errors="replace") if paths["errors"].is_file() else ""
            last = [line for line in printed.splitlines() if line.strip()][-1:]
            return {"crash": f"the process ended with code {code}: {''.join(last) or 'nothing was printed'}"}
        return json.loads(paths["result"].read_text(encoding="utf-8"))


def at_once(works: Iterable[Callable[[], Result]]) -> list[Result]:
    """The results of works that wait for workers most of the time, each in a thread of its own.

    Where one fails, or the check is interrupted, all end, and so do the workers that they wait for.
    """
    works = list(works)
    stop, unless_closed = os.pipe()
    _STOPS.append(stop)
    try:
        with ThreadPoolExecutor(len(works)) as pool:
            try:
                futures = [pool.submit(work) for work in works]
                for future in as_completed(futures):  # the first that fails ends the others
                    future.result()
                return [future.result() for future in futures]
            finally:
                os.close(unless_closed)
    finally:
        _STOPS.remove(stop)
        os.close(stop)


def prepare(root: Path) -> None:
    """Have the imports of workers begin now, before it is known whether one is needed."""
    if forked.AVAILABLE:
        _Server.of(str(root), _environment())


def end() -> None:
    """End what ``prepare`` has begun; the next worker begins anew."""
    if _Server.latest is not None:
        _Server.latest.close()


def _spawned(module: str, root: str, paths: dict[str, Path]) -> int | None:
    """The exit code of a new interpreter; None if it took too long."""
    command = [sys.executable, "-B", "-m", module, str(paths["job"]), str(paths["result"])]
    nowhere = subprocess.DEVNULL
    with paths["errors"].open("wb") as errors:
        process = subprocess.Popen(command, cwd=root, env=_environment(), stdin=nowhere, stdout=nowhere, stderr=errors)
    with process:
        try:
            return process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            return None
        finally:
            process.kill()


def _forked(module: str, root: str, paths: dict[str, Path]) -> int | None:
    """The exit code of a copy of the fork server; None if it took too long."""
    environment, deadline = _environment(), time.monotonic() + TIMEOUT
    request = {"module": module, "environment": environment, **{name: str(path) for name, path in paths.items()}}
    paths["request"].write_text(json.dumps(request), encoding="utf-8")
    with open(_report(root, environment, paths["request"]), "rb", buffering=0) as report:
        group = _line(report.fileno(), deadline)
        code = None
        try:
            code = _line(report.fileno(), deadline, _STOPS)
        finally:
            if not code and group:  # it takes too long, was ended from outside, or the check is interrupted
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(int(group), signal.SIGKILL)
    return None if code is None else int(code or -signal.SIGKILL)


def _report(root: str, environment: dict[str, str], request: Path) -> int:
    """Have a worker forked; the end of a pipe from which its report is read."""
    with _STARTING:
        try:
            return _Server.of(root, environment).start(request)
        except ConnectionError:  # it has ended: it had nothing to do for too long
            return _Server.of(root, environment).start(request)


def _line(pipe: int, deadline: float, stops: Iterable[int] = ()) -> str | None:
    """What is written up to the end of a line, or until the other end is closed; None if it takes too long. Raises
    Stopped where one of ``stops`` can be read."""
    line = b""
    while not line.endswith(b"\n"):
        ready, _, _ = select.select([pipe, *stops], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return None
        if pipe not in ready:
            raise Stopped
        byte = os.read(pipe, 1)
        if not byte:
            break
        line += byte
    return line.decode().strip()


class _Server:
    """A fork server in the folder of a project, and our end of the socket to it. There is one at a time."""

    latest: "_Server | None" = None

    def __init__(self, root: str, environment: dict[str, str]):
        self.made_for, self.is_used = _made_for(root, environment), False
        self.socket, theirs = socket.socketpair()
        command = [sys.executable, "-B", "-m", "linkindex.run.forkserver", str(theirs.fileno())]
        nowhere = subprocess.DEVNULL
        with theirs:
            self.process = subprocess.Popen(
                command, cwd=root, env=environment, stdin=nowhere, stdout=nowhere, stderr=nowhere,
                pass_fds=[theirs.fileno()], start_new_session=True,
            )  # fmt: skip
        atexit.register(self.close)

    @classmethod
    def of(cls, root: str, environment: dict[str, str]) -> "_Server":
        """The latest one, if it was made for this."""
        if cls.latest is not None and cls.latest.made_for != _made_for(root, environment):
            cls.latest.close()
        cls.latest = cls.latest or cls(root, environment)
        return cls.latest

    def start(self, request: Path) -> int:
        self.is_used = True
        reader, writer = os.pipe()
        try:
            socket.send_fds(self.socket, [str(request).encode()], [writer])
            if self.socket.recv(1) != RECEIVED:
                raise ConnectionError("the fork server has ended")
        except BaseException:
            os.close(reader)
            self.close()
            raise
        finally:
            os.close(writer)
        return reader

    def close(self) -> None:
        _Server.latest = None
        atexit.unregister(self.close)
        self.socket.close()
        if not self.is_used:  # it may not even have come to listen
            self.process.kill()
        self.process.wait()


def _made_for(root: str, environment: dict[str, str]) -> tuple:
    """What a running interpreter cannot take on any more."""
    return root, *sorted((name, value) for name, value in environment.items() if name.startswith("PYTHON"))


def _environment() -> dict[str, str]:
    """The worker imports this linkindex, and computes with one thread: small matrices gain nothing from more."""
    path = os.pathsep.join(filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH"))))
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8", **threads}
