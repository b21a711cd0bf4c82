"""The works that pages refer to: references.yml."""

from collections.abc import Mapping

from linkindex.load.fields import Fields
from linkindex.load.yamltree import Table
from linkindex.model import Finding

KEYS: Mapping[str, str] = {
    "authors": "Who wrote it. Required.",
    "title": "What it is called. Required.",
    "where": "Where it appeared, and when.",
    "url": "Where it can be read.",
}


def read_references(table: Table, findings: list[Finding]) -> dict[str, dict[str, str]]:
    references = {}
    for name, entry in table.entries.items():
        if not isinstance(entry, Table):
            findings.append(
                Finding(entry.place, "LI107", f"work {name}: expected its keys ({', '.join(KEYS)}) below it")
            )
            continue
        fields = Fields(entry, f"work {name}", KEYS, findings)
        values = {key: fields.text(key, required=key in ("authors", "title")) for key in KEYS}
        references[name] = {key: value for key, value in values.items() if value}
    return references
