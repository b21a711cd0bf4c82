"""Recorded values side by side."""

from linkindex.directives import directive
from linkindex.kinds import TITLED, VALUE, Option, decimals, many


@directive(
    {"show": Option(many(VALUE), "the matrices", required=True), **decimals(4), **TITLED}, shows_numbers=True
)
def matrices(context, options):
    """Recorded values side by side."""
    from linkindex.render.faults import each
    from linkindex.render.html import fill
    from linkindex.render.matrix import matrix_of

    shown = each(lambda ref: matrix_of(context, ref, options["decimals"]), options["show"])
    return fill("matrices", context=context, title=options["title"], note=options["note"], matrices=shown)
