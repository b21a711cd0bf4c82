"""The step ``tested``: the equation's own test was collected, passed, and executed the linked expressions."""

from collections.abc import Iterator, Mapping

from linkindex.model import Equation, Finding, Link, Step, TestRun

REMEDY = {
    "failed": "mend the code or the test",
    "error": "mend the test",
    "skipped": "a skipped test proves nothing: make it run, or link another one",
    "xfailed": "a test that is expected to fail proves nothing: mend it, or link another one",
    "xpassed": "a test marked as failing proves nothing when it passes: remove the mark",
    "missing": "correct the node id, or write the test",
}


def check_test(equation: Equation, links: tuple[Link, ...], run: TestRun | None) -> tuple[Step, list[Finding]]:
    place = equation.keys.get("test", equation.place)
    if run is None:
        return Step(False, "the linked test was not run"), []
    findings = [Finding(place, code, f"{equation.id}: {message}") for code, message in _faults(links, run)]
    return Step(not findings, findings[0].message if findings else None), findings


def _faults(links: tuple[Link, ...], run: TestRun) -> Iterator[tuple[str, str]]:
    if run.outcome != "passed":
        yield "LI402", f"its test {run.nodeid} is {run.outcome} ({run.why}): {REMEDY[run.outcome]}"
        return
    for link in links:
        code = " ".join(link.span.code.split())
        where = f"{link.span.file}:{link.span.line}"
        if link.key in run.collected:
            yield "LI404", f"{code!r} ({where}) runs while {run.nodeid.partition('::')[0]} is collected: compute expected values without the code under test, inside the test"
        if link.key not in run.executed:
            yield "LI403", f"its test {run.nodeid} passes without executing {code!r} ({where}): call the linked function in the test"


def shared_tests(equations: tuple[Equation, ...], links: Mapping[str, tuple[Link, ...]]) -> Iterator[Finding]:
    """No test may serve two equations that link different expressions."""
    owners: dict[str, Equation] = {}
    for equation in equations:
        other = owners.setdefault(equation.test, equation)
        if other is not equation and _expressions(equation, links) != _expressions(other, links):
            message = f"{equation.id}: the test {equation.test} already serves {other.id}, which links other code: write a test for this formula alone"
            yield Finding(equation.keys.get("test", equation.place), "LI405", message)


def _expressions(equation: Equation, links: Mapping[str, tuple[Link, ...]]) -> set[str]:
    return {link.key for link in links.get(equation.id, ())}
