"""Options of a directive: which there are, and what each must look like. Everything wrong is a fault LI604."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from linkindex.model import Directive
from linkindex.render.faults import Fault, Faults, fault, nearest


@dataclass(frozen=True)
class Option:
    """``read`` turns what the YAML holds into the value; an option without ``default`` must be given."""

    read: Callable[[object], Any]
    required: bool = False
    default: Any = None


def read_options(directive: Directive, known: Mapping[str, Option], arguments: int = 0) -> dict[str, Any]:
    """The directive's options, defaults filled in. ``arguments``: how many words follow the name (-1: any number)."""
    wrong: list[Fault] = []
    if arguments >= 0 and len(directive.arguments) != arguments:
        found = " ".join(directive.arguments) or "none"
        wrong.append(Fault("LI604", f"'::: {directive.name}' takes {arguments} arguments, found {found}"))
    for name in directive.options:
        if name not in known:
            wrong.append(Fault("LI604", f"'::: {directive.name}' has no option {name!r}; {nearest(name, known)}"))
    values: dict[str, Any] = {}
    for name, option in known.items():
        if name in directive.options:
            try:
                values[name] = option.read(directive.options[name])
            except ValueError as error:
                wrong.append(Fault("LI604", f"option {name!r} of '::: {directive.name}': {error}"))
        elif option.required:
            wrong.append(Fault("LI604", f"'::: {directive.name}' needs the option {name!r}, indented below it"))
        else:
            values[name] = option.default
    if wrong:
        raise Faults(*wrong)
    return values


def text(value: object) -> str:
    if not isinstance(value, (str, int, float)):
        raise ValueError(f"expected text, found {value!r}")
    return str(value)


def texts(value: object) -> tuple[str, ...]:
    """A list of texts; a single text counts as a list of one."""
    items = value if isinstance(value, (list, tuple)) else [value]
    if not items:
        raise ValueError("expected at least one entry, found none")
    return tuple(text(item) for item in items)


def whole(value: object) -> int:
    try:
        number = int(str(value))
    except ValueError:
        raise ValueError(f"expected a whole number, found {value!r}") from None
    if not 0 <= number <= 1000:
        raise ValueError(f"expected a whole number from 0 to 1000, found {number}")
    return number


def decimals(value: object) -> int:
    number = whole(value)
    if number > 17:
        raise ValueError(f"expected at most 17 decimals, which is all that a number holds, found {number}")
    return number


def positive(value: object) -> float:
    try:
        number = float(str(value))
    except ValueError:
        raise ValueError(f"expected a number, such as 1e-12, found {value!r}") from None
    if not 0 < number < inf:
        raise ValueError(f"expected a number above 0, found {number}")
    return number


def one_of(*words: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if value not in words:
            raise ValueError(f"expected {' or '.join(words)}, found {value!r}")
        return str(value)

    return read


def indices(value: object) -> tuple[int, ...]:
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"expected a list of indices, such as [0, 2, 1], found {value!r}")
    return tuple(whole(item) for item in value)


def rows(*keys: str) -> Callable[[object], tuple[dict[str, str], ...]]:
    """A list of mappings, each with exactly ``keys``."""

    def read(value: object) -> tuple[dict[str, str], ...]:
        wanted = "expected a list of rows {" + ", ".join(keys) + "}"
        if not isinstance(value, (list, tuple)) or not value:
            raise ValueError(f"{wanted}, found {value!r}")
        for row in value:
            if not isinstance(row, Mapping) or set(row) != set(keys):
                raise ValueError(f"{wanted}, found the row {row!r}")
        return tuple({key: text(row[key]) for key in keys} for row in value)

    return read


def only(directive: Directive, argument: str) -> str:
    """The directive's single argument; ``argument`` says what it is."""
    if len(directive.arguments) != 1:
        raise fault("LI604", f"'::: {directive.name}' takes one argument, {argument}; found {len(directive.arguments)}")
    return directive.arguments[0]
