"""The directives of a page: each is a function from its surroundings to Markdown, or raises the faults that stop it."""

from collections.abc import Callable, Mapping

from linkindex.render.book import Context
from linkindex.render.directives import (
    dossier, examples, formulas, listings, parameters, path, summary, tensors, whatif, worked,
)  # fmt: skip
from linkindex.render.faults import fault, nearest

DIRECTIVES: Mapping[str, Callable[[Context], str]] = {
    "equation": formulas.equation,
    "symbols": formulas.symbols,
    "example": examples.example,
    "matrices": examples.matrices,
    "heatmap": examples.heatmap,
    "rowsums": examples.rowsums,
    "cells": examples.cells,
    "bound": examples.bound,
    "compare": examples.compare,
    "worked": worked.worked,
    "shapes": tensors.shapes,
    "grads": tensors.grads,
    "parameters": parameters.parameters,
    "path": path.path,
    "code": listings.code,
    "listing": listings.listing,
    "whatif": whatif.whatif,
    "dossier": dossier.dossier,
    "evidence-summary": summary.evidence_summary,
}


def expand(context: Context) -> str:
    """The Markdown that stands for a directive. Raises Faults LI602 if there is no directive of that name."""
    name = context.directive.name
    if name not in DIRECTIVES:
        raise fault("LI602", f"there is no directive '::: {name}'; {nearest(name, DIRECTIVES)}")
    return DIRECTIVES[name](context)
