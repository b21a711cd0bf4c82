"""`linkindex selfattack`: plant faults in a copy of the project, one at a time, and see whether each is found.

A check that finds nothing in a good project proves little: it may look at nothing. Here every kind of fault that the
checks promise to find is planted, and must yield its own finding, in its own line.
"""

import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from linkindex import store
from linkindex.fast import check_fast
from linkindex.load.config import read_config
from linkindex.model import DRAFTS, Config, Finding
from linkindex.pipeline import evidence_for
from linkindex.selfattack.fault import SITE, Outcome, Pristine
from linkindex.selfattack.judge import judge, planned
from linkindex.selfattack.table import FAULTS
from linkindex.site.build import build_site

LEFT_OUT = shutil.ignore_patterns(".git", "build", SITE, "node_modules", "__pycache__", ".*_cache", ".hypothesis")
WORKERS = 2
Progress = Callable[[int, int], None]  # faults judged, all faults


class Unclean(Exception):
    """The untouched copy has findings, which would be taken for those of the faults."""

    def __init__(self, findings: Sequence[Finding]):
        super().__init__(f"the untouched copy has {len(findings)} finding(s)")
        self.findings = tuple(findings)


def selfattack(config: Config, progress: Progress) -> list[Outcome]:
    """The outcome of every fault, in order. Raises Unclean, and ConfigError as ``build_site`` does."""
    with pristine_copy(config) as project:
        plans = {fault: planned(project, fault) for fault in FAULTS}
        outcomes = {fault: plan for fault, plan in plans.items() if isinstance(plan, Outcome)}
        with ProcessPoolExecutor(WORKERS) as pool:
            waiting = {
                pool.submit(judge, project, replace(fault, ways=None), plan): fault
                for fault, plan in plans.items()
                if fault not in outcomes
            }
            for future in as_completed(waiting):
                outcomes[waiting[future]] = future.result()
                progress(len(outcomes), len(plans))
    return [outcomes[fault] for fault in FAULTS]


@contextmanager
def pristine_copy(config: Config) -> Iterator[Pristine]:
    """A copy of the project, checked in full and with its site built; results that the project keeps are used again."""
    with TemporaryDirectory(prefix="linkindex-selfattack-") as folder:
        root = Path(folder, "project").resolve()
        shutil.copytree(config.root, root, ignore=left_out)
        shutil.rmtree(root / config.docs / DRAFTS, ignore_errors=True)
        if (config.root / store.FOLDER).is_dir():
            shutil.copytree(config.root / store.FOLDER, root / store.FOLDER)
        copy = read_config(root)
        _require_clean(check_fast(copy)[1])
        index, resolution, runs, evidence, findings = evidence_for(copy, mutants=True)
        _require_clean(findings)
        _require_clean(build_site(copy, root / SITE))
        yield Pristine(root, index, resolution, runs, evidence)


def left_out(folder: str, names: list[str]) -> set[str]:
    """What a copy does without: what is generated, and environments, each of them larger than the project."""
    return LEFT_OUT(folder, names) | {name for name in names if Path(folder, name, "pyvenv.cfg").is_file()}


def _require_clean(findings: Sequence[Finding]) -> None:
    if findings:
        raise Unclean(findings)
