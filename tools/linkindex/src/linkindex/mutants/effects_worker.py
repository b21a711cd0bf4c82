"""The child process that evaluates mutants where the linked expression stands, while an example runs on its inputs.

At the first visit of an expression the process forks. The copy evaluates the mutants in the frame of the expression,
one by one, and ends; the example itself goes on with the unchanged value, whatever the mutants did.
"""

import json
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from types import FrameType

import numpy as np

from linkindex.run.examples import ExampleError, run_example
from linkindex.run.instrument import install_probes
from linkindex.run.recorder import Recorder
from linkindex.run.values import encode

SECONDS = 2.0  # that one mutant may take


class Effects(Recorder):
    """Notes, at the first visit of each expression, its value and those of its mutants."""

    def __init__(self, tasks: Mapping[str, Mapping[str, list]]):
        super().__init__()
        self.tasks = tasks
        self.results: dict[str, dict[str, dict]] = {}

    def value(self, key: str, value: object) -> object:
        if self.recording and key in self.tasks and key not in self.results:
            frame = sys._getframe(1)
            self.results[key] = {
                name: {"before": encode(_taken(value, element)), "after": evaluated(codes, frame, element)}
                for name, (element, codes) in self.tasks[key].items()
            }
        return value

    def after(self, key: str) -> None:
        """Names that the statement binds are of no use here: a mutant sees what the expression sees."""


def evaluated(codes: list[str], frame: FrameType, element: int | None) -> list[dict]:
    """What each code gives in the frame: {"value", "error"}. A copy that ends early was stopped by its mutant."""
    results: list[dict] = []
    while len(results) < len(codes):
        results += _in_a_copy(codes[len(results) :], frame, element)
        if len(results) < len(codes):
            results.append({"value": None, "error": f"no result within {SECONDS:g} seconds, or a crash"})
    return results


def _in_a_copy(codes: list[str], frame: FrameType, element: int | None) -> list[dict]:
    """Results as far as a forked copy of this process got."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            with os.fdopen(writer, "w", encoding="utf-8") as out:
                for code in codes:
                    signal.setitimer(signal.ITIMER_REAL, SECONDS)  # its signal ends the copy
                    out.write(json.dumps(_result(code, frame, element)) + "\n")
                    out.flush()
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as lines:
        results = [json.loads(line) for line in lines if line.endswith("\n")]
    os.waitpid(child, 0)
    return results


def _result(code: str, frame: FrameType, element: int | None) -> dict:
    # One mapping for all names: a lambda inside the code could not see local ones.
    names = {**frame.f_globals, **frame.f_locals}
    try:
        with np.errstate(all="ignore"):
            value = eval(compile(f"({code}\n)", "<mutant>", "eval"), names)
            return {"value": encode(_taken(value, element)), "error": None}
    except Exception as error:
        text = str(error).strip().splitlines()
        return {"value": None, "error": f"{type(error).__name__}: {text[0]}" if text else type(error).__name__}


def _taken(value: object, element: int | None) -> object:
    return value if element is None else value[element]


def main(job_path: str, result_path: str) -> None:
    job = json.loads(Path(job_path).read_text(encoding="utf-8"))
    root = Path(job["root"])
    opened = _watch_files(root)
    sys.path[:0] = [str(root), *([str(root / "src")] if (root / "src").is_dir() else [])]
    recorder = Effects({})
    spans = {path: {tuple(span): key for span, key in probes} for path, probes in job["probes"].items()}
    install_probes(root, spans, recorder)
    pages = {}
    for stem, asked in job["pages"].items():
        recorder.tasks, recorder.results = asked["tasks"], {}
        try:
            run_example(root, {"path": asked["path"], "sizes": [], "shown": []}, recorder)
        except ExampleError:  # reported by the run of the examples
            continue
        pages[stem] = recorder.results
    files = sorted({*opened, *_modules(root), *(asked["path"] for asked in job["pages"].values())})
    Path(result_path).write_text(json.dumps({"pages": pages, "files": files}), encoding="utf-8")


def _watch_files(root: Path) -> set[str]:
    """The project's files that are opened from now on; compiled modules stand for their sources."""
    opened: set[str] = set()
    below = f"{root.resolve()}{os.sep}"

    def audit(event: str, arguments: tuple) -> None:
        if event == "open" and isinstance(arguments[0], str) and arguments[0].startswith(below):
            opened.add(arguments[0].removeprefix(below))

    sys.addaudithook(audit)
    return opened


def _modules(root: Path) -> set[str]:
    """The project's files that are imported now."""
    below = f"{root.resolve()}{os.sep}"
    files = (getattr(module, "__file__", None) or "" for module in list(sys.modules.values()))
    return {file.removeprefix(below) for file in files if file.startswith(below)}


if __name__ == "__main__":
    main(*sys.argv[1:])
