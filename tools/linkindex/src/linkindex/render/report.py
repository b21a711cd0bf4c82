"""The report of the whole site: what was checked, by which means, and what was not."""

from collections.abc import Mapping
from itertools import groupby

from linkindex import __version__
from linkindex.render import numbers
from linkindex.render.book import Book, Entry
from linkindex.render.census import KINDS, OUTCOMES, Census, census, largest_error, tolerances
from linkindex.render.html import fill
from linkindex.render.mutants import noticed_in_words, outcome_of, reason_of, tally
from linkindex.render.places import STEP_NAMES, source_href, tested
from linkindex.render.unlinked import public_functions
from linkindex.render.urls import evidence_anchor, evidence_url, relative

_HERE = "evidence/"
_STATES = ("done", "exception", "failed", "not run")


def report_page(book: Book) -> str:
    """The page ``evidence`` as Markdown."""
    entries = tuple(book.entries.values())
    counted = census(book, entries)
    sections = (
        ("Pages", "pages", {"pages": _pages(book)}),
        ("Steps", "steps", {"rows": _steps(counted), "states": _STATES, "kinds": _kinds(counted)}),
        ("Exceptions", "exceptions", {"exceptions": counted.exceptions, "total": len(entries), "names": STEP_NAMES}),
        ("Formulas against code", "formulas", _formulas(book, entries)),
        ("Mutants", "mutants", {"rows": _outcomes(counted), "kinds": _kinds(counted), "census": counted}),
        ("Equivalent mutants", "equivalent", {"rows": _equivalent(book, entries)}),
        ("Tests that serve as evidence", "tests", _tests(book, entries)),
        ("Public functions without an equation", "functions", _functions(book)),
        ("What computed it", "means", {"versions": _versions(book), "runs": _runs(book)}),
    )
    text = [
        "# Evidence",
        fill("evidence_summary", census=counted, steps=len(counted.steps), href=None, statements=book.statements()),
        fill("report_intro"),
    ]
    for title, name, values in sections:
        text += [f"## {title} {{ #{name} }}", fill(f"report_{name}", **values)]
    return "\n\n".join(text) + "\n"


def _kinds(counted: Census) -> dict[str, int]:
    """How many equations of each kind there are."""
    first = next(iter(counted.steps.values()))
    return {kind: sum(many for (of, _), many in first.items() if of == kind) for kind in KINDS}


def _pages(book: Book) -> list[dict[str, object]]:
    rows = []
    for page in book.index.pages:
        entries = [entry for entry in book.entries.values() if entry.page is page]
        if entries:
            href = relative(_HERE, evidence_url(page.stem))
            rows.append({"page": page, "href": href, "census": census(book, entries)})
    return rows


def _steps(counted: Census) -> list[dict[str, object]]:
    return [
        {"name": STEP_NAMES[name], "counts": {state: tuple(counts[kind, state] for kind in KINDS) for state in _STATES}}
        for name, counts in counted.steps.items()
    ]


def _formulas(book: Book, entries: tuple[Entry, ...]) -> Mapping[str, object]:
    worst = largest_error(book, entries)
    steps = [proof.steps["formula"] for proof in book.evidence.proofs.values() if "formula" in proof.steps]
    return {
        "entry": worst[0] if worst else None,
        "href": _href(worst[0]) if worst else None,
        "error": numbers.bound(worst[1]) if worst else None,
        "tolerances": [f"{tolerance:.0e}" for tolerance in tolerances(book, entries)],
        "trials": sum(step.trials for step in steps),
        "total": len(entries),
        "evaluated": sum(step.max_error is not None for step in steps),
    }


def _outcomes(counted: Census) -> list[tuple[str, tuple[int, ...]]]:
    """Each outcome with its number for each kind of equation; those that are none of the known ones last."""
    others = sorted({outcome for _, outcome in counted.outcomes} - set(OUTCOMES))
    return [
        (noticed_in_words(outcome), tuple(counted.outcomes[kind, outcome] for kind in KINDS))
        for outcome in (*OUTCOMES, *others)
    ]


def _equivalent(book: Book, entries: tuple[Entry, ...]) -> list[dict[str, object]]:
    return [
        {"entry": entry, "href": _href(entry), "code": verdict.mutant.code,
         "reason": reason_of(entry.equation, verdict)}
        for entry in entries
        for verdict in book.runs.verdicts.get(entry.equation.id, ())
        if outcome_of(entry.equation, verdict) == "equivalent"
    ]


def _tests(book: Book, entries: tuple[Entry, ...]) -> Mapping[str, object]:
    """The linked tests by file, each with what it serves and what it caught."""
    by_test: dict[str, list[Entry]] = {}
    for entry in entries:
        by_test.setdefault(entry.equation.test, []).append(entry)
    rows = [_test(book, nodeid, served) for nodeid, served in sorted(by_test.items())]
    files = [(file, list(of_file)) for file, of_file in groupby(rows, key=lambda row: row["file"])]
    return {"total": len(rows), "files": files}


def _test(book: Book, nodeid: str, served: list[Entry]) -> dict[str, object]:
    run = book.runs.tests.get(nodeid)
    counts = [found for entry in served if (found := tally(book, entry.equation))]
    file, _, name = nodeid.partition("::")
    return {
        "file": file,
        "name": name,
        "test": tested(book, served[0], _HERE),
        "served": [(entry, _href(entry)) for entry in served],
        "cases": len(run.cases) if run else 0,
        "outcome": run.outcome if run else "not run",
        "caught": sum(found.killed for found in counts) if counts else None,
        "tried": sum(found.total for found in counts),
    }


def _functions(book: Book) -> Mapping[str, object]:
    functions = public_functions(book.index.config, book.resolution)
    unlinked = [function for function in functions if not function.linked]
    return {
        "total": len(functions),
        "linked": len(functions) - len(unlinked),
        "files": [
            (file, [(function, source_href(book, _HERE, file, function.line)) for function in of_file])
            for file, of_file in groupby(unlinked, key=lambda function: function.file)
        ],
    }


def _versions(book: Book) -> dict[str, str]:
    return {**dict(sorted(book.runs.versions.items())), "linkindex": __version__}


def _runs(book: Book) -> list[tuple[str, Mapping[str, int]]]:
    """The sizes of each run of the examples, with the page where it names sizes of its own."""
    runs = {
        f"{run.kind} of {page.title}" if page.sizes else run.kind: run.sizes
        for page in book.index.pages
        for run in book.runs.examples.get(page.stem, ())
        if run.sizes and not run.is_extreme and not run.is_further
    }
    names = dict.fromkeys(name for sizes in runs.values() for name in sizes)
    return [(kind, {name: sizes.get(name, "") for name in names}) for kind, sizes in runs.items()]


def _href(entry: Entry) -> str:
    return relative(_HERE, evidence_url(entry.page.stem)) + f"#{evidence_anchor(entry.equation.id)}"
