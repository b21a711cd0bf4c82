"""``links.lock``: one line of JSON for each equation, with what `linkindex fix --write` noted of it, sorted by id.

``id``, ``latex`` (hash), ``code`` (hash), ``in`` and ``test`` say what is linked. ``links``, ``names`` and ``body`` say
what it looked like, for `linkindex fix`; a line without them is good, and gets them when the file is next written.
"""

import json

from linkindex.model import Finding, LockedCode, LockEntry, Place

MOST_SHOWN = 40  # characters of a damaged line


def read_lock(text: str, path: str, findings: list[Finding]) -> dict[str, LockEntry]:
    entries = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            entries[_text(record["id"])] = _entry(record, number)
        except (json.JSONDecodeError, KeyError, TypeError, AttributeError, RecursionError):
            found = line if len(line) <= MOST_SHOWN else f"{line[:MOST_SHOWN]}..."
            message = (
                "this line is damaged: expected a JSON object with texts under id, latex, code, in and test, "
                f"found {found}: restore the file from version control, or write it anew with `linkindex fix --write`"
            )
            findings.append(Finding(Place(path, number), "LI120", message))
    return entries


def _entry(record: dict, line: int) -> LockEntry:
    return LockEntry(
        latex=_text(record["latex"]),
        code=_text(record["code"]),
        function=_text(record["in"]),
        test=_text(record["test"]),
        line=line,
        links=tuple(
            LockedCode(_text(link["in"]), None if link["name"] is None else _text(link["name"]), _text(link["code"]))
            for link in record.get("links", ())
        ),
        names={
            function: {name: _text(bound) for name, bound in names.items()}
            for function, names in record.get("names", {}).items()
        },
        body=_text(record.get("body", "")),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a text, found {value!r}")
    return value


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
