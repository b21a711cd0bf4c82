"""Which pieces of Python code run: noted by the interpreter's own profiler, so that watched code stays fast.

A forked copy goes on watching, with what was noted before.
"""

import cProfile
import sys
import threading
from types import CodeType, FrameType

NAME = "linkindex"


class Profiled:
    """Before Python 3.12: the profiler written in C. Threads other than the one that starts it have a function."""

    def __init__(self) -> None:
        self._profiler = cProfile.Profile(subcalls=False, builtins=False)
        self._in_threads: dict[int, CodeType] = {}  # by identity, which is faster than by content

    def start(self) -> None:
        threading.setprofile(self._profile)
        self._profiler.enable()

    def taken(self) -> list[CodeType]:
        """All that ran since the last time."""
        codes = [*(entry.code for entry in self._profiler.getstats()), *self._in_threads.values()]
        self._profiler.clear()
        self._in_threads.clear()
        return codes

    def _profile(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            self._in_threads[id(frame.f_code)] = frame.f_code


class Monitored:
    """From Python 3.12 on: the first start of each piece of code is an event, the others cost nothing."""

    def __init__(self) -> None:
        self._codes: dict[int, CodeType] = {}

    def start(self) -> None:
        monitoring = sys.monitoring
        # 0 to 2 and 5 are kept for debuggers, coverage, profilers and optimizers.
        tool = next(tool for tool in (3, 4) if monitoring.get_tool(tool) is None)
        monitoring.use_tool_id(tool, NAME)
        monitoring.register_callback(tool, monitoring.events.PY_START, self._started)
        monitoring.set_events(tool, monitoring.events.PY_START)

    def taken(self) -> list[CodeType]:
        """All that ran since the last time, and did not run before."""
        codes = list(self._codes.values())
        self._codes.clear()
        return codes

    def _started(self, code: CodeType, offset: int) -> object:
        self._codes[id(code)] = code
        return sys.monitoring.DISABLE


Calls = Monitored if hasattr(sys, "monitoring") else Profiled
