"""A table of shapes."""

from linkindex.directives import directive
from linkindex.kinds import TITLED, VALUE, Option, many


@directive({"of": Option(many(VALUE), "the values", required=True), **TITLED})
def shapes(context, options):
    """Shapes in symbols, with the sizes of the configuration and as the code made them."""
    from linkindex.render.faults import each
    from linkindex.render.html import fill
    from linkindex.render.shapes import shape_row, written

    rows = each(lambda ref: shape_row(context, ref), options["of"])
    used = {axis for row in rows for axis in row["axes"]}
    sizes = {name: size for name, size in context.sizes.items() if name in used}
    twice = next((axis for row in rows for axis in row["axes"] if row["axes"].count(axis) > 1), None)
    return fill(
        "shapes", context=context, rows=rows, sizes=sizes, title=options["title"], note=options["note"],
        twice=twice and written((twice, twice)),
    )
