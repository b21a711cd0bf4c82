"""Fourth stage: from what was found and what ran to what is proved of each equation."""

from linkindex.evidence.symbols import check_symbols, symbol_rows
from linkindex.evidence.tested import check_test, shared_tests
from linkindex.model import (
    NOT_RUN, STEPS, Equation, Evidence, ExampleRun, Finding, Index, Link, Page, Place, Proof, Resolution, Runs, Step,
)  # fmt: skip


def prove(
    index: Index, resolution: Resolution, runs: Runs, commit: str | None = None
) -> tuple[Evidence, tuple[Finding, ...]]:
    """The evidence for every equation whose records were found, and a finding for each step that does not hold."""
    findings: list[Finding] = list(shared_tests(index.equations, resolution.links))
    shared = {finding.place for finding in findings}
    proofs: dict[str, Proof] = {}
    for page in index.pages:
        for equation in page.equations:
            if equation.id in resolution.formulas:
                proof, wrong = _prove(page, equation, resolution, runs, shared)
                proofs[equation.id] = proof
                findings.extend(wrong)
    findings = [finding for finding in findings if not _excused(finding, index)]
    return Evidence(proofs, commit), tuple(sorted(set(findings)))


def _prove(
    page: Page, equation: Equation, resolution: Resolution, runs: Runs, shared: set[Place]
) -> tuple[Proof, list[Finding]]:
    formula = resolution.formulas[equation.id]
    links = resolution.links.get(equation.id, ())
    examples = runs.examples.get(page.stem, ())
    symbols = {symbol.latex: symbol for symbol in page.notation}
    steps: dict[str, Step] = dict.fromkeys(STEPS, NOT_RUN)
    findings: list[Finding] = []
    steps["resolved"] = _resolved(equation, links, resolution)
    if links:
        steps["ran"], wrong = _ran(equation, links, examples, page)
        findings.extend(wrong)
        steps["tested"], wrong = check_test(equation, links, runs.tests.get(equation.test))
        findings.extend(wrong)
        steps["symbols"], wrong = check_symbols(equation, formula, links, symbols, resolution.shapes, examples)
        findings.extend(wrong)
        if equation.keys.get("test") in shared:
            steps["tested"] = Step(False, "its test serves another equation as well")
    steps |= {
        name: Step(step.ok, step.why, equation.exceptions[name])
        for name, step in steps.items()
        if name in equation.exceptions
    }
    rows = symbol_rows(equation, formula, links, symbols, resolution.shapes, examples)
    return Proof(equation.id, steps, rows, formula.marked), findings


def _resolved(equation: Equation, links: tuple[Link, ...], resolution: Resolution) -> Step:
    if not links:
        return Step(False, "its code was not found")
    if equation.id not in resolution.tests:
        return Step(False, "its test was not found")
    return Step(True)


def _ran(
    equation: Equation, links: tuple[Link, ...], examples: tuple[ExampleRun, ...], page: Page
) -> tuple[Step, list[Finding]]:
    run = next((run for run in examples if run.kind == "inputs"), None)
    if run is None:
        why = "the example did not run" if page.example else f"the page has no example {page.stem}.py"
        place = equation.place
        return Step(False, why), [] if page.example else [Finding(place, "LI301", f"{equation.id}: {why}: write one")]
    findings = [
        Finding(
            equation.keys.get("in", equation.place),
            "LI401",
            f"{equation.id}: the example {page.example} never executes {' '.join(link.span.code.split())!r} "
            f"({link.span.file}:{link.span.line}): call {link.function} in run()",
        )
        for link in links
        if link.key not in run.executed
    ]
    return Step(not findings, findings[0].message if findings else None), findings


def unmet_policy(index: Index, evidence: Evidence) -> tuple[Finding, ...]:
    """The safety net: a required step that does not hold, although nothing else was noted."""
    return tuple(
        Finding(equation.place, "LI410", f"{equation.id}: the step {step!r} does not hold: {evidence.proofs[equation.id].steps[step].why}")
        for equation in index.equations
        if equation.id in evidence.proofs
        for step in index.config.policy
        if not evidence.proofs[equation.id].steps[step].ok and step not in equation.exceptions
    )


def _excused(finding: Finding, index: Index) -> bool:
    """Whether the finding is about a step for which the equation states an exception."""
    steps = {"LI401": "ran", "LI402": "tested", "LI403": "tested", "LI404": "tested", "LI405": "tested"}
    steps |= {"LI406": "symbols", "LI407": "symbols", "LI408": "symbols"}
    name = finding.message.partition(":")[0]
    return any(equation.id == name and steps.get(finding.code) in equation.exceptions for equation in index.equations)
