"""link-index.json: there, of the shipped schema, and about exactly the equations of the index (LI721)."""

import json
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from jsonschema import Draft202012Validator, ValidationError

from linkindex.link_index import schema
from linkindex.model import Finding, Index, Place
from linkindex.verify.site import Site

FILE = "link-index.json"


def read_entries(site: Site) -> tuple[Mapping, ...]:
    """The equations of link-index.json; none where the file is not valid, which ``check_file`` reports."""
    text = _text(site)
    if text is None:
        return ()
    try:
        document = json.loads(text)
    except json.JSONDecodeError:
        return ()
    return () if _errors(text) else tuple(document["equations"])


def check_file(site: Site, index: Index) -> Iterator[Finding]:
    place = Place(f"site/{FILE}")
    text = _text(site)
    if text is None:
        yield Finding(place, "LI721", f"the site has no {FILE}: list the plugin 'linkindex' in mkdocs.yml, and build again")
        return
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        yield Finding(Place(place.path, error.lineno, error.colno), "LI721", f"no valid JSON: {error.msg}")
        return
    errors = _errors(text)
    for error in errors:
        yield Finding(place, "LI721", f"{error.json_path}: does not agree with the schema: {error.message}")
    if not errors:
        yield from _agreement(document, index)


def _agreement(document: Mapping, index: Index) -> Iterator[Finding]:
    """A record without an entry would be checked by nobody, and so would an entry without a record."""
    expected = {equation.id: equation for equation in index.equations}
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
        if not entry["links"]:
            yield Finding(equation.place, "LI721", f"{FILE}: the entry {identity} has no code link")


def _text(site: Site) -> str | None:
    return (site.root / FILE).read_text(encoding="utf-8") if FILE in site.files else None


@lru_cache(maxsize=1)
def _errors(text: str) -> tuple[ValidationError, ...]:
    """Where a document does not agree with the schema, in order."""
    found = _validator().iter_errors(json.loads(text))
    return tuple(sorted(found, key=lambda error: [str(part) for part in error.absolute_path]))


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(schema())
