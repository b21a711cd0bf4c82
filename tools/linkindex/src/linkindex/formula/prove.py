"""What counts as proof that a displayed formula says what the code computed.

Agreement alone proves little: a formula may hold because it repeats its target, because a symbol plays no part in it,
or because the inputs were zeros. Each rule here rules out one such way.
"""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkindex.formula.compare import Comparison, compare
from linkindex.formula.difference import TOLERANCE
from linkindex.formula.errors import EvaluationError
from linkindex.formula.parse import Formula
from linkindex.formula.same import same_inputs
from linkindex.formula.simpler import Change, changed_numbers, same_sides, without_parts
from linkindex.formula.syntax import Index, symbols_in, walk
from linkindex.formula.trials import Bound, Reading, Trial, moved, random_like
from linkindex.formula.truth import merged

STEPS = (0.1, 1.0)  # how far symbols are moved: a little; as far as it takes to change a maximum or a threshold
MOVES = ((0.1, 1), (1.0, 1), (1.0, 2), (1.0, 3))  # with seeds: one draw of whole numbers may leave a count as it was


@dataclass(frozen=True)
class Result:
    """``max_error`` and ``tolerance`` are in units of |y| + 0.01 max |y|; None where no finite error is known."""

    ok: bool
    why: str | None
    max_error: float | None
    tolerance: float
    trials: int


def prove(formula: Formula, trials: Sequence[Trial], reading: Reading) -> Result:
    """The formula against all trials, by all rules. A fault of the checker itself is "not checked", never a verdict."""
    try:
        with np.errstate(all="ignore"):
            return _prove(formula, tuple(_with_free_values(trials, reading)), reading)
    except EvaluationError as error:
        part = formula.source[slice(*error.span)]
        return _refused(f"{error.message}" + (f" (in {part})" if part else ""), len(trials))
    except Exception as error:  # whatever it is, it says nothing of the formula
        return _refused(f"not checked: {type(error).__name__}: {error}", 0)


def holds(formula: Formula, trials: Sequence[Trial], reading: Reading) -> bool:
    """Whether there are trials, and the formula agrees with all of them. One without a value does not."""
    try:
        with np.errstate(all="ignore"):
            found = [compare(formula, trial, reading).agrees for trial in _with_free_values(trials, reading)]
    except Exception:
        return False
    return bool(found) and all(found)


def _refused(why: str, trials: int) -> Result:
    return Result(False, why, None, TOLERANCE, trials)


def _prove(formula: Formula, trials: tuple[Trial, ...], reading: Reading) -> Result:
    if not trials:
        return _refused("not checked: the probe was never reached, so there is nothing to compare with", 0)
    unfit = itertools.chain(  # one after the other: where a value is missing, the later ones do not find it
        _unbound(formula, trials),
        _dull_inputs(formula, trials),
        _circular(formula, trials, reading),
        _beside_the_code(formula, trials, reading),
    )
    for why in unfit:
        return _refused(why, len(trials))
    comparisons = [compare(formula, trial, reading) for trial in trials]
    error = max(comparison.error for comparison in comparisons)
    why = next((comparison.why for comparison in comparisons if comparison.why), None)
    why = why or next(iter(_vacuous(formula, comparisons)), None)
    why = why or next(iter(_without_effect(formula, trials, comparisons, reading)), None)
    why = why or next(iter(_idle_parts(formula, trials, comparisons, reading)), None)
    why = why or next(iter(_whatever_the_code(formula, trials, reading)), None)
    why = why or next(iter(same_inputs(formula, trials, reading)), None)
    return Result(why is None, why, error if np.isfinite(error) else None, TOLERANCE, len(trials))


def _with_free_values(trials: Iterable[Trial], reading: Reading) -> Iterable[Trial]:
    """Symbols that may have any value get random ones."""
    rng = np.random.default_rng(0)
    for trial in trials:
        free = {latex: random_like(trial.symbols[latex], rng) for latex in reading.free if latex in trial.symbols}
        yield replace(trial, symbols={**trial.symbols, **free})


# --- the rules, each giving what is wrong


def _unbound(formula: Formula, trials: Sequence[Trial]) -> Iterable[str]:
    for latex in formula.symbols:
        if latex not in formula.target and not all(latex in trial.symbols for trial in trials):
            yield f"not checked: no value was recorded for {latex}"
    if formula.target and any(len(trial.target) != len(formula.target) for trial in trials):
        yield f"the left side names {len(formula.target)} symbols, the linked code gives {len(trials[0].target)} values"


def _circular(formula: Formula, trials: Sequence[Trial], reading: Reading) -> Iterable[str]:
    """The target stands on the left alone, and something else says what it is."""
    if reading.property or not (formula.target or formula.head):
        return
    members = formula.statements[0].chain.members
    right = symbols_in(*(expression for member in members[1:] for expression in member))
    for latex in formula.target:
        if latex in right:
            yield f"{latex} is on both sides: the right side must say what it is by other symbols"
    says = [node for member in members[1:] for expression in member for node in walk(expression)]
    if not right and not any(isinstance(node, Index) for node in says):
        yield "no member uses another symbol than the target: nothing is said of how it is computed"
    for latex in sorted(right):
        for position, target in enumerate(formula.target or ("the linked value",)):
            if all(_same(trial, latex, position) for trial in trials):
                yield f"{latex} has the value of {target} in every trial: it is another name for the same thing"


def _beside_the_code(formula: Formula, trials: Sequence[Trial], reading: Reading) -> Iterable[str]:
    """A property speaks of the value of the linked code, by a symbol that stands for it."""
    if reading.property and not any(
        latex not in reading.free and all(_is_linked(trial.symbols[latex], trial) for trial in trials)
        for latex in formula.symbols
        if all(latex in trial.symbols for trial in trials)
    ):
        yield "no symbol of this property stands for the linked value: write `code: VARIABLE`, the variable of one"


