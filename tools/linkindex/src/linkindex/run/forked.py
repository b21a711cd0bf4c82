"""Run a piece of work in a forked copy of this process: it may crash, hang or change global state without harm here."""

import json
import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable
from typing import NoReturn

AVAILABLE = hasattr(os, "fork")
LONGEST = 600.0  # seconds for work without a limit of its own
PATIENCE = 10.0  # seconds of waiting, at least: a busy machine is slow without hanging


class Died(Exception):
    """The copy ended without a result; the message says how. ``late``: it was ended, since it took too long."""

    def __init__(self, message: str, late: bool):
        super().__init__(message)
        self.late = late


def in_copy(work: Callable[[], object], seconds: float | None = None, late: Callable[[], object] | None = None) -> object:
    """The result of ``work()``, which must be plain data. Raises Died.

    ``seconds``: of processor time, after which the result is that of ``late()``. Ten times as long may pass on the clock.
    Where processes cannot be forked, the work is done here.
    """
    if not AVAILABLE:
        return work()
    reader, writer = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _work(writer, work, seconds, late)
    os.close(writer)
    try:
        data = _read(reader, max(PATIENCE, 10 * seconds) if seconds else LONGEST)
        if data is None:
            os.kill(child, signal.SIGKILL)
    finally:
        os.close(reader)
        _, status = os.waitpid(child, 0)
    if not data:
        late = data is None
        raise Died("no result in time" if late else f"the process ended with code {os.waitstatus_to_exitcode(status)}", late)
    return json.loads(data)


def _work(writer: int, work: Callable[[], object], seconds: float | None, late: Callable[[], object] | None) -> NoReturn:
    try:
        if seconds:
            signal.signal(signal.SIGPROF, lambda *_: _finish(writer, late()))
            signal.setitimer(signal.ITIMER_PROF, seconds)
        _finish(writer, work())
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


def _finish(writer: int, result: object) -> NoReturn:
    """Send the result, its length first: a process that the work left behind may keep the pipe open."""
    signal.setitimer(signal.ITIMER_PROF, 0)
    data = json.dumps(result).encode()
    with open(writer, "wb") as stream:
        stream.write(len(data).to_bytes(8, "big") + data)
    os._exit(0)


def _read(reader: int, seconds: float) -> bytes | None:
    """The bytes sent; none if the other end closed before the last one; None if it took longer."""
    deadline = time.monotonic() + seconds
    data, length = b"", 8
    while len(data) < length:
        ready, _, _ = select.select([reader], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return None
        part = os.read(reader, 1 << 20)
        if not part:
            return b""
        data += part
        length = 8 + int.from_bytes(data[:8], "big") if len(data) >= 8 else 8
    return data[8:length]
