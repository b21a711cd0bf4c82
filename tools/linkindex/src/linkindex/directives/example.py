"""The heading of a section's example."""

from linkindex.directives import directive


@directive()
def example(context, options):
    """The heading of the example, and what the label of the blocks below it means."""
    from linkindex.render.faults import fault
    from linkindex.render.html import fill, heading

    if not context.page.example:
        raise fault("LI609", f"{context.page.path} has no example file: add {context.page.stem}.py beside it")
    title = heading(3, "Tiny numerical example", f"{context.anchor}-example")
    return f"{title}\n\n" + fill("example", path=context.page.example)
