"""What a trained model wrote while the site was built."""

from linkindex.directives import directive
from linkindex.kinds import NAME, WORDS, Option

_OPTIONS = {
    "text": Option(NAME, "under which name labels() of the example file has the text", required=True),
    "from": Option(NAME, "under which name labels() has what the model is and where it comes from", required=True),
    "page": Option(NAME, "the page whose example it is; this page's without it"),
    "note": Option(WORDS, "stands below"),
}  # fmt: skip


@directive(_OPTIONS)
def written(context, options):
    """A text that a trained model wrote while the site was built, in the colour of what is actual."""
    from linkindex.render.actual import labels
    from linkindex.render.html import fill

    there = context.elsewhere(options["page"])
    text, provenance = (labels(there, options[name]) for name in ("text", "from"))
    return fill("written", text=" ".join(text), provenance=provenance, note=options["note"])
