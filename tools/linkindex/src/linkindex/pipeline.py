"""The stages in order, for the commands and for the MkDocs plugin."""

from collections.abc import Iterator
from dataclasses import replace

from linkindex.commit import head_commit
from linkindex.evidence import prove, unmet_policy
from linkindex.load import load
from linkindex.model import Config, Evidence, Index, Resolution, Runs
from linkindex.mutants.effects import Effects, ask_effects
from linkindex.mutants.plan import plan
from linkindex.mutants.run import Verdicts, ask_verdicts
from linkindex.quiet_gc import collector_paused
from linkindex.resolve import resolve
from linkindex.run.dependencies import Dependencies
from linkindex.run.job import probe_spans
from linkindex.run.meanwhile import meanwhile
from linkindex.run.questions import Findings, Question
from linkindex.run.runs import ask_runs, run

Result = tuple[Index, Resolution, Runs, Evidence, Findings]
Judged = tuple[Effects, Findings, Verdicts, Findings]  # what the mutants do, and what notices them
NO_RUNS = Runs({}, {}, {})


def places_for(config: Config) -> tuple[Index, Resolution, Findings]:
    """Load and resolve only: no code of the project runs."""
    with collector_paused():
        index, wrong_files = load(config)
        resolution, wrong_places = resolve(index)
    return index, resolution, tuple(sorted({*wrong_files, *wrong_places}))


def evidence_for(config: Config, *, pending: bool = False, mutants: bool = False) -> Result:
    """All stages up to the evidence. ``pending`` runs nothing, so that its steps are shown as not run; ``mutants`` also
    runs the mutants of linked code."""
    if mutants and not pending:
        *_, result = evidence_in_steps(config, foresee=False)
        return result
    index, resolution, findings = places_for(config)
    runs, wrong_runs = (NO_RUNS, ()) if pending else run(index, resolution)
    evidence, unproved = prove(index, resolution, runs, head_commit(config.root))
    if not pending:
        findings = tuple(sorted({*findings, *wrong_runs, *unproved})) or unmet_policy(index, evidence, mutants)
    return index, resolution, runs, evidence, findings


def evidence_in_steps(config: Config, foresee: bool = True) -> Iterator[Result]:
    """All stages up to the evidence, with mutants. Only the last result counts.

    What is found about mutants seldom changes. With ``foresee``, there is first the result to which that of the last
    time leads, so that the site can be built from it while the mutants run; a second one follows if something is
    different.
    """
    index, resolution, findings = places_for(config)
    dependencies = Dependencies(config, probe_spans(resolution))
    runs, wrong_runs = ask_runs(index, resolution, dependencies).answer()
    targets = plan(index, resolution, runs)
    effects, verdicts = ask_effects(index, targets, dependencies), ask_verdicts(index, targets, dependencies)

    def result(effects: Effects, wrong_effects: Findings, verdicts: Verdicts, wrong_mutants: Findings) -> Result:
        tried = replace(runs, verdicts=verdicts, effects=effects)
        evidence, unproved = prove(index, resolution, tried, head_commit(config.root))
        found = tuple(sorted({*findings, *wrong_runs, *wrong_mutants, *wrong_effects, *unproved}))
        return index, resolution, tried, evidence, found or unmet_policy(index, evidence, True)

    def judged() -> Judged:
        return *effects.answer(), *verdicts.answer()

    foreseen = _foreseen(effects, verdicts) if foresee else None
    if foreseen is None:
        yield result(*judged())
        return
    with meanwhile(lambda: [judged()]) as judging:
        yield result(*foreseen)
        actual = next(judging)
    if repr(actual) != repr(foreseen):  # as text, since not a number is like not a number here
        yield result(*actual)


def _foreseen(effects: Question[Effects], verdicts: Question[Verdicts]) -> Judged | None:
    """What the last results say; None where there are none, or nothing needs to be computed."""
    last = (effects.last(), verdicts.last()) if effects.unknown or verdicts.unknown else (None,)
    return None if None in last else (last[0], (), last[1], ())
