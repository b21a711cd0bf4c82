"""While the site is served: examples and tests run in a process of their own, so that an edit is seen at once.

The process leaves its results in the cache of runs. Until it is done, pages show as "not run" what it is still
computing; then it touches a file that the server watches, and the next build finds everything in the cache.
"""

import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

GRACE = 2.0  # seconds that a build waits for runs: enough where the cache still holds


class Refresher:
    """Brings the cache of runs of one project up to date, one process at a time."""

    def __init__(self, root: Path) -> None:
        self.stamp = root / "build" / "refreshed"
        self.command = [sys.executable, "-m", "linkindex.site.refresh", str(root)]
        self._root = root
        self._process: subprocess.Popen | None = None
        self._done = Event()
        self._state: object = None                       # of the files, when the process was started
        self.stamp.parent.mkdir(exist_ok=True)
        self.stamp.touch()

    def is_fresh(self, state: object) -> bool:
        """Whether the runs are up to date; if not, they will be, and then ``stamp`` changes. ``state``: of the files
        now, since what was edited while they ran is not in them."""
        is_done = self._done.is_set() and state == self._state
        self._done.clear()
        if is_done:
            return True
        self.stop()
        self._state = state
        process = subprocess.Popen(
            self.command, cwd=self._root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._process = process
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            Thread(target=self._report, args=(process,), daemon=True).start()
            return False
        return True

    def stop(self) -> None:
        """End a process that still works on files as they were before."""
        process, self._process = self._process, None
        if process and process.poll() is None:
            process.terminate()
            process.wait()

    def _report(self, process: subprocess.Popen) -> None:
        process.wait()
        if process is self._process:
            self._done.set()
            self.stamp.touch()


if __name__ == "__main__":  # the process of its own: the same evidence as that of a build
    # Imported here: a build needs none of it where the pipeline runs in another process.
    from linkindex.load.config import read_config
    from linkindex.pipeline import evidence_for

    evidence_for(read_config(Path(sys.argv[1])), mutants=True, drafts=False)
