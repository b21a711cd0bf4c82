"""The sums of a matrix's rows."""

from math import fsum

from linkindex.directives import directive
from linkindex.kinds import TITLED, VALUE, Option, decimals


@directive({"of": Option(VALUE, "the matrix", required=True), **decimals(4), **TITLED}, shows_numbers=True)
def rowsums(context, options):
    """What the rows of a matrix add up to: rounded, and exactly."""
    from linkindex.render import numbers
    from linkindex.render.faults import fault
    from linkindex.render.html import fill
    from linkindex.render.matrix import axes_after_indices, cell, masked_cells, names_along
    from linkindex.render.refs import look_up
    from linkindex.render.shapes import written

    recorded = look_up(options["of"], context.values)
    if len(recorded.shape) != 2:
        message = f"{options['of']!r} has shape {written(recorded.shape)}"
        raise fault("LI606", f"{message}: add indices until two axes are left")
    masked = masked_cells(context, recorded)
    names = names_along(context, axes_after_indices(context, recorded)[0], recorded.shape[0])
    # Beside the entries that were summed: what they leave as round-off stays 0.
    show = numbers.together([x for row in recorded.data for x in (*row, fsum(row))], options["decimals"], numbers.fixed)
    sums = [
        {
            "name": name,
            "sum": cell(fsum(row), show),
            "masked": sum(masked_row == i for masked_row, _ in masked),
        }
        for i, (name, row) in enumerate(zip(names, recorded.data))
    ]
    return fill(
        "rowsums", context=context, ref=options["of"], sums=sums, decimals=options["decimals"],
        title=options["title"], note=options["note"],
    )
