"""``links.lock``: one line of JSON for each equation, with what `linkindex fix --write` noted of it, sorted by id.

``id``, ``latex`` (hash), ``code`` (hash), ``in`` and ``test`` say what is linked. ``links``, ``names`` and ``body`` say
what it looked like, for `linkindex fix`; a line without them is good, and gets them when the file is next written.
"""

import json

from linkindex.model import Finding, LockedCode, LockEntry, Place


def read_lock(text: str, path: str, findings: list[Finding]) -> dict[str, LockEntry]:
    entries = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            entries[record["id"]] = _entry(record, number)
        except (json.JSONDecodeError, KeyError, TypeError, AttributeError):
            message = (
                "this line is damaged: restore the file from version control, "
                "or write it anew with `linkindex fix --write`"
            )
            findings.append(Finding(Place(path, number), "LI120", message))
    return entries


def _entry(record: dict, line: int) -> LockEntry:
    return LockEntry(
        latex=record["latex"],
        code=record["code"],
        function=record["in"],
        test=record["test"],
        line=line,
        links=tuple(LockedCode(link["in"], link["name"], link["code"]) for link in record.get("links", ())),
        names={function: dict(names.items()) for function, names in record.get("names", {}).items()},
        body=record.get("body", ""),
    )


def lock_text(entries: dict[str, LockEntry]) -> str:
    """The text of a lock file that holds these entries."""
    return "".join(
        json.dumps(_record(name, entry), ensure_ascii=False) + "\n" for name, entry in sorted(entries.items())
    )


def _record(name: str, entry: LockEntry) -> dict:
    record = {"id": name, "latex": entry.latex, "code": entry.code, "in": entry.function, "test": entry.test}
    if entry.links:
        record["links"] = [{"in": link.function, "name": link.name, "code": link.code} for link in entry.links]
        record["names"] = {function: dict(sorted(names.items())) for function, names in sorted(entry.names.items())}
        record["body"] = entry.body
    return record
