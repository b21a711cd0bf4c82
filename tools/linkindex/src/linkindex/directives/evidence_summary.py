"""What was checked of the whole site, in one paragraph."""

from linkindex.directives import directive


@directive()
def evidence_summary(context, options):
    """How many equations there are, and how many hold in every check; written exceptions; mutants."""
    from linkindex.render.census import census
    from linkindex.render.html import fill

    book = context.book
    counted = census(book, book.entries.values())
    href = context.href("evidence/")
    return fill(
        "evidence_summary", census=counted, href=href, steps=len(counted.steps), statements=book.statements()
    )
