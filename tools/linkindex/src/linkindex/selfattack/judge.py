"""Carry out one attack in a fresh copy, check the copy, and compare what was found with what had to be found."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from linkindex.fast import check_fast
from linkindex.fix import fix_lock
from linkindex.load.config import read_config
from linkindex.model import Evidence, Finding, Place
from linkindex.pipeline import evidence_for, places_for
from linkindex.render.book import Book
from linkindex.render import rendered
from linkindex.selfattack.model import (
    BROKEN, CACHE, CHECK, ELSEWHERE, FAST, FOUND, FULL, HTML, MISSED, SITE, SKIPPED,
    Attack, NotApplicable, Outcome, Plan, Pristine,
)  # fmt: skip
from linkindex.verify import verify


@dataclass(frozen=True)
class Seen:
    """What a check gave. ``evidence``: None where the check is not deep enough for it."""

    findings: tuple[Finding, ...]
    evidence: Evidence | None = None


def planned(project: Pristine, attack: Attack) -> Plan | Outcome:
    """The plan of an attack, or why there is none."""
    try:
        return attack.plant(project)
    except NotApplicable as error:
        return Outcome(attack.name, attack.depth, SKIPPED, note=str(error))
    except Exception as error:  # the attack is at fault, and the others are not
        note = f"planting it ended with {type(error).__name__}: {error}"
        return Outcome(attack.name, attack.depth, BROKEN, note=note)


def judge(project: Pristine, name: str, depth: str, plan: Plan) -> Outcome:
    """The outcome of one planned attack, carried out in a copy."""
    try:
        with TemporaryDirectory(prefix="linkindex-attack-") as folder:
            seen = _carried_out(project, plan, depth, Path(folder, "project").resolve())
    except Exception as error:  # a check that ends in a traceback says nothing, and leaves the user alone with it
        return Outcome(name, depth, BROKEN, plan.expected, f"the check ended with {type(error).__name__}: {error}")
    verdict, note = _verdict(plan, seen, project.evidence)
    return Outcome(name, depth, verdict, plan.expected, note)


def _carried_out(project: Pristine, plan: Plan, depth: str, root: Path) -> Seen:
    unfinished = "*.new"  # of the cache, which others write meanwhile
    shutil.copytree(project.root, root, ignore=shutil.ignore_patterns(unfinished, *(() if depth == HTML else (SITE,))))
    for path, data in plan.edits.items():
        target = root / path
        target.unlink(missing_ok=True)
        if data is not None:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    if plan.relock:
        index, resolution, _ = places_for(read_config(root))
        fix_lock(index, resolution, write=True)
    if plan.stale:
        _check(project, root, depth)
        _exchange(project.root / CACHE, root / CACHE)
    return _check(project, root, depth)


def _check(project: Pristine, root: Path, depth: str) -> Seen:
    if depth == HTML:
        return Seen(verify(root / SITE, project.index, project.resolution))
    config = read_config(root)
    if depth == FAST:
        return Seen(check_fast(config)[1])
    index, resolution, runs, evidence, findings = evidence_for(config, mutants=depth == FULL)
    if depth == CHECK:
        return Seen(findings)
    return Seen((*findings, *rendered(Book(index, resolution, runs, evidence))[1]), evidence)


def _exchange(old: Path, new: Path) -> None:
    """Give each result that was added in ``new`` the content of the result in ``old`` that is most like it in size."""
    for path in sorted(new.rglob("*.json")):
        candidates = sorted((old / path.relative_to(new)).parent.glob("*.json"))
        if not (old / path.relative_to(new)).exists() and candidates:
            size = path.stat().st_size
            nearest = min(candidates, key=lambda candidate: abs(candidate.stat().st_size - size))
            path.write_bytes(nearest.read_bytes())


def _verdict(plan: Plan, seen: Seen, before: Evidence) -> tuple[str, str]:
    if plan.expected is None:
        if seen.findings:
            return MISSED, f"what was damaged led to {_listed(seen.findings)}"
        same = seen.evidence is None or seen.evidence == before
        return (FOUND, "") if same else (MISSED, "the evidence is another one than before")
    code, place = plan.expected
    same_code = [finding for finding in seen.findings if finding.code == code]
    if any(_at(finding.place, place) for finding in same_code):
        return FOUND, ""
    if same_code:
        return ELSEWHERE, f"it was found in {_listed(same_code)}"
    return MISSED, f"the check found {_listed(seen.findings)}" if seen.findings else "the check found nothing"


def _at(found: Place, expected: Place) -> bool:
    return (found.path, found.line) == (expected.path, expected.line)


def _listed(findings: Sequence[Finding]) -> str:
    shown = dict.fromkeys(f"{finding.place.path}:{finding.place.line} {finding.code}" for finding in findings)
    rest = f" and {len(shown) - 3} more" if len(shown) > 3 else ""
    return ", ".join(list(shown)[:3]) + rest
