"""Single numbers, each with its code."""

from linkindex.directives import directive
from linkindex.kinds import TITLED, VALUE, WORDS, Option, decimals, one_of, rows

_OPTIONS = {
    "rows": Option(rows(quantity=WORDS, show=VALUE), "the numbers, each with a name", required=True),
    "run": Option(one_of("inputs", "configuration"), "whose numbers; inputs without it", default="inputs"),
    **decimals(4), **TITLED,
}  # fmt: skip


@directive(_OPTIONS, shows_numbers=True)
def cells(context, options):
    """Single numbers, each with its code: of the inputs that the page shows, or of the configuration."""
    from linkindex.render.faults import each, fault
    from linkindex.render.html import fill
    from linkindex.render.matrix import alone
    from linkindex.render.refs import look_up
    from linkindex.render.shapes import written

    known = context.values if options["run"] == "inputs" else context.configured

    def number(row: dict[str, str]) -> dict[str, object]:
        recorded = look_up(row["show"], known)
        if recorded.shape:
            message = f"{row['show']!r} has shape {written(recorded.shape)}"
            raise fault("LI606", f"{message}: add indices until one number is left")
        return {"quantity": row["quantity"], "ref": row["show"], "cell": alone(recorded.data, options["decimals"])}

    shown = each(number, options["rows"])
    return fill(
        "cells", context=context, rows=shown, configured=options["run"] == "configuration",
        title=options["title"], note=options["note"],
    )
