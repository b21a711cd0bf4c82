"""The shape of what each line of a function made, in the run that the page shows."""

from collections.abc import Mapping

from linkindex.model import Function
from linkindex.refs import canonical
from linkindex.render.book import Context


def shapes_made(context: Context, function: Function) -> Mapping[int, str]:
    """Line -> shape of the variable that the statement ending there assigns, of those that are assigned once and were
    recorded; of several variables, if they have one shape."""
    book, run = context.book, context.book.run(context.page, "inputs")
    keys = {link.key for _, link in book.links if link.function == function.name}
    visits = [visit for each in run.visits.values() for visit in each if visit.key in keys] if run else []
    recorded = {canonical(code): value.shape for one in visits for code, value in (one.after | one.names).items()}
    made: dict[int, set[tuple[int, ...] | None]] = {}
    for name, places in book.resolution.assigned.get(function.name, {}).items():
        if len(places) == 1:
            made.setdefault(places[0][1], set()).add(recorded.get(name))
    return {line: str(*shapes) for line, shapes in made.items() if len(shapes) == 1 and None not in shapes}
