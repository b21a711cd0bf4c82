"""Faults in the records of equations."""

from collections.abc import Callable

from linkindex.model import GIVES, Equation, Page
from linkindex.selfattack.model import CHECK, FAST, FULL, Attack, Plan, Pristine, expect, first
from linkindex.selfattack.targets import assigned, concepts, page_of
from linkindex.selfattack.texts import lines_of, without_lines
from linkindex.selfattack.yamltext import (
    first_key_line, key_line, quoted, with_entry, with_name, with_value, without,
)  # fmt: skip

NO_RECORD = "no record is written as a block of lines"


def each_record(project: Pristine, plan: Callable[[Equation, str], Plan | None], missing: str = NO_RECORD) -> Plan:
    """The plan for the first equation whose record, in the text of its file, can be edited in this way."""
    equations = project.index.equations
    return first(equations, lambda equation: plan(equation, project.text(equation.place.path)), missing)


def set_value(code: str, key: str, value: str) -> Callable[[Pristine], Plan]:
    """Another value of a key, reported in its line."""

    def attack(project: Pristine) -> Plan:
        def plan(equation: Equation, text: str) -> Plan:
            new = with_value(text, value, equation.id, key)
            path = equation.place.path
            return Plan({path: new.encode()}, expect(code, path, key_line(text, equation.id, key)))

        return each_record(project, plan)

    return attack


def add_entry(code: str, entry: str, unless: str, at: str | None = None) -> Callable[[Pristine], Plan]:
    """One more ``key: value`` in a record without the key ``unless``; reported in its line, or in that of ``at``."""

    def attack(project: Pristine) -> Plan:
        def plan(equation: Equation, text: str) -> Plan | None:
            if unless in equation.keys:
                return None
            new, line = with_entry(text, equation.id, entry)
            path = equation.place.path
            return Plan({path: new.encode()}, expect(code, path, key_line(new, equation.id, at) if at else line))

        return each_record(project, plan)

    return attack


def missing_key(project: Pristine) -> Plan:
    def plan(equation: Equation, text: str) -> Plan:
        new = without(text, equation.id, "test")
        path = equation.place.path
        return Plan({path: new.encode()}, expect("LI103", path, first_key_line(new, equation.id)))

    return each_record(project, plan)


def duplicate_id(project: Pristine) -> Plan:
    def plan(page: Page) -> Plan | None:
        if len(page.equations) < 2:
            return None
        one, two = page.equations[:2]
        path = two.place.path
        new = with_name(project.text(path), one.id, two.id)
        return Plan({path: new.encode()}, expect("LI104", path, two.place.line))

    return first(project.index.pages, plan, "no page has two equations")


def id_with_a_capital(project: Pristine) -> Plan:
    def plan(equation: Equation, text: str) -> Plan:
        prefix, _, name = equation.id.rpartition(".")
        new = with_name(text, f"{prefix}.{name.capitalize()}", equation.id)
        return Plan({equation.place.path: new.encode()}, expect("LI106", equation.place.path, equation.place.line))

    return each_record(project, plan)


def id_with_a_second_dot(project: Pristine) -> Plan:
    """``page.twin.a`` would share the anchor eq-page-twin-a with ``page.twin-a``."""

    def plan(page: Page) -> Plan | None:
        if len(page.equations) < 2:
            return None
        one, two = page.equations[:2]
        path, prefix = two.place.path, page.stem.replace("/", ".")
        new = with_name(project.text(path), f"{prefix}.twin-a", one.id)
        new = with_name(new, f"{prefix}.twin.a", two.id)
        return Plan({path: new.encode()}, expect("LI106", path, two.place.line))

    return first(project.index.pages, plan, "no page has two equations")


def renamed_id(project: Pristine) -> Plan:
    def plan(equation: Equation, text: str) -> Plan:
        new = with_name(text, f"{equation.id}-planted", equation.id)
        return Plan({equation.place.path: new.encode()}, expect("LI223", equation.place.path, equation.place.line))

    return each_record(project, plan)


def dropped_record(project: Pristine) -> Plan:
    def plan(equation: Equation, text: str) -> Plan:
        path = f"{project.docs}/links.lock"
        line = project.index.lock[equation.id].line
        return Plan({equation.place.path: without(text, equation.id).encode()}, expect("LI222", path, line))

    return each_record(project, plan)


