"""What the stage ``load`` gives."""

from collections.abc import Mapping
from dataclasses import dataclass

from linkindex.model.config import Config
from linkindex.model.lock import LockEntry
from linkindex.model.pages import Page
from linkindex.model.records import Equation, Record, Symbol


@dataclass(frozen=True)
class Index:
    """Everything that people wrote: configuration, pages with equations, symbols, references, lock."""

    config: Config
    pages: tuple[Page, ...]
    symbols: tuple[Symbol, ...]                          # the registry
    references: Mapping[str, Mapping[str, str]]
    lock: Mapping[str, LockEntry] | None                 # equation id -> what was locked; None: no lock file

    @property
    def published(self) -> tuple[Record, ...]:
        """Equations and statements that are not on a draft."""
        return tuple(record for page in self.pages if not page.is_draft for record in page.displayed)

    @property
    def equations(self) -> tuple[Equation, ...]:
        return tuple(equation for page in self.pages for equation in page.equations)

    @property
    def displayed(self) -> tuple[Record, ...]:
        """Equations and statements."""
        return tuple(record for page in self.pages for record in page.displayed)

    def cannot_read(self, identity: str) -> bool:
        """Whether a record may have this id that cannot be read."""
        return any(page.cannot_read(identity) for page in self.pages)
