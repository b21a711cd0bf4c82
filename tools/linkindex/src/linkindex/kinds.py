"""What the options of a directive hold: how each kind is read, and what its texts are to the stages before render."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from math import inf
from typing import Any


class Meaning(Enum):
    """What a text of a page stands for."""

    VALUE = auto()                                       # a value that the example records
    CALL = auto()                                        # a call of a function of the example file
    FUNCTION = auto()                                    # a function, beside the CODE that stands in it
    CODE = auto()
    MAKER = auto()                                       # a function whose entries of dictionaries are recorded
    LISTED = auto()                                      # a function that is shown whole
    MUTANT = auto()                                      # linked code with a change
    WORDS = auto()                                       # what a reader sees as it is


@dataclass(frozen=True)
class Kind:
    """``read`` turns what the YAML holds into the value, or raises ValueError; ``parts``: the keys of each row."""

    says: str
    read: Callable[[object], Any]
    meaning: Meaning | None = None
    parts: Mapping[str, "Kind"] = field(default_factory=dict)


@dataclass(frozen=True)
class Option:
    """One option of a directive; ``says`` what it does there. Without ``required`` it may be left out."""

    kind: Kind
    says: str
    required: bool = False
    default: Any = None


def texts_that_name(value: object, kind: Kind, meaning: Meaning) -> Iterator[str]:
    """The texts in what a page gives to an option, also where it is not of the option's kind."""
    if isinstance(value, list):
        for item in value:
            yield from texts_that_name(item, kind, meaning)
    elif isinstance(value, Mapping):
        inner = kind.parts or dict.fromkeys(value, kind)  # names that the page gives
        for key, part in inner.items():
            yield from texts_that_name(value.get(key), part, meaning)
    elif isinstance(value, str) and kind.meaning is meaning:
        yield value


def _text(value: object) -> str:
    if not isinstance(value, (str, int, float)):
        raise ValueError(f"expected text, found {value!r}")
    return str(value)


def _whole(value: object) -> int:
    try:
        number = int(str(value))
    except ValueError:
        raise ValueError(f"expected a whole number, found {value!r}") from None
    if not 0 <= number <= 1000:
        raise ValueError(f"expected a whole number from 0 to 1000, found {number}")
    return number


def _decimals(value: object) -> int:
    number = _whole(value)
    if number > 17:
        raise ValueError(f"expected at most 17 decimals, which is all that a number holds, found {number}")
    return number


def _positive(value: object) -> float:
    try:
        number = float(str(value))
    except ValueError:
        raise ValueError(f"expected a number, such as 1e-12, found {value!r}") from None
    if not 0 < number < inf:
        raise ValueError(f"expected a number above 0, found {number}")
    return number


def _indices(value: object) -> tuple[int, ...]:
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"expected a list of indices, such as [0, 2, 1], found {value!r}")
    return tuple(_whole(item) for item in value)


def _texts_by_name(value: object) -> dict[str, str]:
    if not isinstance(value, Mapping) or not value:
        raise ValueError(f"expected names with words, such as {{i: the position that reads}}, found {value!r}")
    return {str(name): _text(words) for name, words in value.items()}


def many(kind: Kind) -> Kind:
    """A list; a single entry counts as a list of one."""

    def read(value: object) -> tuple:
        items = value if isinstance(value, (list, tuple)) else [value]
        if not items:
            raise ValueError("expected at least one entry, found none")
        return tuple(kind.read(item) for item in items)

    return Kind(f"a list, each {kind.says}", read, kind.meaning)


def named(kind: Kind) -> Kind:
    """Entries under names that the page gives; a list of names stands for entries that are called so."""

    def read(value: object) -> dict[str, Any]:
        given = dict(zip(value, value)) if isinstance(value, (list, tuple)) else value
        if not isinstance(given, Mapping) or not given or not all(str(name).isidentifier() for name in given):
            raise ValueError(f"expected a list of names, or names with {kind.says}, found {value!r}")
        return {str(name): kind.read(item) for name, item in given.items()}

    return Kind(f"a list of names, or names with {kind.says}", read, kind.meaning)


def one_of(*words: str) -> Kind:
    def read(value: object) -> str:
        if value not in words:
            raise ValueError(f"expected {' or '.join(words)}, found {value!r}")
        return str(value)

    return Kind(" or ".join(words), read)


def rows(**parts: Kind) -> Kind:
    """A list of mappings, each with exactly the keys of ``parts``; ``in_`` stands for the key ``in``."""
    kinds = {key.rstrip("_"): part for key, part in parts.items()}
    keys = "{" + ", ".join(kinds) + "}"

    def read(value: object) -> tuple[dict[str, Any], ...]:
        wanted = f"expected a list of rows {keys}"
        if not isinstance(value, (list, tuple)) or not value:
            raise ValueError(f"{wanted}, found {value!r}")
        for row in value:
            if not isinstance(row, Mapping) or set(row) != set(kinds):
                raise ValueError(f"{wanted}, found the row {row!r}")
        return tuple({key: kind.read(row[key]) for key, kind in kinds.items()} for row in value)

    return Kind(f"a list of rows {keys}", read, parts=kinds)


VALUE = Kind("a recorded value, such as Q or S[0]", _text, Meaning.VALUE)
CALL = Kind("a call of the example file, such as parameters()", _text, Meaning.CALL)
FUNCTION = Kind("a function by its full name", _text, Meaning.FUNCTION)
CODE = Kind("code that stands in the function", _text, Meaning.CODE)
MAKER = Kind("a function by its full name", _text, Meaning.MAKER)
LISTED = Kind("a function by its full name", _text, Meaning.LISTED)
WORDS = Kind("words", _text, Meaning.WORDS)
NAME = Kind("a name", _text)
NAMED_WORDS = Kind("names with words", _texts_by_name)
MUTANT = Kind("changed code, as the evidence page lists it", _text, Meaning.MUTANT)
DECIMALS = Kind("a number of decimals", _decimals)
POSITIVE = Kind("a number above zero", _positive)
INDICES = Kind("a list of indices", _indices)

TITLED: Mapping[str, Option] = {
    "title": Option(WORDS, "stands above"), "note": Option(WORDS, "stands below"),
}  # fmt: skip


def decimals(default: int) -> Mapping[str, Option]:
    return {"decimals": Option(DECIMALS, f"digits behind the point; {default} without it", default=default)}