def dropped_record_still_shown(project: Pristine) -> Plan:
    def plan(equation: Equation, text: str) -> Plan:
        page = page_of(project, equation)
        shown = next(
            block.place for concept in page.concepts for block in concept.blocks
            if getattr(block, "name", "") == "equation" and equation.id in block.arguments
        )
        return Plan({equation.place.path: without(text, equation.id).encode()}, expect("LI112", shown.path, shown.line))

    return each_record(project, plan)


def all_records_dropped(project: Pristine) -> Plan:
    paths = {equation.place.path for equation in project.index.equations}
    return Plan(dict.fromkeys(paths, b""), expect("LI119", project.docs, 1))


def page_of_records_removed(project: Pristine) -> Plan:
    def plan(page: Page) -> Plan:
        return Plan({page.path: None}, expect("LI115", page.equations[0].place.path, 1))

    return first((page for page in project.index.pages if page.equations), plan, "no page has equations")


def linked_to_another_test(project: Pristine) -> Plan:
    def plan(equation: Equation, text: str) -> Plan | None:
        other = next((one.test for one in project.index.equations if one.test != equation.test), None)
        if other is None:
            return None
        new, path = with_value(text, other, equation.id, "test"), equation.place.path
        return Plan({path: new.encode()}, expect("LI227", path, key_line(new, equation.id, "test")))

    return each_record(project, plan, "all equations have one test")


def linked_to_another_function(project: Pristine) -> Plan:
    def plan(equation: Equation, text: str) -> Plan | None:
        if equation.computes or equation.probe.via:
            return None
        link = next((link for _, link in assigned(project) if link.function != equation.probe.function), None)
        if link is None:
            return None
        new, path = with_value(text, link.function, equation.id, "in"), equation.place.path
        if "code" in equation.keys:
            new = with_value(new, link.target, equation.id, "code")
        else:
            new, _ = with_entry(new, equation.id, f"code: {link.target}")
        return Plan({path: new.encode()}, expect("LI225", path, key_line(new, equation.id, "in")))

    return each_record(project, plan, "all equations are linked to one function")


def another_line_of_the_callee(project: Pristine) -> Plan:
    """The record names a line of the called function that gives a value of another shape."""

    def plan(equation: Equation, text: str) -> Plan | None:
        given = next((link for link in project.resolution.links[equation.id] if link.part == GIVES), None)
        if given is None:
            return None
        shapes = project.resolution.shapes[given.function]
        other = next((name for name, shape in shapes.items() if shape != given.comment_shape), None)
        if other is None:
            return None
        new = with_value(text, f"{{in: {given.function}, code: {other}}}", equation.id, "computes")
        path = equation.place.path
        return Plan({path: new.encode()}, expect("LI414", path, key_line(new, equation.id, "computes")), relock=True)

    return each_record(project, plan, "no record names a called function with a line of another shape")


def via_that_leads_elsewhere(project: Pristine) -> Plan:
    """A later line of the function, which cannot have a share in the value."""
    every = list(assigned(project))

    def plan(equation: Equation, text: str) -> Plan | None:
        own = next((link for one, link in every if one == equation), None)
        later = (
            link.target for _, link in every
            if own and link.function == own.function and link.statement.line > own.statement.end_line
        )  # fmt: skip
        name = next(later, None)
        if name is None or "via" in equation.keys:
            return None
        new, line = with_entry(text, equation.id, f"via: [{name}]")
        return Plan({equation.place.path: new.encode()}, expect("LI215", equation.place.path, line))

    return each_record(project, plan, "no function has two linked lines")


def equivalent_that_is_noticed(project: Pristine) -> Plan:
    def plan(equation: Equation, text: str) -> Plan | None:
        noticed = [verdict for verdict in project.runs.verdicts.get(equation.id, ()) if verdict.outcome == "assertion"]
        if "equivalent" in equation.keys or not noticed:
            return None
        new, line = with_entry(text, equation.id, f"equivalent: {{{quoted(noticed[0].mutant.code)}: planted}}")
        return Plan({equation.place.path: new.encode()}, expect("LI456", equation.place.path, line))

    return each_record(project, plan, "no mutant is noticed by an assertion")


