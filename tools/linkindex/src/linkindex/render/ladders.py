"""The evidence page of a page: which of its equations uses which, and each one's steps and mutants in full."""

from dataclasses import dataclass
from json import dumps

from linkindex.model import STEPS, Page, Verdict
from linkindex.render.book import Book, Entry
from linkindex.render.census import census
from linkindex.render.effects import outcome
from linkindex.render.graph import uses_table
from linkindex.render.html import fill, heading, plain
from linkindex.render.mutants import kind_in_words, noticed_in_words, outcome_of, reason_of, tally
from linkindex.render.per import each_of
from linkindex.render.places import code_lines, ladder, tested
from linkindex.render.telling import effects_of
from linkindex.render.urls import evidence_anchor, evidence_url, relative


@dataclass(frozen=True)
class MutantRow:
    code: str
    kind: str
    outcome: str
    noticed: str
    effect: str | None
    raised: bool                                         # the effect is what an exception said
    reason: str | None                                   # why it computes the same


def evidence_page(book: Book, page: Page) -> str:
    """The page ``evidence/<page>`` as Markdown."""
    here = evidence_url(page.stem)
    entries = [entry for entry in book.entries.values() if entry.page is page]
    title, url = f"Evidence: {page.title}", entries[0].url.partition("#")[0]
    return "\n\n".join([
        f"---\ntitle: {dumps(title, ensure_ascii=False)}\nhide:\n  - toc\nsearch:\n  boost: 0.5\n---",
        f"# {plain(title)}",
        fill("evidence_summary", census=census(book, entries), steps=len(STEPS), href=None,
             statements=book.statements(page)),
        fill("evidence_intro", page=page, href=relative(here, url), report=relative(here, "evidence/")),
        heading(2, "Which equation uses which", "evidence-graph"),
        uses_table(book, page),
        *(_equation(book, entry, here) for entry in entries),
    ]) + "\n"  # fmt: skip


def _equation(book: Book, entry: Entry, here: str) -> str:
    equation = entry.equation
    verdicts = book.runs.verdicts.get(equation.id)
    known = _known(book, entry, here)
    foot = fill(
        "evidence_equation", entry=entry, tally=tally(book, equation),
        rungs=[(rung, known.get(name, ()) or [(figure, None) for figure in rung.figures])
               for name, rung in zip(STEPS, ladder(book, equation), strict=True)],
        mutants=None if verdicts is None else _mutants(book, entry, verdicts),
    )
    return "\n".join((
        heading(2, entry.label, evidence_anchor(equation.id)), "",
        fill("evidence_head", entry=entry, href=relative(here, entry.url)), "",
        f'<div class="lx-equation lx-equation--plain" data-equation="{equation.id}" markdown="1">', "",
        "$$", book.formula(entry), "$$", "",
        fill("per", each=each_of(book, entry)),
        "</div>", "",
        foot,
    ))  # fmt: skip


def _known(book: Book, entry: Entry, here: str) -> dict[str, list[tuple[str, str | None]]]:
    """What the first steps rest on, with links: code, example, test, symbols."""
    test, proof = tested(book, entry, here), book.evidence.proofs.get(entry.equation.id)
    example = relative(here, entry.url.partition("#")[0] + f"#{entry.example_anchor}") if entry.example_anchor else None
    return {
        "resolved": [(line.label, line.href) for line in code_lines(book, entry, here)],
        "ran": [(entry.page.example, example)] if entry.page.example else [],
        "tested": [(test.name, test.href)] if test else [],
        "symbols": [(", ".join(row.code for row in proof.symbols), None)] if proof and proof.symbols else [],
    }


def _mutants(book: Book, entry: Entry, verdicts: tuple[Verdict, ...]) -> list[dict[str, object]]:
    """The mutants of each linked expression, in the order in which they were run."""
    effects, links = effects_of(book, entry), book.resolution.links.get(entry.equation.id, ())
    groups: dict[str, list[MutantRow]] = {}
    for verdict in verdicts:
        effect = effects.get((verdict.key, verdict.mutant.code))
        seen = outcome(effect) if effect else None
        became = outcome_of(entry.equation, verdict)
        groups.setdefault(verdict.key, []).append(MutantRow(
            code=verdict.mutant.code,
            kind=kind_in_words(verdict.mutant.kind),
            outcome=became,
            noticed=noticed_in_words(became),
            effect=seen.words if seen else None,
            raised=seen is not None and seen.raised,
            reason=reason_of(entry.equation, verdict) if became == "equivalent" else None,
        ))  # fmt: skip
    code = {link.key: link for link in links}
    return [{"link": code.get(key), "rows": rows} for key, rows in groups.items()]
