"""Runs of an example with each recorded value written once.

Many equations watch the same frames, so that most values would stand there some twenty times.
"""

from collections.abc import Mapping, Sequence

from linkindex.model import Value, Visit
from linkindex.run.values import Plain


def packed(example: Mapping) -> dict:
    """{"runs", "values"}: visits hold positions in ``values``. The same object is written once."""
    values: list[Plain] = []
    places: dict[int, int] = {}

    def place(plain: Plain | None) -> int | None:
        if plain is None:
            return None
        if id(plain) not in places:
            places[id(plain)] = len(values)
            values.append(plain)
        return places[id(plain)]

    def visit(one: Mapping) -> dict:
        places = {part: {name: place(plain) for name, plain in one[part].items()} for part in ("names", "after")}
        return {"key": one["key"], "value": place(one["value"]), "parts": one["parts"], **places}

    runs = [
        {**run, "visits": {equation: [visit(one) for one in visits] for equation, visits in run["visits"].items()}}
        for run in example["runs"]
    ]
    return {**example, "runs": runs, "values": values}


def unpacked(
    visits: Mapping[str, Sequence[Mapping]], values: Sequence[Value], keys: Mapping[str, str]
) -> dict[str, tuple[Visit, ...]]:
    """The visits of one run by equation; ``keys``: name of a probe -> its key."""
    return {
        equation: tuple(
            Visit(
                keys[one["key"]],
                None if one["value"] is None else values[one["value"]],
                {name: values[place] for name, place in one["names"].items()},
                {keys[name]: how for name, how in one["parts"].items()},
                {name: values[place] for name, place in one["after"].items()},
            )
            for one in found
        )
        for equation, found in visits.items()
    }
