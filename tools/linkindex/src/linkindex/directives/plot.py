"""A plot of recorded values."""

from linkindex.directives import directive
from linkindex.kinds import NAME, TITLED, VALUE, WORDS, Option, decimals, named, one_of

_OPTIONS = {
    "of": Option(named(VALUE), "rows of numbers, each under the name that the legend shows", required=True),
    "as": Option(one_of("lines", "bars", "histogram"), "how; lines without it", default="lines"),
    "over": Option(VALUE, "the numbers along the horizontal axis; the places in the row without it"),
    "names": Option(NAME, "under which name labels() has the names of the places"),
    "x": Option(WORDS, "what the horizontal axis is", required=True),
    "y": Option(WORDS, "what the vertical axis is", required=True),
    "page": Option(NAME, "the page whose run it is; this page's without it"),
    **decimals(3), **TITLED,
}  # fmt: skip


@directive(_OPTIONS, shows_numbers=True)
def plot(context, options):
    """Curves, bars or a histogram of recorded values, with their numbers as a table."""
    from linkindex.render.plot import plotted

    return plotted(context, options)
