"""What a trained model makes of real input."""

from linkindex.directives import directive
from linkindex.kinds import INDICES, NAME, TITLED, VALUE, Option, decimals

_OPTIONS = {
    "show": Option(VALUE, "a call of the example file that gives one number for each pair of tokens", required=True),
    "at": Option(INDICES, "of the row that is shown", required=True),
    "tokens": Option(NAME, "under which name labels() of the example file has the tokens", required=True),
    "from": Option(NAME, "under which name labels() has what the model is and where it comes from", required=True),
    **decimals(3), **TITLED,
}  # fmt: skip


@directive(_OPTIONS)
def actual(context, options):
    """One row of numbers of a trained model, token by token, with where the model comes from."""
    from linkindex.render.actual import shown

    return shown(context, options)
