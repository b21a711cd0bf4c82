"""The steps of a page, one section each."""

from linkindex.directives import directive
from linkindex.kinds import NAMED_WORDS, Option


@directive({"of": Option(NAMED_WORDS, "the anchor of each step's section, under its short name", required=True)})
def steps(context, options):
    """The steps of the page in their order: each of their sections begins with where it stands among them."""
    return ""
