"""Take typed fields out of a YAML mapping, noting what is missing, unknown or of another kind."""

from collections.abc import Collection
from difflib import get_close_matches

from linkindex.load.yamltree import Items, Table, Text
from linkindex.model import Finding, Place


class Fields:
    """The entries of one mapping. Each reader method returns a default when the field is absent or unusable."""

    def __init__(self, table: Table, what: str, known: Collection[str], findings: list[Finding]):
        self.table, self.what, self.known, self.findings = table, what, known, findings
        for key, place in table.keys.items():
            if key not in known:
                near = get_close_matches(key, known, 1)
                hint = f"did you mean {near[0]!r}?" if near else "remove it"
                self.note(place, "LI102", f"{what} has the unknown key {key!r}; known are {', '.join(known)}: {hint}")

    def note(self, place: Place, code: str, message: str) -> None:
        self.findings.append(Finding(place, code, message))

    def place(self, key: str) -> Place:
        tree = self.table.entries.get(key)
        return tree.place if tree is not None else self.table.place

    def _kind(self, key: str, kind: type, expected: str):
        tree = self.table.entries.get(key)
        if tree is None or isinstance(tree, kind):
            return tree
        self.note(tree.place, "LI107", f"{self.what}: {key} must be {expected}")
        return None

    def text(self, key: str, required: bool = False, example: str = "...") -> str | None:
        """``example``: a value that a message can show where the key is missing."""
        tree = self._kind(key, Text, "a text")
        if tree is not None and tree.value:
            return tree.value
        if required and (tree is not None or key not in self.table.entries):
            self.note(self.place(key), "LI103", f"{self.what} needs the key {key!r}: add `{key}: {example}`")
        return None

    def flag(self, key: str) -> bool:
        value = self.text(key)
        if value not in (None, "true", "false"):
            self.note(self.place(key), "LI107", f"{self.what}: {key} must be true or false, found {value!r}")
        return value == "true"

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; one text alone counts as a list of one."""
        tree = self.table.entries.get(key)
        if tree is None:
            return ()
        if isinstance(tree, Text):
            return (tree.value,) if tree.value else ()
        if isinstance(tree, Items) and all(isinstance(item, Text) for item in tree.values):
            return tuple(item.value for item in tree.values)
        self.note(tree.place, "LI107", f"{self.what}: {key} must be a list of texts")
        return ()

    def mapping(self, key: str) -> dict[str, str]:
        tree = self._kind(key, Table, "a mapping of texts")
        if tree is None:
            return {}
        if all(isinstance(value, Text) for value in tree.entries.values()):
            return {name: value.value for name, value in tree.entries.items()}
        self.note(tree.place, "LI107", f"{self.what}: {key} must map texts to texts")
        return {}
