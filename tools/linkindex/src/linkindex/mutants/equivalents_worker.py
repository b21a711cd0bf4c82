"""The child process that runs an example with a mutant in place of its line, and compares the linked values."""

import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from linkindex.run.examples import ExampleError, run_example
from linkindex.run.forked import Died, Work, in_copies
from linkindex.run.instrument import install_probes
from linkindex.run.reach import Reach, both
from linkindex.run.recorder import Recorder, Watch
from linkindex.run.spans import from_plain
from linkindex.run.worker import import_from

ROUND_OFF = 1e-9  # of the largest number of the value
SECONDS = 120.0  # of processor time for one run of an example
Values = list[tuple[str, dict | None]]  # kind of the run and value of each visit, in order


def main(job_path: str, result_path: str) -> None:
    job = json.loads(Path(job_path).read_text(encoding="utf-8"))
    import_from(Path(job["root"]))
    pages = {}
    for stem, page in job["pages"].items():
        try:
            pages[stem] = _page(job, page["example"], page["cases"])
        except Died as end:
            if end.late:  # others are reported by the run of the examples
                pages[stem] = {"late": str(end)}
    Path(result_path).write_text(json.dumps({"pages": pages}), encoding="utf-8")


def _page(job: dict, example: dict, cases: list) -> dict:
    swaps = [None, *((key, code) for _, key, code in cases)]
    works = (Work(partial(_values, job, example, swapped), SECONDS, dict) for swapped in swaps)
    original, *changed = in_copies(works)
    if isinstance(original, Died):
        raise original
    if "values" not in original:
        raise Died("the example takes too long", late=True)
    reached, differing = original["reached"], []
    for (equation, _, _), one in zip(cases, changed, strict=True):
        found = {"error": str(one)} if isinstance(one, Died) else one
        reached = both(reached, found.get("reached", reached))
        differing.append(_difference(original["values"].get(equation, []), found, equation))
    return {"differing": differing, "reached": reached}


def _values(job: dict, example: dict, swapped: tuple[str, str] | None) -> dict:
    """The values of each equation's probes, in all runs of the example; {"error"} if a mutant stops it."""
    recorder, reach = Recorder(), Reach(Path(job["root"]))
    recorder.watches = {key: [Watch(**watch) for watch in watches] for key, watches in example["watches"].items()}
    install_probes(Path(job["root"]), from_plain(job["probes"]), recorder, swapped)
    reach.start()
    try:
        runs = run_example(Path(job["root"]), example, recorder)["runs"]
    except ExampleError as error:
        if swapped is None:
            raise
        return {"error": str(error), "reached": reach.noted()}
    values: dict[str, Values] = {}
    for run in runs:
        for equation, visits in run["visits"].items():
            values.setdefault(equation, []).extend((run["kind"], visit["value"]) for visit in visits)
    return {"values": values, "reached": reach.noted()}


def _difference(original: Values, changed: dict, equation: str) -> str | None:
    """How the mutant changes the linked value, in words; None if it does not, or if nothing is known of that value."""
    if not original:  # which is reported
        return None
    if "values" not in changed:
        return f"with it, {changed.get('error', 'the example takes too long')}"
    return next(_differences(original, changed["values"].get(equation, [])), None)


def _differences(original: Values, changed: Values) -> Iterator[str]:
    if len(original) != len(changed):
        yield "with it, the linked code is executed as often as before no more"
    for (kind, before), (_, after) in zip(original, changed):
        if before is None or after is None or before["shape"] != after["shape"]:
            yield f"in the run {kind!r} it gives something of another kind or shape"
            continue
        a, b = np.array(before["data"], dtype=float), np.array(after["data"], dtype=float)
        finite = np.abs(a[np.isfinite(a)])
        if not np.allclose(b, a, rtol=0, atol=ROUND_OFF * finite.max(initial=0), equal_nan=True):
            with np.errstate(all="ignore"):
                most = np.max(np.abs(b - a))
            yield f"in the run {kind!r} the linked value changes by {most:.2g}"


if __name__ == "__main__":
    main(*sys.argv[1:])
