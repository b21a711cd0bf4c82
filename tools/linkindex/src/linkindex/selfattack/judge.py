"""Plant one fault in a fresh copy, check the copy, and compare what was found with what had to be found."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from linkindex.fast import check_fast
from linkindex.fix import fix_lock
from linkindex.load.config import read_config
from linkindex.model import Evidence, Finding, Place
from linkindex.pipeline import evidence_for, places_for
from linkindex.render import rendered
from linkindex.render.book import Book
from linkindex.selfattack.fault import (
    BROKEN, CHECK, ELSEWHERE, FAST, FOUND, FULL, HTML, MISSED, SITE, SKIPPED, Edits, Fault, Outcome, Pristine, Way,
)  # fmt: skip
from linkindex.verify import verify


def planned(project: Pristine, fault: Fault) -> Way | Outcome:
    """The first way to plant a fault, or why there is none."""
    try:
        way = next(fault.ways(project), None)
    except Exception as error:  # the fault's row is wrong, and the others are not
        return Outcome(fault, BROKEN, note=f"planting it ended with {type(error).__name__}: {error}")
    return way or Outcome(fault, SKIPPED, note="the project holds nothing in which it could be planted")


def judge(project: Pristine, fault: Fault, way: Way) -> Outcome:
    """The outcome of one fault, planted in a copy in one way."""
    edits, place = way
    expected = (fault.code, Place(place.path, place.line)) if fault.code else None
    try:
        with TemporaryDirectory(prefix="linkindex-fault-") as folder:
            findings, evidence = _checked(project, fault, edits, Path(folder, "project").resolve())
    except Exception as error:  # a check that ends in a traceback says nothing, and leaves the user alone with it
        return Outcome(fault, BROKEN, expected, f"the check ended with {type(error).__name__}: {error}")
    if expected is None:
        return _computed_again(project, fault, findings, evidence)
    same_code = [finding for finding in findings if finding.code == fault.code and fault.says in finding.message]
    if any((finding.place.path, finding.place.line) == (place.path, place.line) for finding in same_code):
        return Outcome(fault, FOUND, expected)
    if same_code:
        return Outcome(fault, ELSEWHERE, expected, f"it was found in {_listed(same_code)}")
    return Outcome(fault, MISSED, expected, f"the check found {_listed(findings)}")


def _checked(
    project: Pristine, fault: Fault, edits: Edits, root: Path
) -> tuple[Sequence[Finding], Evidence | None]:
    """What the check finds in a copy with these edits, and the evidence where it is deep enough for it."""
    unfinished = "*.new"  # of the cache, which others write meanwhile
    left_out = (unfinished,) if fault.depth == HTML else (unfinished, SITE)
    shutil.copytree(project.root, root, ignore=shutil.ignore_patterns(*left_out))
    for path, content in edits.items():
        (root / path).unlink(missing_ok=True)
        if content is not None:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            written = content if isinstance(content, bytes) else content.encode(errors="surrogateescape")
            (root / path).write_bytes(written)
    if fault.depth == HTML:
        return verify(root / SITE, project.index, project.resolution), None
    config = read_config(root)
    if fault.accepted:
        index, resolution, _ = places_for(config, drafts=False)
        fix_lock(index, resolution, write=True)
    if fault.depth == FAST:
        return check_fast(config)[1], None
    index, resolution, runs, evidence, findings = evidence_for(config, mutants=fault.depth == FULL)
    if fault.depth == CHECK or any(finding.code == fault.code for finding in findings):
        return findings, evidence
    return (*findings, *rendered(Book(index, resolution, runs, evidence))[1]), evidence


def _computed_again(project: Pristine, fault: Fault, findings: Sequence[Finding], evidence: Evidence | None) -> Outcome:
    if findings:
        return Outcome(fault, MISSED, note=f"what was damaged led to {_listed(findings)}")
    if evidence not in (None, project.evidence):
        return Outcome(fault, MISSED, note="the evidence is another one than before")
    return Outcome(fault, FOUND)


def _listed(findings: Sequence[Finding]) -> str:
    shown = list(dict.fromkeys(f"{finding.place.path}:{finding.place.line} {finding.code}" for finding in findings))
    return ", ".join(shown[:3]) + (f" and {len(shown) - 3} more" if len(shown) > 3 else "") or "nothing"