def free_that_is_needed(project: Pristine) -> Plan:
    """A symbol that matters, listed among those that may have any value."""

    def plan(equation: Equation, text: str) -> Plan | None:
        formula = project.resolution.formulas[equation.id]
        needed = [latex for latex in formula.symbols if latex not in formula.target and latex.isalpha()]
        if "free" in equation.keys or equation.is_property or not needed or not formula.target:
            return None
        new, _ = with_entry(text, equation.id, f"free: [{quoted(needed[0])}]")
        path = equation.place.path
        return Plan({path: new.encode()}, expect("LI420", path, key_line(new, equation.id, "latex")))

    return each_record(project, plan, "no formula uses a symbol of letters only")


def not_shown(project: Pristine) -> Plan:
    """The record stays, and the page shows it no more."""

    def plan(equation: Equation) -> Plan | None:
        for page, concept in concepts(project):
            for block in concept.blocks:
                if getattr(block, "name", "") == "equation" and equation.id in block.arguments:
                    text = project.text(page.path)
                    line = lines_of(text)[block.place.line - 1]
                    rest = [name for name in block.arguments if name != equation.id]
                    shorter = without_lines(text, block.place.line, block.place.line)
                    if rest:
                        shorter = text.replace(line, "::: equation " + " ".join(rest), 1)
                    expected = expect("LI113", equation.place.path, equation.place.line)
                    return Plan({page.path: shorter.encode()}, expected)
        return None

    return first(project.index.equations, plan, "no page shows an equation")


def key_twice(project: Pristine) -> Plan:
    """A second title above the first, which is then the one too many."""

    def plan(equation: Equation, text: str) -> Plan:
        new, _ = with_entry(text, equation.id, "title: planted")
        path = equation.place.path
        return Plan({path: new.encode()}, expect("LI104", path, key_line(text, equation.id, "title") + 1))

    return each_record(project, plan)


ATTACKS = (
    Attack("records: YAML that does not parse", FAST, set_value("LI101", "title", "a title: with a colon")),
    Attack("records: an unknown key", FAST, add_entry("LI102", "planted: x", "planted")),
    Attack("records: a missing key", FAST, missing_key),
    Attack("records: a key written twice", FAST, key_twice),
    Attack("records: an id used twice", FAST, duplicate_id),
    Attack("records: an id with a capital letter", FAST, id_with_a_capital),
    Attack("records: an id with a second dot", FAST, id_with_a_second_dot),
    Attack("records: a renamed id", FAST, renamed_id),
    Attack("records: a list where a text belongs", FAST, set_value("LI107", "title", "[planted]")),
    Attack("records: an equation that was dropped", FAST, dropped_record),
    Attack("records: an equation that was dropped and is still shown", FAST, dropped_record_still_shown),
    Attack("records: all equations dropped", FAST, all_records_dropped),
    Attack("records: records whose page was removed", FAST, page_of_records_removed),
    Attack("records: an equation that no page shows", FAST, not_shown),
    Attack("records: a module that is not there", FAST, set_value("LI201", "in", "planted_module.function")),
    Attack("records: code that is no expression", FAST, add_entry("LI206", "code: 'x ='", "code")),
    Attack("records: code that is not in the function", FAST, add_entry("LI207", "code: planted_name + 1", "code")),
    Attack("records: a test without a function", FAST, set_value("LI210", "test", "planted.py")),
    Attack("records: linked to another test", FAST, linked_to_another_test),
    Attack("records: linked to another function", FAST, linked_to_another_function),
    Attack("records: linked to another line of the called function", CHECK, another_line_of_the_callee),
    Attack("records: passing through a line that leads elsewhere", FAST, via_that_leads_elsewhere),
    Attack("records: a condition that is no expression", FAST, add_entry("LI123", "where: '['", "where")),
    Attack("records: a property neither true nor false", FAST, add_entry("LI107", "property: perhaps", "property")),
    Attack("records: an exception from no step", FAST, add_entry("LI107", "exception: {x: planted}", "exception")),
    Attack("records: an exception without a reason", FAST, add_entry("LI107", "exception: {formula: ''}", "exception")),
    Attack("records: an operator without its arguments", CHECK, add_entry("LI422", "defines: planted", "defines")),
    Attack("records: a needed symbol declared free", CHECK, free_that_is_needed),
    Attack("records: a symbol declared free that is not used", CHECK, add_entry("LI424", "free: [planted]", "free")),
    Attack("records: no mutant declared equivalent", FULL, add_entry("LI455", "equivalent: {x + 77: x}", "equivalent")),
    Attack("records: a noticed mutant declared equivalent", FULL, equivalent_that_is_noticed),
)
