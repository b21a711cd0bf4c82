"""The stages in order, for the commands and for the MkDocs plugin."""

from dataclasses import replace

from linkindex.commit import head_commit
from linkindex.evidence import prove, unmet_policy
from linkindex.load import load
from linkindex.model import Config, Evidence, Finding, Index, Resolution, Runs
from linkindex.mutants.effects import run_effects
from linkindex.mutants.plan import plan
from linkindex.mutants.run import run_mutants
from linkindex.quiet_gc import collector_paused
from linkindex.resolve import resolve
from linkindex.run import run

Result = tuple[Index, Resolution, Runs, Evidence, tuple[Finding, ...]]
NO_RUNS = Runs({}, {}, {})


def places_for(config: Config) -> tuple[Index, Resolution, tuple[Finding, ...]]:
    """Load and resolve only: no code of the project runs."""
    with collector_paused():
        index, wrong_files = load(config)
        resolution, wrong_places = resolve(index)
    return index, resolution, tuple(sorted({*wrong_files, *wrong_places}))


def evidence_for(config: Config, *, pending: bool = False, mutants: bool = False) -> Result:
    """All stages up to the evidence. ``pending`` runs nothing, so that its steps are shown as not run; ``mutants`` also
    runs the mutants of linked code."""
    index, resolution, findings = places_for(config)
    runs, wrong_runs = (NO_RUNS, ()) if pending else run(index, resolution)
    if mutants and not pending:
        targets = plan(index, resolution, runs)
        verdicts, wrong_mutants = run_mutants(index, targets)
        effects, wrong_effects = run_effects(index, targets)
        runs = replace(runs, verdicts=verdicts, effects=effects)
        wrong_runs = (*wrong_runs, *wrong_mutants, *wrong_effects)
    evidence, unproved = prove(index, resolution, runs, head_commit(config.root))
    if not pending:
        findings = tuple(sorted({*findings, *wrong_runs, *unproved})) or unmet_policy(index, evidence, mutants)
    return index, resolution, runs, evidence, findings
