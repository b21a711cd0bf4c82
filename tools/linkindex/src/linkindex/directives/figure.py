"""A picture drawn from recorded values."""

from linkindex.directives import Arguments, directive
from linkindex.kinds import NAME, VALUE, WORDS, Option, named

_OPTIONS = {
    "of": Option(named(VALUE), "the recorded values that the picture names", required=True),
    "caption": Option(WORDS, "stands below"),
    "page": Option(NAME, "the page whose run it is; this page's without it"),
}  # fmt: skip


_NAME = Arguments(NAME, "one argument, the name of a picture: figures/NAME.svg beside the pages")


@directive(_OPTIONS, arguments=_NAME)
def figure(context, options):
    """A picture out of figures/NAME.svg, whose text and strokes are filled from recorded values."""
    from linkindex.render.figure import drawn

    return drawn(context, context.directive.arguments[0], options)
