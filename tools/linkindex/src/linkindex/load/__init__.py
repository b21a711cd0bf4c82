"""First stage: read everything that people wrote in docs/, with the place of every record."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from linkindex.load.consistency import check_index
from linkindex.load.lock import read_lock
from linkindex.load.pages import read_page
from linkindex.load.records import read_records
from linkindex.load.references import read_references
from linkindex.load.symbols import distinct, read_notation, read_registry
from linkindex.load.text import read_text
from linkindex.load.yamltree import Table, Text, read_yaml
from linkindex.model import DRAFTS, Config, Equation, Finding, Index, Page, Place, Statement, Symbol
from linkindex.sizes import size_faults

REGISTRY, REFERENCES, LOCK = "symbols.yml", "references.yml", "links.lock"
NOT_EDITED: Mapping[str, str] = MappingProxyType({})


def load(
    config: Config, edited: Mapping[str, str] = NOT_EDITED, drafts: bool = True
) -> tuple[Index, tuple[Finding, ...]]:
    """The index of the project, and all that is wrong with its files.

    ``edited``: texts to read in place of files, by path. ``drafts``: whether the pages in the folder of drafts count.
    """
    findings: list[Finding] = []
    docs = config.root / config.docs
    registered = _read_table(docs / REGISTRY, config, findings, edited)
    symbols = read_registry(registered, findings)
    references = read_references(_read_table(docs / REFERENCES, config, findings, edited), findings)
    lock_path = docs / LOCK
    lock_text = _text(lock_path, config, findings, edited) if lock_path.is_file() else None
    registry = {symbol.latex: symbol for symbol in symbols}
    pages = tuple(
        page
        for path in _files(docs, "*.md", drafts)
        for page in _read_page(path, config, registry, findings, edited)
    )
    findings.extend(_check_sizes(registered, symbols, config, pages) if symbols else ())
    index = Index(
        config=config,
        pages=pages,
        symbols=distinct(symbols, findings),
        references=references,
        lock=None if lock_text is None else read_lock(lock_text, _name(lock_path, config), findings),
    )
    findings.extend(_orphans(docs, config, index, drafts))
    findings.extend(check_index(index))
    registry_path = _name(docs / REGISTRY, config)
    if not symbols and index.equations and not any(finding.place.path == registry_path for finding in findings):
        message = "the registry of symbols is missing or empty: write an entry for each symbol that pages list"
        findings.append(Finding(Place(registry_path), "LI124", message))
    return index, tuple(sorted(set(findings)))


def _files(docs: Path, pattern: str, drafts: bool) -> list[Path]:
    """The files of people, and not those in the folder of drafts unless these count."""
    left_out = docs / DRAFTS
    found = (path for path in docs.rglob(pattern) if path.is_file() and (drafts or not path.is_relative_to(left_out)))
    return sorted(found, key=lambda path: path.with_suffix(""))  # "attention" stands before "attention-backward"


def _name(path: Path, config: Config) -> str:
    return path.relative_to(config.root).as_posix()


def _text(path: Path, config: Config, findings: list[Finding], edited: Mapping[str, str]) -> str | None:
    name = _name(path, config)
    return edited[name] if name in edited else read_text(path, name, findings)


def _read_table(path: Path, config: Config, findings: list[Finding], edited: Mapping[str, str]) -> Table:
    if not path.is_file():
        return Table({}, place=Place(_name(path, config)))
    text = _text(path, config, findings, edited)
    if text is None:
        return Table({})
    table, wrong = read_yaml(text, _name(path, config))
    findings.extend(wrong)
    return table


def _read_page(
    path: Path, config: Config, registry: dict, findings: list[Finding], edited: Mapping[str, str]
) -> list[Page]:
    text = _text(path, config, findings, edited)
    if text is None:
        return []
    stem = path.relative_to(config.root / config.docs).with_suffix("").as_posix()
    title, blocks = read_page(text, _name(path, config), findings)
    records, example = path.with_suffix(".yml"), path.with_suffix(".py")
    notation, sizes, written, unread = (), {}, (), ()
    if records.is_file():
        noted = len(findings)
        table = _read_table(records, config, findings, edited)
        shared = _shared(table, config, findings)
        of_shared = read_notation(_read_table(shared, config, [], edited).entries.get("notation"), registry, [])
        example = example if example.is_file() else shared.with_suffix(".py")
        notation, sizes, written, unread = read_records(table, stem, registry, of_shared, findings)
        if not table.entries and noted < len(findings):
            unread = (stem.removeprefix(DRAFTS).replace("/", ".") + ".",)
    return [
        Page(
            stem=stem,
            path=_name(path, config),
            title=title or stem,
            blocks=blocks,
            notation=notation,
            equations=tuple(record for record in written if isinstance(record, Equation)),
            statements=tuple(record for record in written if isinstance(record, Statement)),
            example=_name(example, config) if example.is_file() else None,
            unread=unread,
            sizes=sizes,
        )
    ]


def _shared(table: Table, config: Config, findings: list[Finding]) -> Path:
    """The records of the page whose notation and example this page shares; a file that is not there, if of none."""
    named = table.entries.get("shares")
    name = named.value if isinstance(named, Text) else ""
    path = config.root / config.docs / f"{name}.yml"
    if named is not None and not path.is_file():
        message = f"expected the name of a page with records, such as attention, found {name or 'no text'!r}"
        findings.append(Finding(named.place, "LI107", message))
    return path


def _orphans(docs: Path, config: Config, index: Index, drafts: bool) -> list[Finding]:
    """Records without a page would be checked by nobody."""
    stems, own = {page.stem for page in index.pages}, (docs / REGISTRY, docs / REFERENCES)
    return [
        Finding(
            Place(_name(path, config)),
            "LI115",
            f"expected the page {path.stem}.md beside these records, and there is none: add it, or move them",
        )
        for path in _files(docs, "*.yml", drafts)
        if path.relative_to(docs).with_suffix("").as_posix() not in stems and path not in own
    ]


def _check_sizes(
    table: Table, symbols: Iterable[Symbol], config: Config, pages: Iterable[Page]
) -> Iterator[Finding]:
    """Sizes can be computed, and the lengths that pyproject.toml and pages choose are those of the free ones.
    ``table``: the registry as it was read."""
    for name, message in size_faults(symbols, config, pages).items():
        yield Finding(_place_of_size(table, name), "LI122", message if name in message else f"{name}: {message}")


def _place_of_size(table: Table, name: str) -> Place:
    """Of the size in the registry, or of the settings where it has none."""
    entry = table.entries.get(name)
    size = entry.entries.get("size") if isinstance(entry, Table) else None
    return size.place if size else Place("pyproject.toml")
