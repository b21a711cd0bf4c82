"""One cell, or one row, of a result worked out."""

from linkindex.directives import directive
from linkindex.kinds import INDICES, TITLED, VALUE, Option, decimals

_OPTIONS = {
    "of": Option(VALUE, "a matrix product or a quotient, or a variable that the code assigns one to", required=True),
    "at": Option(INDICES, "of a cell, or of a row", required=True), **decimals(4), **TITLED,
}  # fmt: skip


@directive(_OPTIONS, shows_numbers=True)
def worked(context, options):
    """One cell, or one row, of a matrix product or a quotient, from its recorded operands."""
    from linkindex.render.worked import worked_out

    return worked_out(context, options)
