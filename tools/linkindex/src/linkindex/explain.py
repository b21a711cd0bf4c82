"""`linkindex explain ID`: everything that is known of one equation, as text."""

from difflib import get_close_matches

from linkindex.model import STEPS, Finding, Link, Record, Statement, Step
from linkindex.pipeline import Result


def explain(name: str, result: Result) -> str:
    """Raises KeyError, with the nearest ids, if no equation has this one."""
    index, resolution, runs, evidence, findings = result
    equations = {record.id: record for record in index.displayed}
    if name not in equations:
        near = get_close_matches(name, equations, 3) or list(equations)[:3]
        raise KeyError(f"no equation has the id {name!r}; nearest: {', '.join(near)}")
    equation, proof = equations[name], evidence.proofs.get(name)
    lines = [
        f"{equation.id}: {equation.title}",
        f"  written in {equation.place.path}:{equation.place.line}",
        f"  formula    {equation.latex}",
    ]
    lines.append(f"  page       {equation.page}/#{equation.anchor}")
    if isinstance(equation, Statement):
        lines.append("  statement  no code computes it; nothing but its LaTeX is checked")
        said = {"because": equation.because, "paper": equation.paper, "case": equation.case}
        lines.extend(f"  {key:<10} {text}" for key, text in said.items() if text)
        lines.extend(_finding(finding, equation) for finding in findings if finding.message.startswith(name + ":"))
        return "\n".join(lines)
    lines.extend(_link(link) for link in resolution.links.get(name, ()))
    test, run = resolution.tests.get(name), runs.tests.get(equation.test)
    if test:
        code, cases = " ".join(test.assertion.code.split()), len(run.cases) if run else 0
        lines.append(f"  tests      {test.assertion.file}:{test.assertion.line}  {code}")
        lines.append(f"             {equation.test}: {run.outcome if run else 'not run'}, {cases} case(s)")
    for row in proof.symbols if proof else ():
        shape = f"({', '.join(row.shape)})" if row.shape else "scalar"
        lines.append(f"  symbol     {row.latex}  =  {row.code}  {shape}, recorded {row.runtime_shape} {row.dtype}")
    lines.extend(f"  {step:<10} {_step(proof.steps[step])}" for step in STEPS if proof)
    lines.extend(_finding(finding, equation) for finding in findings if finding.message.startswith(name + ":"))
    return "\n".join(lines)


def _link(link: Link) -> str:
    return f"  {link.role:<10} {link.span.file}:{link.span.line}:{link.span.col}  {' '.join(link.span.code.split())}"


def _step(step: Step) -> str:
    if step.exception:
        return f"exception: {step.exception}"
    return "ok" if step.ok else f"no: {step.why}"


def _finding(finding: Finding, equation: Record) -> str:
    message = finding.message.removeprefix(equation.id + ": ")
    return f"  finding    {finding.place.path}:{finding.place.line} {finding.code} {message}"
