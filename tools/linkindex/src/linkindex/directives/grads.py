"""A table of gradients."""

from linkindex.directives import directive
from linkindex.kinds import TITLED, VALUE, Option, many


@directive({"of": Option(many(VALUE), "the entries", required=True), **TITLED})
def grads(context, options):
    """The entries of a dictionary of gradients, each with its shape."""
    from linkindex.render.faults import each
    from linkindex.render.html import fill
    from linkindex.render.shapes import shape_row

    rows = each(lambda ref: shape_row(context, ref), options["of"])
    return fill("grads", context=context, rows=rows, title=options["title"], note=options["note"])
