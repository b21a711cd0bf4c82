"""What would happen if a line were wrong: one mutant of a section, what it does to the example, what catches it."""

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup, escape

from linkindex.model import Link
from linkindex.refs import canonical
from linkindex.render.book import Context
from linkindex.render.changes import Piece, change
from linkindex.render.effects import Row, row_at
from linkindex.render.faults import Faults, fault, nearest
from linkindex.render.html import fill
from linkindex.render.matrix import names_along
from linkindex.render.mutants import kind_in_words, noticed_in_words
from linkindex.render.places import code_line, tested
from linkindex.render.shapes import axes_of
from linkindex.render.telling import Candidate, candidates, telling

_TRIED = 8                                               # mutants among which one that changes numbers is looked for
_LONGEST = 24                                            # characters of code that stand for a value's name


def what_if(context: Context, options: Mapping[str, Any]) -> str:
    """The mutant that is named, else the most telling one. Nothing where no mutant shows in the numbers of the example;
    a sentence where mutants were not run. Raises Faults LI606 if the named one is none of this section."""
    counted = [entry for entry in context.entries if entry.equation.id in context.book.runs.verdicts]
    if not counted:
        return fill("whatif", context=context, item=None)
    one = _named(context, options["mutant"]) if options["mutant"] else _most_telling(context)
    return fill("whatif", context=context, item=_item(context, one, options)) if one else ""


def _shown(one: Candidate, at: tuple[int, ...] | None) -> Row | None:
    """The row at the indices, else the first that changes. Raises Faults LI606 where the value has no such row."""
    if at is None:
        return one.outcome.row
    row = row_at(one.effect, at)
    if row is None:
        message = f"the value that the change makes has no row {list(at)}"
        raise fault("LI606", f"{message}: give the indices of all axes but one")
    return row


def _most_telling(context: Context) -> Candidate | None:
    """One that changes numbers; what only raises teaches little."""
    return next((one for one in telling(context.book, context.entries, _TRIED) if one.outcome.row), None)


def _named(context: Context, code: str) -> Candidate:
    caught = list(candidates(context.book, context.entries))
    found = next((one for one in caught if one.verdict.mutant.code == canonical(code)), None)
    if found is None:
        known = [one.verdict.mutant.code for one in caught]
        raise fault("LI606", f"no mutant of this section is {code!r}; {nearest(canonical(code) or code, known)}")
    return found


def _item(context: Context, one: Candidate, options: Mapping[str, Any]) -> dict[str, object]:
    book, mutant = context.book, one.verdict.mutant
    changed, row = change(one.link, mutant.code), _shown(one, options["at"])
    return {
        "ask": options["ask"] or f"What if {kind_in_words(mutant.kind)}?",
        "note": options["note"],
        "line": code_line(book, one.link.role, one.link.span, one.link.function, context.url),
        "before": _marked(changed.before, "del"),
        "after": _marked(changed.after, "ins"),
        "words": one.outcome.words,
        "raised": one.outcome.raised,
        "row": _row(context, one.link, row) if row else None,
        "test": tested(book, one.entry, context.url),
        "case": one.verdict.test.rpartition("::")[2],
        "noticed": noticed_in_words(one.verdict.outcome),
    }


def _marked(pieces: tuple[Piece, ...], tag: str) -> Markup:
    """Code with its changed pieces in <del> or <ins>; line ends as references, since templates trim their lines."""
    marked = Markup("<{0}>{1}</{0}>")
    html = (marked.format(Markup(tag), piece.text) if piece.changed else escape(piece.text) for piece in pieces)
    return Markup("").join(html).replace("\n", Markup("&#10;"))


def _row(context: Context, link: Link, row: Row) -> dict[str, object]:
    """The row as a table: its name in code, the names of its columns, its numbers before and after."""
    axes = _axes(context, link, row.shape)
    names = [names_along(context, axis, size) for axis, size in zip(axes, row.shape)]
    last = names[len(row.index) - 1][row.index[-1]] if row.index else ""
    place = f"[{', '.join(map(str, row.index))}]" if row.index else ""
    return {
        "ref": _name(link) + place,
        "name": last if row.index and last != str(row.index[-1]) else None,
        "columns": names[-1][row.first : row.first + len(row.before)] if names else ("",),
        "sides": (("as it is", row.before), ("changed", row.after)),
        "changed": row.changed,
        "left_out": row.shape[-1] - len(row.before) if row.shape else 0,
    }


def _name(link: Link) -> str:
    """What to call the value: its variable, else its code if that is short."""
    code = " ".join(link.span.code.split())
    if link.target and link.statement.code.endswith(f"= {link.span.code}"):
        return link.target
    if len(code) > _LONGEST:
        return link.target or "value"
    return code if code.isidentifier() else f"({code})"


def _axes(context: Context, link: Link, shape: tuple[int, ...]) -> tuple[str, ...]:
    """Names of the axes of a link's value: as recorded for it, or for the equation's probe, if that has the same shape;
    else those of the comment beside it."""
    links = context.book.resolution.links.get(link.equation, ())
    for candidate in (link, *(other for other in links if other.probe)):
        code = canonical(candidate.span.code) or ""
        if code not in context.values or context.values[code].shape != shape:
            continue
        try:
            axes = axes_of(context, code)
        except Faults:                                   # reported where the shape is shown
            continue
        if axes is not None and len(axes) == len(shape):
            return axes
    comment = context.book.resolution.shapes.get(link.function, {}).get(link.target or "", ())
    return comment if len(comment) == len(shape) else ("",) * len(shape)
