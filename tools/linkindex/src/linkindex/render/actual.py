"""Numbers of a trained model beside its tokens, in a panel of their own, with their provenance and what was checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkindex.render import numbers
from linkindex.render.book import Context
from linkindex.render.faults import fault
from linkindex.render.html import fill
from linkindex.render.matrix import Cell, alone, cell
from linkindex.render.refs import look_up


@dataclass(frozen=True)
class Token:
    """A token, the number that the row has for it, and whether it is the reader, the most read, or comes later."""

    text: str
    cell: Cell
    kind: str


def shown(context: Context, options: Mapping[str, Any]) -> str:
    """The panel. Raises Faults LI603 and LI606 where its numbers or tokens are not there."""
    recorded, at = look_up(options["show"], context.of_page), options["at"]
    tokens, provenance = (labels(context, options[name]) for name in ("tokens", "from"))
    values = recorded.array()
    if len(at) != values.ndim - 1 or any(i >= size for i, size in zip(at, values.shape)):
        message = f"{options['show']!r} has shape {values.shape}"
        raise fault("LI606", f"{message}: give the indices of all its axes but the last")
    row = values[at]
    if len(row) != len(tokens):
        raise fault("LI606", f"a row of {len(row)} numbers stands beside {len(tokens)} tokens: correct labels()")
    reader, decimals = at[-1], options["decimals"]
    strongest = int(np.argmax(row))
    kinds = [
        "here" if j == reader else "strong" if j == strongest else "later" if j > reader else ""
        for j in range(len(row))
    ]
    fixed = numbers.together(row.tolist(), decimals, numbers.fixed)

    def show(x: float) -> str:
        return fixed(x) if x else "0"

    return fill(
        "actual",
        context=context, title=options["title"], note=options["note"], provenance=provenance, ref=options["show"],
        tokens=[
            Token(_visible(text), cell(x, show), kind)
            for text, x, kind in zip(tokens, row.tolist(), kinds)
        ],
        total=alone(float(row.sum(dtype=float)), decimals, numbers.fixed), later=len(row) - reader - 1,
        hidden=not np.any(row[reader + 1 :]), dtype=recorded.whole.dtype, at=list(at),
    )


def labels(context: Context, name: str) -> tuple[str, ...]:
    """What labels() of the example file has under a name. Raises Faults LI603."""
    if name not in context.labels:
        known = ", ".join(context.labels) or "none"
        raise fault("LI603", f"labels() of {context.page.example} has nothing under {name!r}; it has {known}: add it")
    return context.labels[name]


def _visible(token: str) -> str:
    return token.replace(" ", "·").replace("\n", "⏎")
