"""What would happen if a line were wrong."""

from linkindex.directives import directive


@directive()
def whatif(context, options):
    """Some mutants of the section's code, what they do to its example, and what catches them."""
    from linkindex.render.whatif import what_if

    return what_if(context)
