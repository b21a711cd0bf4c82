"""The stages in order, for the commands and for the MkDocs plugin."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from linkindex.evidence import claims, prove, unmet_policy
from linkindex.followers import about_lock, without_followers
from linkindex.load import load
from linkindex.model import Config, Evidence, Index, Resolution, Runs
from linkindex.mutants.effects import Effects, ask_effects
from linkindex.mutants.plan import plan
from linkindex.mutants.properties import Breaking, ask_breaking, asked_for
from linkindex.mutants.run import Verdicts, ask_verdicts
from linkindex.permalink import head_commit
from linkindex.quiet_gc import collector_paused
from linkindex.resolve import resolve
from linkindex.run.child import at_once
from linkindex.run.dependencies import Dependencies
from linkindex.run.job import probe_spans
from linkindex.run.background import in_background
from linkindex.run.questions import Findings, Question
from linkindex.run.runs import ask_runs, run

Result = tuple[Index, Resolution, Runs, Evidence, Findings]
# What the mutants do, what notices them, and which of them break properties.
Judged = tuple[Effects, Findings, Verdicts, Findings, Breaking, Findings]
NO_RUNS = Runs({}, {}, {})


def places_for(config: Config, drafts: bool = True) -> tuple[Index, Resolution, Findings]:
    """Load and resolve only: no code of the project runs. ``drafts``: whether pages count that are not published."""
    with collector_paused():
        index, wrong_files = load(config, drafts=drafts)
        resolution, wrong_places = resolve(index)
    return index, resolution, without_followers({*wrong_files, *wrong_places}, index)


def evidence_for(
    config: Config, *, pending: bool = False, mutants: bool = False, drafts: bool = True
) -> Result:
    """All stages up to the evidence. ``pending`` runs nothing, so that its steps are shown as not run; ``mutants`` also
    runs the mutants of linked code."""
    if mutants and not pending:
        *_, result = evidence_in_steps(config, foresee=False, drafts=drafts)
        return result
    index, resolution, findings = places_for(config, drafts)
    runs, wrong_runs = (NO_RUNS, ()) if pending else run(index, resolution)
    evidence, unproved = prove(index, resolution, runs, head_commit(config.root))
    if not pending:
        from linkindex.render import unshown  # a build, which renders elsewhere, does not pay for it here

        unshown_now = unshown(index, resolution, runs, evidence)
        found = without_followers({*findings, *wrong_runs, *unproved, *unshown_now}, index)
        findings = _with_unmet(found, index, evidence, mutants)
    return index, resolution, runs, evidence, findings


def evidence_in_steps(config: Config, foresee: bool = True, drafts: bool = True) -> Iterator[Result]:
    """All stages up to the evidence, with mutants. Only the last result counts.

    What is found about mutants seldom changes. With ``foresee``, there is first the result to which that of the last
    time leads, so that the site can be built from it while the mutants run; a second one follows if something is
    different.
    """
    index, resolution, findings = places_for(config, drafts)
    dependencies = Dependencies(config, probe_spans(resolution))
    runs, wrong_runs = ask_runs(index, resolution, dependencies).answer()
    targets = plan(index, resolution, runs)
    questions = (
        ask_effects(index, targets, dependencies),
        ask_verdicts(index, targets, dependencies),
        ask_breaking(index, resolution, targets, claims(index, resolution, runs), dependencies),
    )

    def result(
        effects: Effects, wrong_effects: Findings, verdicts: Verdicts, wrong_mutants: Findings,
        breaking: Breaking, wrong_properties: Findings,
    ) -> Result:  # fmt: skip
        tried = replace(runs, verdicts=asked_for(index, verdicts, breaking), effects=effects)
        evidence, unproved = prove(index, resolution, tried, head_commit(config.root))
        wrong = {*findings, *wrong_runs, *wrong_mutants, *wrong_effects, *wrong_properties, *unproved}
        found = without_followers(wrong, index)
        return index, resolution, tried, evidence, _with_unmet(found, index, evidence, True)

    def judged() -> Judged:
        return tuple(part for answer in at_once(question.answer for question in questions) for part in answer)

    foreseen = _foreseen(questions) if foresee else None
    if foreseen is None:
        yield result(*judged())
        return
    with in_background(lambda: [judged()]) as judging:
        yield result(*foreseen)
        expected = repr(foreseen)  # as text, since not a number is like not a number here
        actual = next(judging)
    if repr(actual) != expected:
        yield result(*actual)


def _with_unmet(found: Findings, index: Index, evidence: Evidence, mutants: bool) -> Findings:
    """What was found; where it is nothing, or only the lock is out of date, with the steps that do not hold."""
    return found if not all(map(about_lock, found)) else (*unmet_policy(index, evidence, mutants), *found)


def _foreseen(questions: Sequence[Question]) -> Judged | None:
    """What the last results say; None where there are none, or nothing needs to be computed."""
    if not any(question.unknown for question in questions):
        return None
    last = [question.last() for question in questions]
    return None if None in last else tuple(part for told in last for part in (told, ()))
