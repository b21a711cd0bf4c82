"""``links.lock``: one line of JSON for each equation, with the hashes that `linkindex fix --write` wrote.

``{"id": "attention.query", "latex": "...", "code": "...", "in": "...", "test": "..."}``, sorted by id.
"""

import json

from linkindex.model import Finding, LockEntry, Place


def read_lock(text: str, path: str, findings: list[Finding]) -> dict[str, LockEntry]:
    entries = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            entries[record["id"]] = LockEntry(record["latex"], record["code"], record["in"], record["test"], number)
        except (json.JSONDecodeError, KeyError, TypeError):
            message = "this line is damaged: restore the file from version control, or write it anew with `linkindex fix --write`"
            findings.append(Finding(Place(path, number), "LI120", message))
    return entries


def lock_text(entries: dict[str, LockEntry]) -> str:
    """The text of a lock file that holds these entries."""
    records = (
        {"id": name, "latex": entry.latex, "code": entry.code, "in": entry.function, "test": entry.test}
        for name, entry in sorted(entries.items())
    )
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
