"""A way through the code."""

from linkindex.directives import directive
from linkindex.kinds import CALL, CODE, FUNCTION, TITLED, WORDS, Option, rows

_OPTIONS = {
    "run": Option(CALL, "in which the lines must run, in their order", required=True),
    "through": Option(rows(says=WORDS, in_=FUNCTION, code=CODE), "a sentence for each line", required=True), **TITLED,
}  # fmt: skip


@directive(_OPTIONS)
def path(context, options):
    """A way through the code: sentences, each with the line that it speaks of, in the order in which they ran."""
    from linkindex.render.path import path_table

    return path_table(context, options)
