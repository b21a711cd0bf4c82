"""The symbols of a section."""

from linkindex.directives import directive
from linkindex.kinds import NAMED_WORDS, Option


@directive({"indices": Option(NAMED_WORDS, "what each index letter counts", default={})})
def symbols(context, options):
    """Every symbol of the section's equations: values, indices and sizes."""
    from linkindex.render.html import fill
    from linkindex.render.symbols import groups

    return fill("symbols", groups=groups(context, options["indices"]))
