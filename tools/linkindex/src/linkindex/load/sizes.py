"""Sizes can be computed, and the lengths that pyproject.toml chooses are those of the free ones."""

from collections.abc import Iterable, Iterator

from linkindex.load.yamltree import Table
from linkindex.model import Config, Finding, Place, Symbol
from linkindex.sizes import size_faults


def check_sizes(table: Table, symbols: Iterable[Symbol], config: Config) -> Iterator[Finding]:
    """``table``: the registry as it was read."""
    chosen = [*config.sizes, *([config.configuration] if config.configuration else [])]
    for name, message in size_faults(symbols, chosen).items():
        yield Finding(_place(table, name), "LI122", message if name in message else f"{name}: {message}")


def _place(table: Table, name: str) -> Place:
    """Of the size in the registry, or of the settings where it has none."""
    entry = table.entries.get(name)
    size = entry.entries.get("size") if isinstance(entry, Table) else None
    return size.place if size else Place("pyproject.toml")
