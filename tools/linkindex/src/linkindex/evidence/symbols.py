"""The step ``symbols``: every symbol of the formula has a recorded value of the shape claimed, on different sizes."""

from collections.abc import Iterator, Mapping

from linkindex.evidence.left_side import not_assigned_here
from linkindex.evidence.subject import Outcome, Subject, outcome
from linkindex.evidence.trials import rounds
from linkindex.model import Finding, Step, SymbolRow, Value, Visit

Shapes = Mapping[str, tuple[str, ...] | None]


def symbol_rows(subject: Subject) -> tuple[SymbolRow, ...]:
    """The symbol table of one equation, with what the run with the configuration recorded."""
    run = next((run for run in subject.examples if run.kind == "configuration"), None)
    rows = []
    for latex in subject.formula.symbols:
        symbol = subject.symbols[latex]
        value = next(iter(subject.recorded(latex, run)), None) if run else None
        rows.append(
            SymbolRow(
                latex=latex,
                meaning=symbol.meaning,
                code=_code(subject, latex),
                shape=subject.shape(latex) or (),
                runtime_shape=value.shape if value else None,
                dtype=value.dtype if value else None,
            )
        )
    return tuple(rows)


def check(subject: Subject) -> Outcome:
    if not subject.examples:
        return Step(False, "the example was not run"), []
    if message := never_meant(subject):
        return outcome([subject.finding("where", "LI417", message)], subject.equation)
    findings = [finding for latex in subject.formula.symbols for finding in _check_symbol(subject, latex)]
    findings = findings or list(_wrong_shapes(subject))
    findings += [subject.finding("in", "LI409", message) for message in _equal_sizes(subject)]
    return outcome(findings, subject.equation)


def never_meant(subject: Subject) -> str | None:
    """Where the condition of the record holds in no visit of a run, no symbol has a value, and this is the reason."""
    equation, keys = subject.equation, [link.key for link in subject.probes]
    for run in subject.examples:
        if equation.where and not run.visits.get(equation.id) and any(key in run.executed for key in keys):
            return (
                f"the condition {equation.where!r} (where) never holds in the run {run.kind!r}, or cannot be evaluated "
                f"in {subject.probes[0].function}: correct it"
            )
    return None


def _equal_sizes(subject: Subject) -> Iterator[str]:
    """Sizes of the formula that are equal, computed ones included, would let one axis stand in for another."""
    for run in subject.examples:
        used = {name: size for name, size in run.sizes.items() if name in subject.sizes}
        if len(set(used.values())) < len(used):
            listed = ", ".join(f"{name} = {size}" for name, size in used.items())
            yield (
                f"the sizes that the formula uses are not all different in the run {run.kind!r} ({listed}): choose "
                f"others, under `sizes` in {subject.page.records} or in [tool.linkindex]"
            )
            return


def _check_symbol(subject: Subject, latex: str) -> Iterator[Finding]:
    """The first thing that is wrong with a symbol, if any."""
    symbol, shape = subject.symbols[latex], subject.shape(latex)
    code = _code(subject, latex)
    if subject.is_length(latex):
        return
    if not code:
        message = f"the symbol {latex} has no code: add `code: VARIABLE` to it in symbols.yml, with what holds it"
        yield Finding(symbol.place, "LI406", message)  # once, however many formulas need it
        return
    if shape is None:
        where = f"{code} in {subject.links[0].function}"
        message = f"the shape of {latex} is unknown: add a shape comment beside {where}, or `shape` to the symbol"
        yield Finding(symbol.place, "LI407", message)
        return
    for run in subject.examples:
        values = subject.recorded(latex, run)
        if not values:
            where = subject.links[0].function
            message = not_assigned_here(subject, latex) or (
                f"the symbol {latex} ({code}) has no value in {where}, in the run {run.kind!r}: write `{latex}: "
                f"{{code: VARIABLE}}` under `notation`, with a variable of {where}, or link the function that has it"
            )
            yield subject.finding("latex", "LI406", message)
            return


def _wrong_shapes(subject: Subject) -> Iterator[Finding]:
    """In one visit of each run all shapes are those claimed, with the sizes of the run. In others, as where a helper is
    called again, the axes may have other lengths, and each of them one."""
    shapes = {latex: subject.shape(latex) for latex in subject.formula.symbols}
    for run in subject.examples:
        if run.kind == "inputs":
            continue
        of_run, others = [], []
        for visits in rounds(subject, run):
            held = {latex: _held(subject, latex, visits) for latex, shape in shapes.items() if shape is not None}
            of_run.append(next(_mismatches(shapes, held, run.sizes), None))
            others.append(next(_mismatches(shapes, held, _read_off(shapes, held)), None))
        wrong = next(filter(None, others if None in of_run else of_run), None)
        if wrong:
            latex, how = wrong
            claimed = f"{latex} ({_code(subject, latex)}) should have the shape ({', '.join(shapes[latex])})"
            yield subject.finding("latex", "LI408", f"{claimed}, but {how}")
            return


def _held(subject: Subject, latex: str, visits: tuple[Visit, ...]) -> list[Value]:
    if subject.is_linked(latex):
        return [visit.value for visit in visits if visit.value is not None]
    found = (subject.value(latex, code, visits) for code in subject.symbols[latex].codes)
    return [value for value in found if value is not None]


def _read_off(shapes: Shapes, held: Mapping[str, list[Value]]) -> dict[str, int]:
    """The length of each axis, where it is met first."""
    sizes: dict[str, int] = {}
    for latex, values in held.items():
        for value in values:
            for axis, size in zip(shapes[latex], value.shape):
                sizes.setdefault(axis, size)
    return sizes


def _mismatches(
    shapes: Shapes, held: Mapping[str, list[Value]], sizes: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    for latex, values in held.items():
        for value in values:
            if wrong := _mismatch(shapes[latex], value, sizes):
                yield latex, wrong


def _code(subject: Subject, latex: str) -> str:
    if subject.is_length(latex):
        return next(_lengths_in_code(subject, latex), latex)
    return ", ".join(subject.symbols[latex].codes) or (
        (subject.equation.probe.code or subject.equation.at or "") if subject.is_linked(latex) else ""
    )


def _lengths_in_code(subject: Subject, axis: str) -> Iterator[str]:
    """Where the code has the length of an axis: in the shapes of the formula's other symbols."""
    for latex in subject.formula.symbols:
        shape, codes = subject.shape(latex) or (), subject.symbols[latex].codes
        if axis in shape and codes:
            yield f"{codes[0]}.shape[{shape.index(axis) - len(shape)}]"


def _mismatch(shape: tuple[str, ...], value: Value, sizes: Mapping[str, int]) -> str | None:
    unknown = [axis for axis in shape if not axis.isdigit() and axis not in sizes]
    if unknown:
        known = ", ".join(sizes) or "none"
        return (
            f"{unknown[0]} is no size symbol with a length, known are {known}: list it in the notation, and give it "
            "lengths under `sizes` there or in [tool.linkindex]"
        )
    expected = tuple(int(axis) if axis.isdigit() else sizes[axis] for axis in shape)
    if value.shape == expected:
        return None
    listed = ", ".join(f"{name} = {size}" for name, size in sizes.items())
    return f"it has the shape {value.shape}; with the sizes {listed} it should have been {expected}"
