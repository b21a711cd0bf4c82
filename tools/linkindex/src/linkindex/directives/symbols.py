"""The table of a section's symbols."""

from linkindex.directives import directive


@directive()
def symbols(context, options):
    """Every symbol of the section's equations, in the order in which they appear."""
    from linkindex.render.html import fill, heading
    from linkindex.render.shapes import written

    rows = [{"symbol": row, "shape": written(row.shape), "codes": row.code} for row in context.symbols]
    title = heading(3, "What does each symbol mean?", f"{context.anchor}-symbols")
    return f"{title}\n\n" + fill("symbols", rows=rows, label=f"Symbols of {context.title}")
