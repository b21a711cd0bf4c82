"""What would happen if a line were wrong: some mutants of a concept, what they do to its example, what catches them."""

from markupsafe import Markup, escape

from linkindex.model import Link
from linkindex.render.book import Context
from linkindex.render.changes import Piece, change
from linkindex.render.effects import Row
from linkindex.render.faults import Faults
from linkindex.render.html import fill, heading
from linkindex.render.matrix import names_along
from linkindex.render.mutants import kind_in_words, noticed_in_words, total
from linkindex.render.places import code_line, tested
from linkindex.render.refs import canonical
from linkindex.render.shapes import axes_of
from linkindex.render.telling import Candidate, telling
from linkindex.render.urls import evidence_url

_LONGEST = 24                                            # characters of code that stand for a value's name


def what_if(context: Context) -> str:
    """The heading, and the mutants chosen; without results of mutants, a sentence that says so."""
    book = context.book
    counted = [entry for entry in context.entries if entry.equation.id in book.runs.verdicts]
    body = fill(
        "whatif",
        context=context,
        items=[_item(context, one) for one in telling(book, context.entries)],
        total=total(book, counted) if counted else None,
        href=context.href(evidence_url(context.page.stem)),
    )
    return heading(3, "What if this line were wrong?", f"{context.anchor}-whatif") + "\n\n" + body


def _item(context: Context, one: Candidate) -> dict[str, object]:
    book, mutant = context.book, one.verdict.mutant
    changed = change(one.link, mutant.code)
    return {
        "entry": one.entry,
        "kind": kind_in_words(mutant.kind),
        "line": code_line(book, one.link.role, one.link.span, one.link.function, context.url),
        "before": _marked(changed.before, "del"),
        "after": _marked(changed.after, "ins"),
        "words": one.outcome.words,
        "raised": one.outcome.raised,
        "row": _row(context, one.link, one.outcome.row) if one.outcome.row else None,
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
