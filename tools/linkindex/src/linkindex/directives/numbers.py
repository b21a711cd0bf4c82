"""All numbers of the run that a page shows."""

from linkindex.directives import directive
from linkindex.kinds import decimals


@directive(decimals(4))
def numbers(context, options):
    """Every array that the run recorded for a symbol of the page, row by row, folded."""
    from linkindex.render.html import fill
    from linkindex.render.recorded import arrays

    return fill("numbers", context=context, arrays=arrays(context, options["decimals"]))
