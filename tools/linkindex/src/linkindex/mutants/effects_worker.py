"""The child process that evaluates mutants where the linked expression stands, while an example runs on its inputs.

At the first visit of an expression its mutants are evaluated in its frame, in a forked copy of the process; the example
goes on with the unchanged value, whatever the mutants did.
"""

import ast
import contextlib
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from types import FrameType

import numpy as np

from linkindex.code import parse_code
from linkindex.run.examples import ExampleError, run_example
from linkindex.run.forked import Died, in_copy
from linkindex.run.instrument import install_probes
from linkindex.run.reach import Reach
from linkindex.run.recorder import Recorder
from linkindex.run.spans import Spans, from_plain
from linkindex.run.values import encode
from linkindex.run.worker import import_from

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")  # of an object: another one in each run
SECONDS = 2.0  # of processor time, for the mutants of one expression
ENDED = {"value": None, "error": "no result: it takes too long, or ends the process"}


class Effects(Recorder):
    """Notes, at the first visit of each expression, its value and those of its mutants.

    ``tasks``: (key, element of the value, codes of the mutants); ``values`` are in their order, None if never reached.
    """

    def __init__(self, tasks: list[tuple[str, int | None, list[str]]]):
        super().__init__()
        self.tasks = tasks
        self.values: list[dict | None] = [None] * len(tasks)

    def before(self, key: str) -> None:
        """Nothing is compared with what stood before."""

    def value(self, key: str, _: None, value: object) -> object:
        if self.recording:
            frame = sys._getframe(1)
            for number, (at, element, codes) in enumerate(self.tasks):
                if at == key and self.values[number] is None:
                    after = evaluated(codes, frame, element)
                    self.values[number] = {"before": encode(_taken(value, element)), "after": after}
        return value

    def after(self, key: str) -> None:
        """Names that the statement binds are of no use here: a mutant sees what the expression sees."""


def evaluated(codes: list[str], frame: FrameType, element: int | None) -> list[dict]:
    """What each code gives in the frame: {"value", "error"}."""
    results: list[dict] = []
    while len(results) < len(codes):
        results += _in_a_copy(codes[len(results) :], frame, element)
    return results


def _in_a_copy(codes: list[str], frame: FrameType, element: int | None) -> list[dict]:
    """The results of the codes as far as the copy got, at least of the first one."""
    done: list[dict] = []

    def work() -> list[dict]:
        for code in codes:
            done.append(_result(code, frame, element))
        return done

    try:
        found = in_copy(work, SECONDS, lambda: done)
    except Died:
        found = []
    if found:
        return found
    return _in_a_copy(codes[:1], frame, element) if len(codes) > 1 else [ENDED]  # alone, it is known which one it was


def _result(code: str, frame: FrameType, element: int | None) -> dict:
    # One mapping for all names: a lambda inside the code could not see local ones.
    names = {**frame.f_globals, **frame.f_locals}
    try:
        with np.errstate(all="ignore"):
            value = eval(compile(ast.Expression(parse_code(code)), "<mutant>", "eval"), names)
            return {"value": encode(_taken(value, element)), "error": None}
    except Exception as error:
        text = ADDRESS.sub("", str(error)).strip().splitlines()
        return {"value": None, "error": f"{type(error).__name__}: {text[0]}" if text else type(error).__name__}


def _taken(value: object, element: int | None) -> object:
    return value if element is None else value[element]


def main(job_path: str, result_path: str) -> None:
    job = json.loads(Path(job_path).read_text(encoding="utf-8"))
    root = Path(job["root"])
    import_from(root)
    spans = from_plain(job["probes"])
    pages = {}
    for stem, asked in job["pages"].items():
        try:
            pages[stem] = in_copy(lambda: _page(root, spans, **asked))
        except Died:  # reported by the run of the examples
            continue
    Path(result_path).write_text(json.dumps({"pages": pages}), encoding="utf-8")


def _page(root: Path, spans: Mapping[str, Spans], path: str, tasks: list) -> dict:
    """The values of a page's mutants, as far as its example gets, and what they depend on."""
    effects, reach = Effects(tasks), Reach(root)
    install_probes(root, spans, effects)
    reach.start()
    with contextlib.suppress(ExampleError):  # reported by the run of the examples
        run_example(root, {"path": path, "sizes": [], "shown": [], "further": {}}, effects)
    return {"values": effects.values, "reached": reach.noted()}


if __name__ == "__main__":
    main(*sys.argv[1:])
