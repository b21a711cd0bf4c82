"""A bound of all entries of a value."""

import numpy as np

from linkindex.directives import directive
from linkindex.kinds import POSITIVE, TITLED, VALUE, Option

_OPTIONS = {
    "of": Option(VALUE, "the value", required=True),
    "limit": Option(POSITIVE, "the largest magnitude that an entry may have", required=True), **TITLED,
}  # fmt: skip


@directive(_OPTIONS, shows_numbers=True)
def bound(context, options):
    """That no entry is larger than a limit, where the digits are round-off and mean nothing."""
    from linkindex.render import numbers
    from linkindex.render.faults import fault
    from linkindex.render.html import fill
    from linkindex.render.refs import look_up

    recorded = look_up(options["of"], context.values)
    entries = np.abs(np.asarray(recorded.data, dtype=float))
    if not np.all(entries <= options["limit"]):          # false for entries that are no numbers, too
        largest = numbers.exact(float(np.max(entries)))
        message = f"every entry of {options['of']!r} should be at most {options['limit']:g} in magnitude"
        raise fault("LI617", f"{message}, the largest is {largest}: correct the code, or the limit")
    return fill(
        "bound", context=context, ref=options["of"], limit=options["limit"], count=entries.size,
        title=options["title"], note=options["note"],
    )
