"""From a project to all that `linkindex fix` would do with it: which files change, what that means, what it refuses."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from linkindex.fix.files import Change
from linkindex.fix.lockfile import accepted, kept_files, new_lock
from linkindex.fix.memory import Memories, read_memories
from linkindex.fix.pages import page_text
from linkindex.fix.pictures import picture_texts, pictures
from linkindex.fix.prose import stale_prose
from linkindex.fix.records import record_changes
from linkindex.fix.refusals import code_refusals, unreadable
from linkindex.fix.remember import remember
from linkindex.fix.renaming import Names
from linkindex.fix.scalars import CannotEdit, Replacement, replace_scalars
from linkindex.fix.symbols import symbol_changes
from linkindex.fix.testfinder import find_tests
from linkindex.fix.traces import Traces, trace_all
from linkindex.followers import without_followers
from linkindex.load import REGISTRY, load
from linkindex.load.text import read_text
from linkindex.load.yamltree import Table, read_yaml
from linkindex.model import Config, Finding, Index, Resolution
from linkindex.quiet_gc import collector_paused
from linkindex.resolve import Finder, resolve


@dataclass(frozen=True)
class Plan:
    """What would be written, and what that means. ``kept``: the files among the changes that only the tool writes.

    With ``refusals``, which people have to mend, nothing is to be written: a lock that is new in part could no longer
    tell what the rest was.
    """

    changes: tuple[Change, ...]                          # of records, symbols and pages
    kept: tuple[Change, ...]                             # of the lock, and of what is remembered beside it
    notes: tuple[str, ...]                               # what the new lock says otherwise, and prose to be read again
    refusals: tuple[Finding, ...]


@dataclass(frozen=True)
class Texts:
    """The files that may be edited, by path, and the YAML ones among them as trees."""

    texts: Mapping[str, str]
    trees: Mapping[str, Table]


def plan(config: Config) -> Plan:
    """Repair what is lost, then lock what is there. Nothing is written, and no code of the project runs."""
    with collector_paused():
        index, noted = load(config, drafts=False)
        if refusals := unreadable(index, without_followers(noted, index)):
            return Plan((), (), (), refusals)
        resolution, wrong = resolve(index)
        finder, before = Finder(index), read_memories(config)
        traces, functions = trace_all(index, finder, before, resolution.links)
        texts = _read(index)
        edited, refused = _repaired(index, resolution, finder, before, texts, traces, functions)
        mended, found = index, resolution
        if edited:
            mended, _ = load(config, edited, drafts=False)
            found, wrong = resolve(mended)
        lock, now = new_lock(mended, found), remember(mended, found, finder, before)
        refused += code_refusals(mended, found, wrong, traces, before)
    changes = tuple(Change(name, texts.texts[name], text) for name, text in sorted(edited.items()))
    said = accepted(mended, found, lock, before, now, traces, functions)
    notes = (*said, *stale_prose(index, traces, functions))
    return Plan(changes, kept_files(config, lock, now), notes, tuple(sorted(set(refused))))


def _read(index: Index) -> Texts:
    docs, root = index.config.docs, index.config.root
    records = [page.path.removesuffix(".md") + ".yml" for page in index.pages]
    names = [f"{docs}/{REGISTRY}", *records, *(page.path for page in index.pages), *pictures(index)]
    files = (name for name in names if (root / name).is_file())
    texts = {name: text for name in files if (text := read_text(root / name, name, [])) is not None}
    return Texts(texts, {name: read_yaml(text, name)[0] for name, text in texts.items() if name.endswith(".yml")})


def _repaired(
    index: Index,
    resolution: Resolution,
    finder: Finder,
    memories: Memories,
    texts: Texts,
    traces: Traces,
    functions: Names,
) -> tuple[dict[str, str], list[Finding]]:
    """New texts of the files that must change, and what could not be repaired in them."""
    tests, refused = find_tests(index, resolution, finder, memories)
    replacements = []
    notations = {}
    for page in index.pages:
        table = texts.trees.get(page.path.removesuffix(".md") + ".yml", Table({}))
        notations[page.stem] = table.entries.get("notation")
        replacements += record_changes(table, page.equations, traces, functions, tests)
    registry = texts.trees.get(f"{index.config.docs}/{REGISTRY}", Table({}))
    changes, disagreements = symbol_changes(index, resolution, registry, notations, traces, functions)
    edited: dict[str, str] = {}
    for path, new in _edits(index, texts, [*replacements, *changes], traces, functions):
        if isinstance(new, Finding):
            refused.append(new)
        elif new != texts.texts[path]:
            edited[path] = new
    return edited, [*refused, *disagreements]


def _edits(
    index: Index, texts: Texts, replacements: list[Replacement], traces: Traces, functions: Names
) -> Iterator[tuple[str, str | Finding]]:
    for path in sorted({one.place.path for one in replacements}):
        mine = sorted({one for one in replacements if one.place.path == path})
        try:
            yield path, replace_scalars(texts.texts[path], mine)
        except CannotEdit as error:
            yield path, _by_hand("file", error)
    for page in index.pages:
        try:
            yield page.path, page_text(index, page, texts.texts[page.path], traces, functions)
        except CannotEdit as error:
            yield page.path, _by_hand("page", error)
    yield from picture_texts(index, texts.texts, traces, functions)


def _by_hand(what: str, error: CannotEdit) -> Finding:
    return Finding(error.place, "LI805", f"this {what} is left as it is: {error}: write it by hand")
