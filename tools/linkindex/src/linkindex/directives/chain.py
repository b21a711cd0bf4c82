"""One equation, followed to its line, a number and its test."""

from linkindex.directives import Arguments, directive
from linkindex.kinds import NAME, VALUE, WORDS, Option, decimals

_OPTIONS = {
    "show": Option(VALUE, "a number that the line made", required=True),
    "formula": Option(WORDS, "what the formula says, in words", required=True),
    "number": Option(WORDS, "what the number is, in words", required=True),
    **decimals(3),
}  # fmt: skip


@directive(_OPTIONS, arguments=Arguments(NAME, "one argument, the id of the equation"))
def chain(context, options):
    """One equation from any page: the formula, the line that computes it, a number that the line made, the test."""
    from linkindex.render.chain import followed

    return followed(context, context.directive.arguments[0], options)
