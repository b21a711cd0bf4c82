"""A way through the code: sentences, each with the line that it speaks of, in the order in which these lines ran."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from linkindex.model import Called, Mention
from linkindex.refs import called_function
from linkindex.render.book import Context
from linkindex.render.faults import each, fault, nearest
from linkindex.render.highlight import statement
from linkindex.render.html import fill
from linkindex.render.places import CodeLine, code_line


@dataclass(frozen=True)
class Stage:
    says: str
    line: CodeLine
    code: Markup                                         # the statement that holds the line's expression
    turn: int                                            # its place among all probes that ran, by when they first ended


def path_table(context: Context, options: Mapping[str, Any]) -> str:
    """``run`` is a call of the example file; the lines ``through`` must run in it, in their order."""
    call = called(context, options["run"])
    stages = each(lambda row: _stage(context, call, options["run"], row), options["through"])
    for before, after in pairwise(stages):
        if after.turn < before.turn:
            message = f"{after.line.label} ran before {before.line.label} in {options['run']}"
            raise fault("LI618", f"{message}: put the lines into the order in which they run")
    return fill("path", context=context, stages=stages, title=options["title"], note=options["note"])


def called(context: Context, code: str) -> Called:
    """The call of a function of the example file. Raises Faults LI604 (no such call) and LI609 (it was not made)."""
    name = called_function(code)
    if name is None:
        raise fault("LI604", f"expected a call of a function of the example file, such as parameters(), found {code!r}")
    run = context.book.run(context.page, "configuration")
    if run is None:
        raise fault("LI609", f"{code} was not called: no example ran with the sizes of the configuration")
    if name not in run.called:
        raise fault("LI609", f"{code} was not called with the sizes of the configuration; {nearest(name, run.called)}")
    return run.called[name]


def _stage(context: Context, call: Called, run: str, row: dict[str, str]) -> Stage:
    mention: Mention | None = context.book.resolution.mentions.get((row["in"], row["code"]))
    if mention is None:
        raise fault("LI618", f"{row['code']!r} was not found in {row['in']}: correct the line of the path first")
    line = code_line(context.book, "calls", mention.span, mention.function, context.url)
    if mention.key not in call.executed:
        raise fault("LI618", f"{run} did not run {line.label} ({row['code']}): let the example run it, or leave it out")
    code = statement(context.book.resolution.sources.get(mention.span.file), mention.statement)
    return Stage(row["says"], line, code, call.executed.index(mention.key))
