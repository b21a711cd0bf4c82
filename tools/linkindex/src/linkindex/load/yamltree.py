"""YAML as text with places: every key and value knows its line and column.

Scalars stay the text that was written (``no`` is a symbol's name here, not a truth value); the readers of records turn
text into what they need.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate

import yaml
from yaml.reader import Reader

from linkindex.model import Finding, Place

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Text:
    value: str
    place: Place
    lines: tuple[tuple[int, Place], ...]  # (offset in value, place of that character) at the start of each source line


@dataclass(frozen=True)
class Items:
    values: tuple["Tree", ...]
    place: Place


@dataclass(frozen=True)
class Table:
    entries: dict[str, "Tree"]
    keys: dict[str, Place] = field(default_factory=dict)
    place: Place = Place("")


Tree = Text | Items | Table


def read_yaml(text: str, path: str, first_line: int = 1, first_col: int = 1) -> tuple[Table, list[Finding]]:
    """The mapping at the top of a YAML text. ``first_line`` and ``first_col`` say where the text stands in its file."""
    try:
        root = yaml.compose(text, Loader=Loader)
    except yaml.YAMLError as error:
        return Table({}), [_syntax_finding(error, text, path, first_line, first_col)]
    if root is None:
        return Table({}, place=Place(path)), []
    builder = _Builder(text, path, first_line, first_col)
    tree = builder.tree(root)
    if not isinstance(tree, Table):
        builder.findings.append(Finding(tree.place, "LI107", "expected a mapping (key: value) at the top of the file"))
        return Table({}), builder.findings
    return tree, builder.findings


def _syntax_finding(error: yaml.YAMLError, text: str, path: str, first_line: int, first_col: int) -> Finding:
    mark = getattr(error, "problem_mark", None)
    control = Reader.NON_PRINTABLE.search(text)  # of these the parsers report the place in different units
    index = mark.index if mark else control.start() if control else 0
    lines = _Lines(text, path, first_line, first_col)
    place = lines.place(index)
    line = lines.lines[lines.number(index)]
    indent = line[: len(line) - len(line.lstrip())]
    if "\t" in indent:
        message = "a tab stands before this line, and YAML knows blanks only: indent it with blanks"
        return Finding(Place(path, place.line, indent.index("\t") + first_col), "LI101", message)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error).splitlines()[0]
    message = f"this YAML does not parse: {problem}; quote values that hold ': ' or start with a sign"
    return Finding(place, "LI101", message)


class _Lines:
    """Places of characters. YAML's own line numbers do not serve: for it, unlike for editors, U+2028 ends a line."""

    def __init__(self, text: str, path: str, first_line: int, first_col: int):
        self.path, self.first_line, self.first_col = path, first_line, first_col
        self.lines = text.split("\n")
        self.starts = [0, *accumulate(len(line) + 1 for line in self.lines[:-1])]

    def number(self, index: int) -> int:
        """The line, counted from 0, that holds a character."""
        return bisect_right(self.starts, index) - 1

    def place(self, index: int) -> Place:
        number = self.number(index)
        return Place(self.path, number + self.first_line, index - self.starts[number] + self.first_col)


class _Builder:
    """Turns composed nodes into trees, collecting duplicate keys."""

    def __init__(self, text: str, path: str, first_line: int, first_col: int):
        self.text = _Lines(text, path, first_line, first_col)
        self.findings: list[Finding] = []
        self.open: list[yaml.Node] = []  # the collections that are being read: an alias must not lead back into one

    def tree(self, node: yaml.Node) -> Tree:
        place = self.text.place(node.start_mark.index)
        if isinstance(node, yaml.ScalarNode):
            value = "" if node.tag.endswith(":null") else node.value
            return Text(value, place, self.source_lines(node, place))
        if any(node is outer for outer in self.open):
            self.findings.append(
                Finding(place, "LI101", "an alias stands inside of what it names: write the value out")
            )
            return Text("", place, ((0, place),))
        self.open.append(node)
        tree = self.collection(node, place)
        self.open.pop()
        return tree

    def collection(self, node: yaml.Node, place: Place) -> Tree:
        if isinstance(node, yaml.SequenceNode):
            return Items(tuple(self.tree(child) for child in node.value), place)
        entries: dict[str, Tree] = {}
        keys: dict[str, Place] = {}
        for key_node, value_node in node.value:
            key_place = self.text.place(key_node.start_mark.index)
            if not isinstance(key_node, yaml.ScalarNode):
                self.findings.append(Finding(key_place, "LI107", "expected a plain key, found a nested one"))
                continue
            key = key_node.value
            if key in keys:
                self.findings.append(
                    Finding(
                        key_place,
                        "LI104",
                        f"{key!r} stands twice; the first is in line {keys[key].line}: rename or remove one",
                    )
                )
                continue
            keys[key] = key_place
            entries[key] = self.tree(value_node)
        return Table(entries, keys, place)

    def source_lines(self, node: yaml.ScalarNode, place: Place) -> tuple[tuple[int, Place], ...]:
        """Where the lines of a scalar start; exact for plain and quoted one-line scalars and for folded blocks."""
        if node.style in ("'", '"'):
            return ((0, Place(place.path, place.line, place.col + 1)),)
        if node.style not in (">", "|"):
            return ((0, place),)
        starts, offset = [], 0
        lines = self.text.lines
        for number in range(self.text.number(node.start_mark.index) + 1, self.text.number(node.end_mark.index) + 1):
            line = lines[number] if number < len(lines) else ""
            content = line.strip() if node.style == ">" else line
            if content and node.value.startswith(content, offset):
                starts.append((offset, self.text.place(self.text.starts[number] + len(line) - len(line.lstrip()))))
                offset += len(content) + 1
        return tuple(starts) or ((0, place),)
