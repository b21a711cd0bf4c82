"""Recorded runs as trials of a formula: values with symbolic axes, one trial for each round of visits."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from linkindex.evidence.subject import Subject
from linkindex.formula.trials import Bound, Trial
from linkindex.model import ExampleRun, Value, Visit


def rounds(subject: Subject, run: ExampleRun) -> Iterator[tuple[Visit, ...]]:
    """One visit of each of the equation's probes."""
    by_probe = [
        [visit for visit in run.visits.get(subject.equation.id, ()) if visit.key == link.key] for link in subject.probes
    ]
    yield from zip(*by_probe)


def trials_of(subject: Subject, runs: Sequence[ExampleRun] | None = None) -> Iterator[Trial]:
    """``runs``: those on ordinary inputs without it."""
    shapes = _target_shapes(subject)
    for run in subject.examples if runs is None else runs:
        for visits in rounds(subject, run):
            symbols, targets = _symbols(subject, visits), _targets(subject, visits, shapes)
            sizes = {**run.sizes, **_sizes((*symbols.values(), *targets))}
            lengths = [one for one in subject.formula.symbols if subject.is_length(one) and one in sizes]
            symbols |= {one: Bound(sizes[one], ()) for one in lengths}
            yield Trial(symbols, targets, sizes, strict=not run.is_further)


def _symbols(subject: Subject, visits: tuple[Visit, ...]) -> dict[str, Bound]:
    symbols = {}
    for latex in subject.formula.symbols:
        symbol, shape = subject.symbols[latex], subject.shape(latex)
        values = [subject.value(latex, code, visits) for code in symbol.codes]
        if shape is None or not values or None in values:
            continue
        arrays = [value.array() for value in values]
        symbols[latex] = Bound(dict(zip(symbol.family, arrays)) if symbol.family else arrays[0], shape)
    return symbols


def _targets(subject: Subject, visits: tuple[Visit, ...], shapes: tuple[tuple[str, ...], ...]) -> tuple[Bound, ...]:
    values = [visit.value.array() for visit in visits if visit.value is not None]
    members = [link.member for link in subject.probes]
    if any(members):
        return (Bound(dict(zip(members, values)), shapes[0]),)
    return tuple(Bound(value, shape) for value, shape in zip(values, shapes))


def _target_shapes(subject: Subject) -> tuple[tuple[str, ...], ...]:
    """Symbolic shapes of the linked values: the symbol's, or read off a run in which all sizes differ."""
    if subject.formula.target and not (subject.equation.probe.code or subject.equation.at):
        return tuple(
            subject.shape(latex) or () for latex in subject.formula.target for _ in range(_places(subject, latex))
        )
    run = next((run for run in subject.examples if run.kind != "inputs"), None)  # scalar code has no sizes
    visits = run.visits.get(subject.equation.id, ()) if run else ()
    sizes = {name: size for name, size in run.sizes.items() if name in subject.sizes} if run else {}
    return tuple(_named(visit.value, sizes) for visit in visits if visit.value is not None)


def _places(subject: Subject, latex: str) -> int:
    return max(1, len(subject.symbols[latex].family))


def _named(value: Value, sizes: Mapping[str, int]) -> tuple[str, ...]:
    """A shape in size symbols; an axis of no known size keeps its number."""
    names = {size: name for name, size in reversed(sizes.items())}
    return tuple("1" if size == 1 else names.get(size, str(size)) for size in value.shape)


def _sizes(bounds: Iterable[Bound]) -> dict[str, int]:
    """Axis lengths, read off shapes."""
    return {
        axis: size
        for bound in bounds
        for array in bound.arrays()
        for axis, size in zip(bound.shape, array.shape)
        if not axis.isdigit()
    }
