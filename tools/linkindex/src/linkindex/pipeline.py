"""The stages in order, for the commands and for the MkDocs plugin."""

from linkindex.commit import head_commit
from linkindex.evidence import prove, unmet_policy
from linkindex.load import load
from linkindex.model import Config, Evidence, Finding, Index, Resolution, Runs
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


def evidence_for(config: Config, *, pending: bool = False) -> Result:
    """All stages up to the evidence. ``pending`` skips the runs, whose steps are then shown as not run."""
    index, resolution, findings = places_for(config)
    runs, wrong_runs = (NO_RUNS, ()) if pending else run(index, resolution)
    evidence, unproved = prove(index, resolution, runs, head_commit(config.root))
    if not pending:
        findings = tuple(sorted({*findings, *wrong_runs, *unproved})) or unmet_policy(index, evidence)
    return index, resolution, runs, evidence, findings
