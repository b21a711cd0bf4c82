"""A value from its formula beside the same value measured."""

import numpy as np

from linkindex.directives import directive
from linkindex.kinds import TITLED, VALUE, WORDS, Option, decimals, rows

_OPTIONS = {
    "rows": Option(rows(name=WORDS, formula=VALUE, measured=VALUE), "the pairs, each with a name", required=True),
    **decimals(4), **TITLED,
}  # fmt: skip


@directive(_OPTIONS, shows_numbers=True)
def compare(context, options):
    """A value from its formula beside the same value measured, and the largest gap between them."""
    from linkindex.render import numbers
    from linkindex.render.faults import each, fault
    from linkindex.render.html import fill
    from linkindex.render.matrix import matrix_of
    from linkindex.render.refs import look_up
    from linkindex.render.shapes import written

    def pair(row: dict[str, str]) -> dict[str, object]:
        formula, measured = each(lambda key: look_up(row[key], context.values), ("formula", "measured"))
        if formula.shape != measured.shape:
            shapes = " and ".join(f"{one.ref!r} of shape {written(one.shape)}" for one in (formula, measured))
            raise fault("LI606", f"cannot compare {shapes}: give values of one shape")
        gap = np.max(np.abs(np.asarray(formula.data, float) - np.asarray(measured.data, float)), initial=0.0)
        both = [x for one in (formula, measured) for x in np.ravel(one.data).tolist()]
        return {
            "name": row["name"], "gap": numbers.bound(float(gap)),
            "formula": matrix_of(context, formula.ref, options["decimals"], numbers.fixed, beside=both),
            "measured": matrix_of(
                context, measured.ref, options["decimals"], numbers.fixed, like=formula.ref, beside=both
            ),
        }

    shown = each(pair, options["rows"])
    return fill("compare", context=context, rows=shown, title=options["title"], note=options["note"])
