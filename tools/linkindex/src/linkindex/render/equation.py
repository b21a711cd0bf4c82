"""The card of a displayed equation: its number, its formula, and one line of what it leads to."""

from linkindex.model import Record, Statement
from linkindex.render.book import Context, Entry
from linkindex.render.faults import fault
from linkindex.render.html import fill
from linkindex.render.mutants import tally
from linkindex.render.per import each_of
from linkindex.render.places import Rung, cited, code_lines, counted, done_in, ladder, tested
from linkindex.render.urls import evidence_url


def displayed(context: Context, record: Record) -> str:
    """The card of an equation or a statement. Raises Faults LI605 where this is no place for it."""
    entry = _entry(context, record)
    # The formula is Markdown, so that one extension makes the mathematics of the whole site.
    return "\n".join((
        f'<div id="{entry.equation.anchor}" class="lx-eq" markdown="1">',
        fill("equation_head", entry=entry), "",
        "$$", context.book.formula(entry), "$$", "",
        fill("per", each=each_of(context.book, entry)),
        _of_statement(context, entry) if isinstance(record, Statement) else _proof(context, entry),
        "</div>",
    ))


def _proof(context: Context, entry: Entry) -> str:
    rungs = ladder(context.book, entry.equation)
    counts = tally(context.book, entry.equation)
    return fill(
        "equation_proof",
        places=done_in(context.book, code_lines(context.book, entry, context.url), context.url),
        test=tested(context.book, entry, context.url),
        paper=cited(context.book, entry.equation, context.url),
        checks=checks(rungs),
        summary=counted(rungs),
        mutants=counts.short if counts else None,
        evidence=context.href(evidence_url(context.page.stem, entry.equation.id)),
        stop=context.folded_too,
    )


def _of_statement(context: Context, entry: Entry) -> str:
    case = context.book.shown.get(entry.equation.case or "")
    return fill(
        "statement_foot",
        statement=entry.equation,
        paper=cited(context.book, entry.equation, context.url),
        case=case,
        href=context.href(case.url) if case else None,
    )


def _entry(context: Context, record: Record) -> Entry:
    """Raises Faults LI605 for an equation of another page, or outside of a section that could be its concept."""
    if record.page != context.page.stem:
        message = f"{record.id} is recorded beside the page {record.page}: show it there, and link to #{record.anchor}"
        raise fault("LI605", message)
    if context.concept is None or record.id not in context.book.shown:
        raise fault("LI605", f"{record.id} stands in no section: put it below a heading '## Title {{#anchor}}'")
    return context.book.shown[record.id]


def checks(rungs: tuple[Rung, ...]) -> str:
    """The steps that hold, with the sign of the first that does not: "✓ 6 of 6", "– 5 of 6"."""
    sign = next((rung.sign for rung in rungs if rung.state != "done"), rungs[0].sign)
    return f"{sign} {sum(rung.state == 'done' for rung in rungs)} of {len(rungs)}"
