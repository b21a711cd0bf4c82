"""Links and proof of a section."""

from linkindex.directives import Drawn, directive


@directive()
def dossier(context, options):
    """Links and proof, folded: where the section's formulas are in the code, who uses and tests them, what was checked.
    What follows in the section is folded with it."""
    from linkindex.render.dossier import CLOSED, links_and_proof

    return Drawn(links_and_proof(context), end=CLOSED)
