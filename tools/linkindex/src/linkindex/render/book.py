"""Everything that a page needs to be written: what the earlier stages found out, and where each equation is shown."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from markupsafe import Markup

from linkindex.directives import first_numbers
from linkindex.model import (
    Concept, Directive, Equation, Evidence, ExampleRun, Index, Link, Page, Resolution, Runs, Statement, Symbol,
    SymbolRow, Value,
)
from linkindex.permalink import Permalinks, permalinks
from linkindex.render import refs, urls
from linkindex.render.faults import fault, nearest


@dataclass(frozen=True)
class Entry:
    """An equation or a statement where it is shown: on its page, in its concept, under its number."""

    equation: Equation | Statement
    page: Page
    concept: Concept
    number: int

    @property
    def url(self) -> str:
        return f"{urls.page_url(self.page.stem)}#{self.equation.anchor}"

    @property
    def name(self) -> str:
        """What the equation is called wherever it is spoken of: "Attention 7"."""
        return f"{self.page.title} {self.number}"

    @property
    def label(self) -> str:
        return f"{self.name}: {self.equation.title}"

    @property
    def example_anchor(self) -> str | None:
        """Anchor of the first numbers of the concept; None where it shows none."""
        return f"{self.concept.anchor}-example" if self.page.example and first_numbers(self.concept) else None


@dataclass(frozen=True)
class Book:
    """The results of the stages before, with the order of the equations."""

    index: Index
    resolution: Resolution
    runs: Runs
    evidence: Evidence

    @cached_property
    def shown(self) -> Mapping[str, Entry]:
        """Every equation and statement that a page shows, by id, in the order of pages and directives."""
        found: dict[str, Entry] = {}
        for page in self.index.pages:
            records = {record.id: record for record in page.displayed}
            number = 0
            for concept in page.concepts:
                for identity in concept.equations:
                    if identity in records and identity not in found:
                        number += 1
                        found[identity] = Entry(records[identity], page, concept, number)
        return found

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """The equations among them: what there is evidence of."""
        return {name: entry for name, entry in self.shown.items() if isinstance(entry.equation, Equation)}

    def statements(self, page: Page | None = None) -> int:
        """How many statements there are, on one page or on all."""
        shown = (entry for entry in self.shown.values() if page in (None, entry.page))
        return sum(isinstance(entry.equation, Statement) for entry in shown)

    def formula(self, entry: Entry) -> str:
        """The LaTeX on one line, with a mark around each symbol that is known."""
        proof = self.evidence.proofs.get(entry.equation.id)
        return " ".join((proof.marked if proof else entry.equation.latex).split())

    @cached_property
    def links(self) -> tuple[tuple[Entry, Link], ...]:
        """Every link of every shown equation."""
        links = self.resolution.links
        return tuple((entry, link) for name, entry in self.entries.items() for link in links.get(name, ()))

    @cached_property
    def permalinks(self) -> Permalinks:
        """Addresses of source lines at the commit, for the files that the commit holds as they are shown."""
        config = self.index.config
        return permalinks(config.root, config.repository, self.evidence.commit, self.resolution.sources)

    def run(self, page: Page, kind: str) -> ExampleRun | None:
        return next((run for run in self.runs.examples.get(page.stem, ()) if run.kind == kind), None)


@dataclass(frozen=True)
class Context:
    """A directive's surroundings. ``concept`` is None outside of concepts; ``ordinal`` counts the page's examples."""

    book: Book
    page: Page
    concept: Concept | None
    directive: Directive | None                          # None for prose
    ordinal: int = 0

    def elsewhere(self, stem: str | None) -> "Context":
        """The surroundings of another page, for a directive that shows values of its run. Raises Faults LI604."""
        if stem is None:
            return self
        pages = {page.stem: page for page in self.book.index.pages}
        if stem not in pages:
            raise fault("LI604", f"there is no page {stem!r} whose values could be shown; {nearest(stem, pages)}")
        return replace(self, page=pages[stem], concept=None)

    @property
    def url(self) -> str:
        return urls.page_url(self.page.stem)

    @property
    def equations(self) -> tuple[str, ...]:
        """Ids of the concept's equations; outside of concepts, of all that the page shows."""
        if self.concept:
            return tuple(name for name in self.concept.equations if name in self.book.entries)
        return tuple(name for name, entry in self.book.entries.items() if entry.page is self.page)

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(self.book.entries[name] for name in self.equations)

    @property
    def anchor(self) -> str:
        """What the ids of this directive's headings begin with."""
        if self.concept:
            return self.concept.anchor
        return f"{self.page.stem.replace('/', '-')}-{self.directive.place.line}".lower()

    @property
    def example_id(self) -> Markup:
        """The attribute of the first numbers of a section, to which its equations lead; empty for all others."""
        first = self.concept is not None and first_numbers(self.concept) is self.directive
        return Markup(' id="{}-example"').format(self.anchor) if first else Markup("")

    @property
    def folded_too(self) -> Markup:
        """The attribute of a link that its section holds in its folded links as well: it is no second tab stop."""
        blocks = self.concept.blocks if self.concept else ()
        folded = any(isinstance(block, Directive) and block.name == "dossier" for block in blocks)
        return Markup(' tabindex="-1"') if folded else Markup("")

    @property
    def title(self) -> str:
        return self.concept.title if self.concept else self.page.title

    @cached_property
    def values(self) -> Mapping[str, Value]:
        """What the example recorded on the inputs that the page shows, by canonical code."""
        return self._values("inputs")

    @cached_property
    def of_page(self) -> Mapping[str, Value]:
        """The same; where the functions of the concept have no such value, that of the page's other functions."""
        run = self.book.run(self.page, "inputs")
        shown = [name for name, entry in self.book.entries.items() if entry.page is self.page]
        return {**(refs.values(run, shown) if run else {}), **self.values}

    @cached_property
    def configured(self) -> Mapping[str, Value]:
        """The same, from the run with the sizes of the configuration."""
        return self._values("configuration")

    @property
    def sizes(self) -> Mapping[str, int]:
        run = self.book.run(self.page, "configuration")
        return run.sizes if run else {}

    @property
    def labels(self) -> Mapping[str, tuple[str, ...]]:
        run = self.book.run(self.page, "inputs")
        return run.labels if run else {}

    @property
    def notation(self) -> tuple[Symbol, ...]:
        return self.page.notation

    @property
    def symbols(self) -> tuple[SymbolRow, ...]:
        """The symbols of the concept's equations, each once, in the order in which they appear."""
        rows: dict[str, SymbolRow] = {}
        for name in self.equations:
            proof = self.book.evidence.proofs.get(name)
            for row in proof.symbols if proof else ():
                rows.setdefault(row.latex, row)
        return tuple(rows.values())

    def _values(self, kind: str) -> Mapping[str, Value]:
        run = self.book.run(self.page, kind)
        return refs.values(run, self.equations) if run else {}

    def href(self, url: str) -> str:
        return urls.relative(self.url, url)
