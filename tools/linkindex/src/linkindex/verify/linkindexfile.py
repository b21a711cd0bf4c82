"""link-index.json: there, of the shipped schema, and about exactly the equations of the index (LI721)."""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from linkindex import store
from linkindex.model import Finding, Index, Place
from linkindex.schema import disagreements
from linkindex.verify.site import Site

FILE = "link-index.json"
KEPT = 20  # answers to whether a file agrees with the schema


def read_entries(site: Site, root: Path) -> tuple[Mapping, ...]:
    """The equations of link-index.json; none where the file is not valid, which ``check_file`` reports. ``root``: of
    the project."""
    text = _text(site)
    if text is None:
        return ()
    try:
        document = json.loads(text)
    except json.JSONDecodeError:
        return ()
    return () if _disagreements(text, root) else tuple(document["equations"])


def check_file(site: Site, index: Index) -> Iterator[Finding]:
    place = Place(f"site/{FILE}")
    text = _text(site)
    if text is None:
        message = f"the site has no {FILE}: list the plugin 'linkindex' in mkdocs.yml, and build again"
        yield Finding(place, "LI721", message)
        return
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        yield Finding(Place(place.path, error.lineno, error.colno), "LI721", f"no valid JSON: {error.msg}")
        return
    wrong = _disagreements(text, index.config.root)
    yield from (Finding(place, "LI721", message) for message in wrong)
    if not wrong:
        yield from _agreement(document, index)


def _agreement(document: Mapping, index: Index) -> Iterator[Finding]:
    """A record without an entry would be checked by nobody, and so would an entry without a record."""
    expected = {record.id: record for record in index.displayed}
    found = {entry["id"]: entry for entry in document["equations"]}
    for identity in expected.keys() - found.keys():
        yield Finding(expected[identity].place, "LI721", f"{FILE} has no entry for {identity}: build the site again")
    for identity in found.keys() - expected.keys():
        message = f"the entry {identity} has no record in the .yml files: build the site again"
        yield Finding(Place(f"site/{FILE}"), "LI721", message)
    for identity in expected.keys() & found.keys():
        entry, equation = found[identity], expected[identity]
        if entry["anchor"] != equation.anchor:
            message = f"{identity}: expected the anchor {equation.anchor!r}, found {entry['anchor']!r}"
            yield Finding(equation.place, "LI721", message)
        if entry["kind"] != equation.kind:
            message = f"{identity}: expected the kind {equation.kind!r}, found {entry['kind']!r}: build the site again"
            yield Finding(equation.place, "LI721", message)
        elif not entry["links"] and equation.kind != "statement":
            yield Finding(equation.place, "LI721", f"{FILE}: the entry {identity} has no code link")


def _text(site: Site) -> str | None:
    return (site.root / FILE).read_text(encoding="utf-8") if FILE in site.files else None


@lru_cache(maxsize=1)
def _disagreements(text: str, root: Path) -> tuple[str, ...]:
    """Where a document does not agree with the schema. It seldom changes, and the validator takes long to import."""
    path = store.place(root, "schema", store.distributions(), text)
    found = store.kept(path, lambda: disagreements(json.loads(text)))
    store.prune(path.parent, KEPT)
    return tuple(found)
