"""Run pieces of work in forked copies of this process: they may crash, hang or change global state without harm."""

import json
import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NoReturn

AVAILABLE = hasattr(os, "fork")
LONGEST = 600.0  # seconds for work without a limit of its own
PATIENCE = 10.0  # seconds of waiting, at least: a busy machine is slow without hanging


class Died(Exception):
    """The copy ended without a result; the message says how. ``late``: it was ended, since it took too long."""

    def __init__(self, message: str, late: bool):
        super().__init__(message)
        self.late = late


@dataclass(frozen=True)
class Work:
    """Something to do in a copy; its result must be plain data.

    ``seconds``: of processor time, after which the result is that of ``late()``. Ten times as long may pass on the
    clock.
    """

    do: Callable[[], object]
    seconds: float | None = None
    late: Callable[[], object] | None = None


def processors() -> int:
    """How many copies can work at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_copy(do: Callable[[], object], seconds: float | None = None, late: Callable[[], object] | None = None) -> object:
    """The result of one piece of work. Raises Died. Where processes cannot be forked, it is done here."""
    work = Work(do, seconds, late)
    return _Copy(work).result() if AVAILABLE else work.do()


def in_copies(works: Iterable[Work]) -> list[object]:
    """The results of all, in their order: Died in place of one that came to no end. Each has a copy of its own, and as
    many work at the same time as there are processors."""
    if not AVAILABLE:
        return [work.do() for work in works]
    results: list[object] = []
    running: dict[int, tuple[int, _Copy]] = {}
    try:
        for work in works:
            if len(running) == processors():
                _collect(running, results)
            copy = _Copy(work)
            running[copy.reader] = len(results), copy
            results.append(None)
        while running:
            _collect(running, results)
    finally:
        for _, copy in running.values():
            copy.end()
    return results


def _collect(running: dict[int, tuple[int, "_Copy"]], results: list[object]) -> None:
    """Wait until something arrives or is overdue, and move what has ended to the results."""
    soonest = min(copy.deadline for _, copy in running.values())
    ready, _, _ = select.select(list(running), [], [], max(0.0, soonest - time.monotonic()))
    for reader, (number, copy) in list(running.items()):
        if copy.receive(reader in ready):
            del running[reader]
            results[number] = copy.ended()


class _Copy:
    """A forked process that works, and what it has sent so far."""

    def __init__(self, work: Work):
        self.reader, writer = os.pipe()
        self.deadline = time.monotonic() + (max(PATIENCE, 10 * work.seconds) if work.seconds else LONGEST)
        self.data = bytearray()
        self.is_late = False
        sys.stdout.flush()
        self.process = os.fork()
        if self.process == 0:
            os.close(self.reader)
            _work(writer, work)
        os.close(writer)

    def result(self) -> object:
        try:
            while True:
                ready, _, _ = select.select([self.reader], [], [], max(0.0, self.deadline - time.monotonic()))
                if self.receive(bool(ready)):
                    break
        except BaseException:
            self.end()
            raise
        outcome = self.ended()
        if isinstance(outcome, Died):
            raise outcome
        return outcome

    def receive(self, ready: bool) -> bool:
        """Take what has arrived; whether that is all that will."""
        if not ready:
            self.is_late = time.monotonic() >= self.deadline
            return self.is_late
        part = os.read(self.reader, 1 << 20)
        self.data += part
        return not part or self.is_whole()

    def is_whole(self) -> bool:
        """The length comes first: a process that the work left behind may keep the pipe open."""
        return len(self.data) >= 8 and len(self.data) == 8 + int.from_bytes(self.data[:8], "big")

    def ended(self) -> object:
        if self.is_late:
            self.end()
            return Died("no result in time", late=True)
        os.close(self.reader)
        _, status = os.waitpid(self.process, 0)
        if not self.is_whole():
            return Died(f"the process ended with code {os.waitstatus_to_exitcode(status)}", late=False)
        return json.loads(self.data[8:])

    def end(self) -> None:
        os.kill(self.process, signal.SIGKILL)
        os.close(self.reader)
        os.waitpid(self.process, 0)


def _work(writer: int, work: Work) -> NoReturn:
    try:
        if work.seconds:
            signal.signal(signal.SIGPROF, lambda *_: _finish(writer, work.late()))
            signal.setitimer(signal.ITIMER_PROF, work.seconds)
        _finish(writer, work.do())
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


def _finish(writer: int, result: object) -> NoReturn:
    signal.setitimer(signal.ITIMER_PROF, 0)
    data = json.dumps(result).encode()
    with open(writer, "wb") as stream:
        stream.write(len(data).to_bytes(8, "big") + data)
    os._exit(0)
