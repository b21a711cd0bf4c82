"""Faults in the lock: it must not be possible to lose it, or an entry of it, unnoticed."""

from collections.abc import Callable

from linkindex.model import Equation, Place
from linkindex.selfattack.model import FAST, Attack, Plan, Pristine, expect
from linkindex.selfattack.targets import written_in


def _path(project: Pristine) -> str:
    return f"{project.docs}/links.lock"


def _lines(project: Pristine) -> list[str]:
    return project.text(_path(project)).split("\n")


def _entry(project: Pristine, name: str) -> str:
    """The lines of an entry, with the empty one behind them."""
    start = project.index.lock[name].line - 1
    lines = _lines(project)[start:]
    return "\n".join(lines[: lines.index("")]) + "\n\n"


def _equation(project: Pristine) -> Equation:
    return project.index.equations[0]


def missing(project: Pristine) -> Plan:
    return Plan({_path(project): None}, expect("LI221", _path(project), 1))


def damaged_line(project: Pristine) -> Plan:
    line = project.index.lock[_equation(project).id].line + 1
    lines = _lines(project)
    lines[line - 1] = lines[line - 1][:-5]
    return Plan({_path(project): "\n".join(lines).encode()}, expect("LI120", _path(project), line))


def dropped_entry(project: Pristine) -> Plan:
    equation = _equation(project)
    text = "\n".join(_lines(project)).replace(_entry(project, equation.id), "")
    return Plan({_path(project): text.encode()}, expect("LI223", equation.place.path, equation.place.line))


def entry_too_many(project: Pristine) -> Plan:
    name = min(project.index.lock)
    entry, start = _entry(project, name), project.index.lock[name].line
    text = "\n".join(_lines(project)).replace(entry, entry.replace(name, f"!{name}", 1) + entry)
    return Plan({_path(project): text.encode()}, expect("LI222", _path(project), start))


def not_utf8(project: Pristine) -> Plan:
    return Plan({_path(project): b"\xff" + project.data(_path(project))}, expect("LI109", _path(project), 1))


Where = Callable[[Pristine, Equation], Place]


def changed(code: str, key: str, value: str, place: Where) -> Callable[[Pristine], Plan]:
    """Another value in one line, reported at what it was locked for."""

    def attack(project: Pristine) -> Plan:
        equation = _equation(project)
        lines = _lines(project)
        start = project.index.lock[equation.id].line
        number = next(at for at in range(start, len(lines)) if lines[at].startswith(f"  {key} "))
        lines[number] = f"  {key} {value}"
        return Plan({_path(project): "\n".join(lines).encode()}, (code, place(project, equation)))

    return attack


def at_key(key: str) -> Where:
    return lambda project, equation: Place(equation.place.path, written_in(equation, key))


def at_code(project: Pristine, equation: Equation) -> Place:
    span = project.resolution.links[equation.id][0].span
    return Place(span.file, span.line)


ATTACKS = (
    Attack("lock: missing", FAST, missing),
    Attack("lock: a damaged line", FAST, damaged_line),
    Attack("lock: a dropped entry", FAST, dropped_entry),
    Attack("lock: an entry too many", FAST, entry_too_many),
    Attack("lock: not UTF-8", FAST, not_utf8),
    Attack("lock: another hash of the formula", FAST, changed("LI224", "latex", "0" * 16, at_key("latex"))),
    Attack("lock: another hash of the code", FAST, changed("LI226", "code", "0" * 16, at_code)),
    Attack("lock: another function", FAST, changed("LI225", "in", "planted.function", at_key("in"))),
    Attack("lock: another test", FAST, changed("LI227", "test", "planted.py::test", at_key("test"))),
)
