"""What the Markdown files hold: prose and directives, in sections, with the records beside them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from linkindex.model.findings import Place
from linkindex.model.records import Equation, Record, Statement, Symbol


DRAFTS = "drafts/"                                      # below the pages: what is checked, and not published yet


@dataclass(frozen=True)
class Directive:
    """``::: name argument ...`` of a page, with its indented YAML options."""

    name: str
    arguments: tuple[str, ...]
    options: Mapping[str, object]
    place: Place


@dataclass(frozen=True)
class Prose:
    """Markdown between directives, as written."""

    text: str
    place: Place


@dataclass(frozen=True)
class Concept:
    """A section (``## Title {#anchor}``) of a page that shows at least one equation."""

    title: str
    anchor: str
    blocks: tuple[Prose | Directive, ...]                # without the heading itself
    equations: tuple[str, ...]                           # ids, in the order shown
    place: Place


@dataclass(frozen=True)
class Page:
    """One Markdown file; ``notation``, ``equations`` and ``statements`` come from its YAML sibling, ``example`` is its
    Python one."""

    stem: str                                            # docs/attention.md -> "attention"
    path: str
    title: str
    blocks: tuple[Prose | Directive | Concept, ...]
    notation: tuple[Symbol, ...] = ()
    equations: tuple[Equation, ...] = ()
    statements: tuple[Statement, ...] = ()
    example: str | None = None                           # path of the example file
    unread: tuple[str, ...] = ()                         # ids of records that cannot be read; "page.": none of them can
    sizes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # free size -> its lengths, sample by sample

    @property
    def records(self) -> str:
        """Path of the YAML file, whether it is there or not."""
        return self.path.removesuffix(".md") + ".yml"

    @property
    def displayed(self) -> tuple[Record, ...]:
        """Everything that it displays as a numbered formula."""
        return (*self.equations, *self.statements)

    @property
    def has_records(self) -> bool:
        """Whether the YAML file beside it holds, or should hold, anything: then its mathematics is checked."""
        return bool(self.notation or self.displayed or self.unread)

    def cannot_read(self, identity: str) -> bool:
        """Whether a record may have this id that cannot be read: what is missed then is no fault of its own."""
        return any(identity == one or (one.endswith(".") and identity.startswith(one)) for one in self.unread)

    @property
    def is_draft(self) -> bool:
        return self.stem.startswith(DRAFTS)

    @property
    def final_stem(self) -> str:
        """The stem that the page has once it is published: ids of equations and links are written for that place."""
        return self.stem.removeprefix(DRAFTS)

    @property
    def concepts(self) -> tuple[Concept, ...]:
        return tuple(block for block in self.blocks if isinstance(block, Concept))

    @property
    def flat(self) -> Iterator[Prose | Directive]:
        """Prose and directives, in and outside of concepts, in their order."""
        for block in self.blocks:
            yield from block.blocks if isinstance(block, Concept) else (block,)

    @property
    def directives(self) -> Iterator[Directive]:
        return (block for block in self.flat if isinstance(block, Directive))
