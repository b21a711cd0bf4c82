"""Displayed equations, and the table of their symbols."""

from linkindex.model import Equation, SymbolRow
from linkindex.render.book import Context, Entry
from linkindex.render.faults import each, fault
from linkindex.render.html import fill, heading
from linkindex.render.options import read_options
from linkindex.render.places import cited, code_lines, counted, done_in, ladder, tested
from linkindex.render.shapes import written
from linkindex.render.urls import evidence_url


def equation(context: Context) -> str:
    """``::: equation ID ...``: each formula under its number, with what it leads to. Load reports unknown ids."""
    read_options(context.directive, {}, arguments=-1)
    names = context.directive.arguments
    if not names:
        raise fault("LI604", "'::: equation' takes the ids of the equations to show; found none")
    known = {equation.id: equation for equation in context.book.index.equations}
    return "\n\n".join(each(lambda name: _displayed(context, _entry(context, known[name])), filter(known.get, names)))


def _entry(context: Context, record: Equation) -> Entry:
    """Raises Faults LI605 for an equation of another page, or outside of a section that could be its concept."""
    if record.page != context.page.stem:
        message = f"{record.id} is recorded beside the page {record.page}: show it there, and link to #{record.anchor}"
        raise fault("LI605", message)
    if context.concept is None or record.id not in context.book.entries:
        raise fault("LI605", f"{record.id} stands in no section: put it below a heading '## Title {{#anchor}}'")
    return context.book.entries[record.id]


def _displayed(context: Context, entry: Entry) -> str:
    rungs = ladder(context.book, entry.equation)
    head = fill("equation_head", entry=entry)
    foot = fill(
        "equation_foot",
        entry=entry,
        done_in=done_in(context.book, code_lines(context.book, entry, context.url), context.url),
        test=tested(context.book, entry, context.url),
        paper=cited(context.book, entry.equation, context.url),
        rungs=rungs,
        summary=counted(rungs),
        evidence=context.href(evidence_url(context.page.stem, entry.equation.id)),
    )
    # The formula is Markdown, so that one extension makes the mathematics of the whole site.
    return "\n".join((
        f'<div id="{entry.equation.anchor}" class="lx-equation" markdown="1">',
        head, "",
        "$$", _marked(context, entry), "$$", "",
        foot,
        "</div>",
    ))


def _marked(context: Context, entry: Entry) -> str:
    proof = context.book.evidence.proofs.get(entry.equation.id)
    return " ".join((proof.marked if proof else entry.equation.latex).split())


def symbols(context: Context) -> str:
    """``::: symbols``: every symbol of the concept's equations, in the order in which they appear."""
    read_options(context.directive, {})
    rows = [
        {"symbol": row, "shape": written(row.shape), "codes": row.code}
        for row in concept_symbols(context)
    ]
    title = heading(3, "What does each symbol mean?", f"{context.anchor}-symbols")
    return f"{title}\n\n" + fill("symbols", rows=rows, label=f"Symbols of {context.title}")


def concept_symbols(context: Context) -> tuple[SymbolRow, ...]:
    """The symbols of the concept's equations, each once."""
    rows: dict[str, SymbolRow] = {}
    for name in context.equations:
        proof = context.book.evidence.proofs.get(name)
        for row in proof.symbols if proof else ():
            rows.setdefault(row.latex, row)
    return tuple(rows.values())
