"""Displayed equations."""

from linkindex.directives import Arguments, directive
from linkindex.kinds import NAME


@directive(arguments=Arguments(NAME, "the ids of the equations to show", several=True))
def equation(context, options):
    """Each formula under its number, with what it leads to."""
    from linkindex.render.equation import displayed
    from linkindex.render.faults import each

    known = {one.id: one for one in context.book.index.displayed}  # load reports unknown ids
    shown = filter(None, map(known.get, context.directive.arguments))
    cards = each(lambda record: displayed(context, record), shown)
    return "\n\n".join(('<div class="lx-equations" markdown="1">', *cards, "</div>"))
