"""What was proved of the whole site, in one paragraph."""

from linkindex.render.book import Context
from linkindex.render.census import census
from linkindex.render.html import fill
from linkindex.render.options import read_options


def evidence_summary(context: Context) -> str:
    """``::: evidence-summary``: equations, how many hold in every step, written exceptions, mutants."""
    read_options(context.directive, {})
    counted = census(context.book, context.book.entries.values())
    return fill("evidence_summary", census=counted, href=context.href("evidence/"), steps=len(counted.steps))