def _is_linked(bound: Bound, trial: Trial) -> bool:
    ours = bound.arrays()
    theirs = [array for target in trial.target for array in target.arrays()]
    return bool(ours) and all(any(np.array_equal(a, b) for b in theirs) for a in ours)


def _same(trial: Trial, latex: str, position: int) -> bool:
    ours, theirs = trial.symbols[latex].arrays(), trial.target[position].arrays()
    return len(ours) == len(theirs) and all(a.size > 1 and np.array_equal(a, b) for a, b in zip(ours, theirs))


def _dull_inputs(formula: Formula, trials: Sequence[Trial]) -> Iterable[str]:
    """An input of zeros, ones or one repeated number hides what the formula does with it."""
    for latex in formula.symbols:
        if latex in formula.target:
            continue
        for trial in trials:
            for array in trial.symbols[latex].arrays():
                if array.dtype.kind != "f" or not array.size:
                    continue
                if np.all(array == array.flat[0]) and (array.size > 1 or array.flat[0] in (0.0, 1.0)):
                    yield f"{latex} is {array.flat[0]:g} everywhere in a trial: the sample must draw random values"


def _vacuous(formula: Formula, comparisons: Sequence[Comparison]) -> Iterable[str]:
    """Conditions that are never met, or never fail; entries of the target of which nothing is said."""
    for span, (true, false) in merged(comparison.truths for comparison in comparisons).items():
        if not (true and false):
            yield f"the condition {formula.source[slice(*span)]} is {'always' if true else 'never'} met in the trials"
    if not all(comparison.covered for comparison in comparisons):
        yield "the formula does not say what every entry of its left side is: write cases, or mark it `property: true`"


def _without_effect(
    formula: Formula, trials: Sequence[Trial], comparisons: Sequence[Comparison], reading: Reading
) -> Iterable[str]:
    """Every symbol plays a part: with other values in its place, the formula fails."""
    for latex in formula.symbols:
        if latex in formula.target or latex in reading.free:
            continue
        runs = itertools.product(MOVES, zip(trials, comparisons, strict=True))
        if not any(_feels(formula, latex, trial, before, reading, *move) for move, (trial, before) in runs):
            yield f"moving {latex} changes nothing: leave it out, or list it under `free` if it may have any value"


def _idle_parts(
    formula: Formula, trials: Sequence[Trial], comparisons: Sequence[Comparison], reading: Reading
) -> Iterable[str]:
    """Every number and every part plays a part: changed, or left out, the formula fails."""
    runs = list(zip(trials, comparisons, strict=True))
    for change in changed_numbers(formula):
        if not _tells(change, formula, runs, reading):
            yield f"changing {change.part} changes nothing: leave it out, or draw a sample in which it matters"
    for change in without_parts(formula):
        if not _tells(change, formula, runs, reading):
            yield f"leaving out {change.part} changes nothing: leave it out, or draw a sample in which it matters"


def _tells(change: Change, formula: Formula, runs: Sequence[tuple[Trial, Comparison]], reading: Reading) -> bool:
    """Whether one of the changed formulas fails, or has no value, or only repeats itself."""
    for other, (trial, before) in itertools.product((*change.others, *change.finer), runs):
        try:
            after = compare(other, trial, reading)
            sides = [compare(same, trial, replace(reading, property=True)) for same in same_sides(formula, other)]
        except EvaluationError:
            if any(other is one for one in change.others):
                return True
            continue
        changed = after.truths != before.truths or not all(found.agrees for found in (after, *sides))
        if changed or _repeats_itself(other) > _repeats_itself(formula):
            return True
    return False


def _repeats_itself(formula: Formula) -> bool:
    chains = [statement.chain for statement in formula.statements]
    return any(a == b for chain in chains for a, b in itertools.pairwise(chain.members))


def _whatever_the_code(formula: Formula, trials: Sequence[Trial], reading: Reading) -> Iterable[str]:
    """A property must be able to fail: with some other value in place of the linked one, it does."""
    if reading.property and not any(
        _fails(formula, _with_other_code(trial, change), reading) for change in _other_values() for trial in trials
    ):
        yield "the property holds whatever the linked code computes: claim something of its value"


def _other_values() -> Iterable[Callable[[Bound], Bound]]:
    """Seeded anew for each value, so that two notations of one value stay equal."""
    for step in STEPS:
        yield lambda bound, step=step: moved(bound, np.random.default_rng(1), step)
    yield lambda bound: random_like(bound, np.random.default_rng(1))
    yield lambda bound: random_like(bound, np.random.default_rng(1)).changed(np.negative)


def _with_other_code(trial: Trial, change: Callable[[Bound], Bound]) -> Trial:
    """This run, had the linked code computed other values."""
    symbols = {latex: change(bound) if _is_linked(bound, trial) else bound for latex, bound in trial.symbols.items()}
    return replace(trial, symbols=symbols, target=tuple(change(bound) for bound in trial.target))


def _fails(formula: Formula, trial: Trial, reading: Reading) -> bool:
    try:
        return not compare(formula, trial, reading).agrees
    except EvaluationError:
        return False


def _feels(
    formula: Formula, latex: str, trial: Trial, before: Comparison, reading: Reading, step: float, seed: int
) -> bool:
    """Whether the formula fails, or one of its conditions turns, when ``latex`` moves."""
    try:
        after = compare(formula, trial.moved(latex, np.random.default_rng(seed), step), reading)
    except EvaluationError:  # of a size, that is an effect: with another one the formula has no value
        return trial.symbols[latex].is_whole
    return not after.agrees or after.truths != before.truths
