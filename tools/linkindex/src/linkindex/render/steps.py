"""Where a section stands among the steps of its page."""

from collections.abc import Mapping

from linkindex.model import Concept, Page
from linkindex.render.html import fill


def strip(page: Page, concept: Concept) -> str | None:
    """All steps of the page with this one lit; None where the page names no steps, or the section is none of them."""
    steps = next((block.options.get("of") for block in page.directives if block.name == "steps"), None)
    if not isinstance(steps, Mapping) or concept.anchor not in steps.values():
        return None
    position = list(steps.values()).index(concept.anchor) + 1
    return fill("steps", steps=steps, here=concept.anchor, position=position)
