"""Links and evidence of a section."""

from linkindex.directives import directive


@directive()
def dossier(context, options):
    """Where the section's formulas are in the code, who uses and tests them, and what was checked of them."""
    from linkindex.render.dossier import sections

    return sections(context)
