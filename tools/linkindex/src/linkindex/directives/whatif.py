"""What would happen if a line were wrong."""

from linkindex.directives import directive
from linkindex.kinds import INDICES, MUTANT, WORDS, Option

_OPTIONS = {
    "mutant": Option(MUTANT, "which one; the most telling one without it"),
    "at": Option(INDICES, "of the row that is shown; the first that changes without it"),
    "ask": Option(WORDS, "the question; made from the kind of the change without it"),
    "note": Option(WORDS, "what the change does, in a sentence"),
}


@directive(_OPTIONS)
def whatif(context, options):
    """One mutant of the section's code, what it does to the numbers of the example, and what catches it."""
    from linkindex.render.whatif import what_if

    return what_if(context, options)
