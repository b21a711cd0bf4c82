"""One equation, followed: its formula, the line that computes it, a number that the line made, and its test."""

from collections.abc import Mapping
from typing import Any

from linkindex.render.book import Context
from linkindex.render.equation import checks
from linkindex.render.faults import fault, nearest
from linkindex.render.highlight import statement
from linkindex.render.html import fill
from linkindex.render.matrix import alone
from linkindex.render.mutants import tally
from linkindex.render.places import code_lines, counted, ladder, tested
from linkindex.render.refs import look_up
from linkindex.render.urls import evidence_url


def followed(context: Context, identity: str, options: Mapping[str, Any]) -> str:
    """Raises Faults LI605 where no page shows the equation, or nothing computes or tests it; LI603 and LI606."""
    book, here = context.book, context.url
    entry = book.entries.get(identity)
    if entry is None:
        raise fault("LI605", f"no page shows the equation {identity!r}; {nearest(identity, book.entries)}")
    lines = dict(zip(book.resolution.links.get(identity, ()), code_lines(book, entry, here)))
    link = next((link for link in lines if link.role == "computes"), None)
    test = tested(book, entry, here)
    if link is None or test is None:
        raise fault("LI605", f"{identity} has no line or no test that was found: correct the record first")
    recorded = look_up(options["show"], context.elsewhere(entry.page.stem).of_page)
    if recorded.shape:
        raise fault("LI606", f"{options['show']!r} has shape {recorded.shape}: add indices until one number is left")
    counts, rungs = tally(book, entry.equation), ladder(book, entry.equation)
    code = statement(book.resolution.sources.get(link.span.file), link.statement)
    return fill(
        "chain",
        entry=entry, href=context.href(entry.url),
        example=context.href(f"{entry.url.partition('#')[0]}#{entry.example_anchor}"),
        formula=book.formula(entry), says=options["formula"], number=options["number"],
        line=lines[link], code=code, ref=options["show"],
        cell=alone(recorded.data, options["decimals"]), test=test,
        mutants=counts.short if counts else None,
        checks=checks(rungs), summary=counted(rungs), evidence=context.href(evidence_url(entry.page.stem, identity)),
    )
