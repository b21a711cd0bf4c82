"""What holds for the whole page, said once."""

from linkindex.directives import directive
from linkindex.kinds import NAMED_WORDS, Option


@directive({"also": Option(NAMED_WORDS, "more notes, each under its first words", default={})})
def key(context, options):
    """What the colours and signs of the page mean, and where its numbers come from."""
    from linkindex.render.faults import fault
    from linkindex.render.html import fill
    from linkindex.render.urls import evidence_url

    if not context.page.example:
        raise fault("LI609", f"{context.page.path} has no example file: add {context.page.stem}.py beside it")
    return fill(
        "key", example=context.page.example, also=options["also"],
        evidence=context.href(evidence_url(context.page.stem)),
        names={block.name for block in context.page.directives},
    )
