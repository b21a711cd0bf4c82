"""The linked statements of a section."""

from linkindex.directives import directive


@directive()
def code(context, options):
    """The statements that the section's equations link to, grouped by function."""
    from linkindex.render.listings import linked_statements

    return linked_statements(context)
