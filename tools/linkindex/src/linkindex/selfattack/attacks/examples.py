"""Faults in the examples that pages show and that formulas are tried on."""

from collections.abc import Callable

from linkindex.model import Page, Place
from linkindex.selfattack.model import CHECK, Attack, Plan, Pristine, expect, first
from linkindex.selfattack.pythontext import first_line, top_level, with_def_name, with_first
from linkindex.selfattack.targets import examples, written_in
from linkindex.selfattack.texts import appended

NO_EXAMPLE = "no page with equations has an example"
NOISE = (
    "_planted_inputs = inputs",
    "def inputs():",
    "    rng = __import__('numpy').random.default_rng()",
    "    given = _planted_inputs()",
    "    return {name: value * (1 + 1e-9 * rng.random()) if getattr(value, 'dtype', None) == float else value",
    "            for name, value in given.items()}",
)
Change = Callable[[Page, str], tuple[str, int]]  # page and text of its example -> text, and the line of the finding


def planted(code: str, change: Change) -> Callable[[Pristine], Plan]:
    """A changed example, reported in the example."""

    def attack(project: Pristine) -> Plan:
        def plan(target: tuple[Page, str]) -> Plan:
            page, path = target
            new, line = change(page, project.text(path))
            return Plan({path: new.encode()}, expect(code, path, line))

        return first(examples(project), plan, NO_EXAMPLE)

    return attack


def at_equation(code: str, key: str, change: Callable[[str], str | None]) -> Callable[[Pristine], Plan]:
    """A changed example, reported at the first equation of its page; None: the example is removed."""

    def attack(project: Pristine) -> Plan:
        def plan(target: tuple[Page, str]) -> Plan:
            page, path = target
            new = change(project.text(path))
            equation = page.equations[0]
            expected = code, Place(equation.place.path, written_in(equation, key))
            return Plan({path: None if new is None else new.encode()}, expected)

        return first(examples(project), plan, NO_EXAMPLE)

    return attack


def begun(function: str, line: str) -> Change:
    return lambda page, text: with_first(text, top_level(text, function), line)


def without(function: str) -> Change:
    return lambda page, text: (with_def_name(text, top_level(text, function), f"{function}_planted"), 1)


def not_deterministic(page: Page, text: str) -> tuple[str, int]:
    return appended(text, *NOISE)[0], first_line(top_level(text, "run"))


def dies(page: Page, text: str) -> tuple[str, int]:
    return with_first(text, top_level(text, "run"), "__import__('os')._exit(3)")[0], 1


def skips_the_code(text: str) -> str:
    """Where the check calls it: other functions of the example may need what it returns."""
    line = "if __import__('sys')._getframe(1).f_globals is not globals(): return None"
    return with_first(text, top_level(text, "run"), line)[0]


def sample_of_one_size(text: str) -> str:
    return appended(text, "def sample(rng, sizes):", "    return inputs()")[0]


ATTACKS = (
    Attack("example: raises", CHECK, planted("LI302", begun("run", "raise RuntimeError('planted')"))),
    Attack("example: a syntax error", CHECK, planted("LI302", begun("run", ")"))),
    Attack("example: without sample()", CHECK, planted("LI301", without("sample"))),
    Attack("example: without inputs()", CHECK, planted("LI301", without("inputs"))),
    Attack("example: not deterministic", CHECK, planted("LI303", not_deterministic)),
    Attack("example: kills its process", CHECK, planted("LI305", dies)),
    Attack("example: skips the code", CHECK, at_equation("LI401", "in", skips_the_code)),
    Attack("example: removed", CHECK, at_equation("LI301", "in", lambda text: None)),
    Attack("example: sample() ignores the sizes", CHECK, at_equation("LI408", "latex", sample_of_one_size)),
)
