"""What no trial varies is not compared: a number that is the same in all of them, a side that no choice takes."""

import ast
from collections.abc import Iterator

from linkindex.evidence.subject import Subject
from linkindex.model import Choice
from linkindex.resolve.behind import names_in


def unvaried(subject: Subject) -> Iterator[str]:
    """What the record says under `where` is meant to be so."""
    where = subject.equation.where
    meant = names_in(ast.parse(where.strip(), mode="eval")) if where else set()
    for link in subject.links:
        for expression in link.reads:
            number = _steady(subject, link.key, expression)
            if number is not None and not names_in(ast.parse(expression)) & meant:
                yield (
                    f"{expression} is {number:g} in every trial, so that what it does is not compared: let sample() in "
                    f"{subject.page.example} draw it; if the formula holds for this value only, write `where: "
                    f"{expression} == {number:g}`"
                )
        for choice in link.choices:
            if not set(choice.names) & meant:
                yield from _not_taken(subject, choice)


def _steady(subject: Subject, key: str, expression: str) -> float | None:
    found = [run.steady[key][expression] for run in subject.all_runs if expression in run.steady.get(key, ())]
    return found[0] if found and all(one == found[0] for one in found) else None


def _not_taken(subject: Subject, choice: Choice) -> Iterator[str]:
    taken = {side for run in subject.all_runs for side in run.taken.get(choice.key, ())}
    whole = " ".join(choice.span.code.split())
    draw = f"let sample() in {subject.page.example} draw a case in which it is"
    for side, code in choice.sides if taken else ():
        if side in taken or (side in choice.plain and f"{side} tied" in taken):
            continue
        yield f"{code} of {whole} is never taken in the trials: {draw}" if code else (
            f"{whole} is never {side} in the trials: {draw}"
        )
