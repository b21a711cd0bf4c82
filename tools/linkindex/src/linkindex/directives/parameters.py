"""The parameters of a model by name."""

from linkindex.directives import directive
from linkindex.kinds import CALL, MAKER, NAME, TITLED, WORDS, Option, decimals, many, rows

_OPTIONS = {
    "from": Option(CALL, "which returns the parameters by name", required=True),
    "group": Option(NAME, "what the names of the parameters shown begin with", required=True),
    "made in": Option(many(MAKER), "one of which stored each of them", required=True),
    "ask": Option(
        rows(question=WORDS, from_=CALL, yes=WORDS, no=WORDS),
        "columns: a call that gives all 1 (yes) or all 0 (no) for each parameter", default=(),
    ),
    **decimals(4), **TITLED,
}  # fmt: skip


@directive(_OPTIONS)
def parameters(context, options):
    """The parameters of a model by name: each with its shape, the line that made it, and the range of its entries."""
    from linkindex.render.parameters import parameter_table

    return parameter_table(context, options)
