"""Fifth stage: real Markdown for MkDocs, with everything that can be computed filled in."""

from pathlib import Path

from linkindex.load.consistency import EQUATIONS, EVIDENCE, SYMBOLS
from linkindex.model import Evidence, Finding, Index, Resolution, Runs
from linkindex.render.book import Book
from linkindex.render.html import keep_templates
from linkindex.render.indexes import equations_page, symbols_page
from linkindex.render.ladders import evidence_page
from linkindex.render.output import write
from linkindex.render.pages import write_page
from linkindex.render.report import report_page
from linkindex.render.sources import prune, source_page
from linkindex.render.urls import evidence_stem


def render(index: Index, resolution: Resolution, runs: Runs, evidence: Evidence, out: Path) -> tuple[Finding, ...]:
    """Write the pages, their evidence, a source page per linked file, and the indexes into ``out``; say what could not
    be shown."""
    keep_templates(index.config.root)
    pages, findings = rendered(Book(index, resolution, runs, evidence))
    write(out, pages)
    prune(index.config.root)
    return findings


def unshown(index: Index, resolution: Resolution, runs: Runs, evidence: Evidence) -> tuple[Finding, ...]:
    """What the directives of the pages cannot show. Writes nothing."""
    keep_templates(index.config.root)
    book = Book(index, resolution, runs, evidence)
    return tuple(finding for page in index.pages for finding in write_page(book, page).findings)


def rendered(book: Book) -> tuple[dict[str, str], tuple[Finding, ...]]:
    """All files, by their path below the output folder."""
    findings: list[Finding] = []
    pages: dict[str, str] = {}
    generated = {
        f"{EQUATIONS}.md": lambda: equations_page(book),
        f"{SYMBOLS}.md": lambda: symbols_page(book),
        f"{EVIDENCE}.md": lambda: report_page(book),
        **{
            f"{evidence_stem(page.stem)}.md": lambda page=page: evidence_page(book, page)
            for page in book.index.pages if any(entry.page is page for entry in book.entries.values())
        },
        **{
            f"source/{file}.md": lambda file=file, text=text: source_page(book, file, text)
            for file, text in book.resolution.sources.items()
        },
    }
    taken = {path.casefold() for path in generated}
    for page in book.index.pages:
        path = f"{page.stem}.md"
        if path.casefold() not in taken:                 # reported when the page is read
            written = write_page(book, page)
            pages |= {path: written.text, **written.files}
            findings.extend(written.findings)
    pages |= {path: make() for path, make in generated.items()}
    return pages, tuple(sorted(set(findings)))
