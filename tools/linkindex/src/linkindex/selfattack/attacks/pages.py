"""Faults in pages: prose, directives, links."""

from collections.abc import Callable

from linkindex.model import Concept, Page
from linkindex.selfattack.model import FAST, FULL, Attack, Plan, Pristine, expect, first
from linkindex.selfattack.targets import concepts
from linkindex.selfattack.texts import appended, lines_of, with_line

NO_CONCEPT = "no page has a section with an equation"
Lines = Callable[[Page, Concept], tuple[str, ...]]


def written(code: str, lines: Lines, at: int = 0) -> Callable[[Pristine], Plan]:
    """Lines below the heading of a concept; the finding is in the line number ``at`` of them."""

    def attack(project: Pristine) -> Plan:
        def plan(target: tuple[Page, Concept]) -> Plan:
            page, concept = target
            line = concept.place.line + 2
            new = with_line(project.text(page.path), line - 1, "", *lines(page, concept), "")
            return Plan({page.path: new.encode()}, expect(code, page.path, line + at))

        return first(concepts(project), plan, NO_CONCEPT)

    return attack


def text(*lines: str) -> Lines:
    return lambda page, concept: lines


def relation_between(page: Page, concept: Concept) -> tuple[str, ...]:
    return (f"Here ${page.notation[0].latex}$ = ${page.notation[-1].latex}$ holds.",)


def twin_anchor(page: Page, concept: Concept) -> tuple[str, ...]:
    return (f"### Planted {{#{concept.anchor.upper()}}}",)


def path_through(page: Page, concept: Concept) -> tuple[str, ...]:
    function = page.equations[0].probe.function
    return "::: path", "    run: planted()", f"    through: [{{says: planted, in: {function}, code: planted}}]"


def formula_in_a_heading(project: Pristine) -> Plan:
    def plan(target: tuple[Page, Concept]) -> Plan:
        page, concept = target
        whole = project.text(page.path)
        line = lines_of(whole)[concept.place.line - 1]
        new = whole.replace(line, line.replace("## ", f"## ${page.notation[0].latex}$ ", 1), 1)
        return Plan({page.path: new.encode()}, expect("LI116", page.path, concept.place.line))

    return first(concepts(project), plan, NO_CONCEPT)


def shown_twice(project: Pristine) -> Plan:
    def plan(target: tuple[Page, Concept]) -> Plan:
        page, concept = target
        directive = next(block for block in concept.blocks if getattr(block, "name", "") == "equation")
        again = f"::: equation {directive.arguments[0]}"
        new = with_line(project.text(page.path), concept.place.line + 1, "", again, "")
        return Plan({page.path: new.encode()}, expect("LI113", page.path, directive.place.line + 3))

    return first(concepts(project), plan, NO_CONCEPT)


def not_utf8(project: Pristine) -> Plan:
    def plan(target: tuple[Page, Concept]) -> Plan:
        page, concept = target
        new = with_line(project.text(page.path), concept.place.line + 1, "", "planted: \0", "").encode()
        return Plan({page.path: new.replace(b"\0", b"\xff")}, expect("LI109", page.path, concept.place.line + 2))

    return first(concepts(project), plan, NO_CONCEPT)


def open_fence(project: Pristine) -> Plan:
    def plan(target: tuple[Page, Concept]) -> Plan:
        page = target[0]
        new, line = appended(project.text(page.path), "```")
        return Plan({page.path: new.encode()}, expect("LI110", page.path, line + 1))

    return first(concepts(project), plan, NO_CONCEPT)


def name_of_a_generated_page(project: Pristine) -> Plan:
    path = f"{project.docs}/equations.md"
    return Plan({path: b"# Planted\n"}, expect("LI105", path, 1))


ATTACKS = (
    Attack("page: a displayed formula", FAST, written("LI114", text("$$1 = 1$$"))),
    Attack("page: a formula in a heading", FAST, formula_in_a_heading),
    Attack("page: a link to a page that is not there", FAST, written("LI117", text("[planted](planted.md)"))),
    Attack("page: a link to an anchor that is not there", FAST, written("LI118", text("[planted](#planted)"))),
    Attack("page: a relation between two formulas", FAST, written("LI504", relation_between)),
    Attack("page: a number that is typed", FAST, written("LI505", text("The largest of them is 0.35."))),
    Attack("page: two anchors that differ in case", FAST, written("LI105", twin_anchor)),
    Attack("page: a directive without a name", FAST, written("LI110", text("::: "))),
    Attack("page: an equation that there is not", FAST, written("LI112", text("::: equation planted.planted"))),
    Attack("page: an equation shown twice", FAST, shown_twice),
    Attack("page: options that do not parse", FAST, written("LI101", text("::: matrices", "    show: a: b"), 1)),
    Attack("page: the listing of an unknown function", FAST, written("LI201", text("::: listing planted.function"))),
    Attack("page: a path through code that is not there", FAST, written("LI207", path_through)),
    Attack("page: parameters of an unknown function", FAST,
           written("LI201", text("::: parameters", "    made in: planted.f"))),
    Attack("page: a code block that is never closed", FAST, open_fence),
    Attack("page: not UTF-8", FAST, not_utf8),
    Attack("page: the name of a generated page", FAST, name_of_a_generated_page),
    Attack("page: an unknown directive", FULL, written("LI602", text("::: planted"))),
    Attack("page: a value that was not recorded", FULL, written("LI603", text("::: matrices", "    show: [planted]"))),
    Attack("page: an unknown option", FULL, written("LI604", text("::: matrices", "    planted: x"))),
)
