"""YAML as text with places: every key and value knows its line and column.

Scalars stay the text that was written (``no`` is a symbol's name here, not a truth value); the readers of records turn
text into what they need.
"""

from dataclasses import dataclass, field

import yaml

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
        return Table({}), [_syntax_finding(error, path, first_line, first_col)]
    if root is None:
        return Table({}, place=Place(path)), []
    builder = _Builder(text.split("\n"), path, first_line, first_col)
    tree = builder.tree(root)
    if not isinstance(tree, Table):
        builder.findings.append(Finding(tree.place, "LI107", "expected a mapping (key: value) at the top of the file"))
        return Table({}), builder.findings
    return tree, builder.findings


def _syntax_finding(error: yaml.YAMLError, path: str, first_line: int, first_col: int) -> Finding:
    mark = getattr(error, "problem_mark", None)
    place = Place(path, mark.line + first_line, mark.column + first_col) if mark else Place(path, first_line, first_col)
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    return Finding(place, "LI101", f"this YAML does not parse: {problem}; quote values that hold ': ' or start with a sign")


class _Builder:
    """Turns composed nodes into trees, collecting duplicate keys."""

    def __init__(self, lines: list[str], path: str, first_line: int, first_col: int):
        self.lines, self.path, self.first_line, self.first_col = lines, path, first_line, first_col
        self.findings: list[Finding] = []

    def place(self, line: int, column: int) -> Place:
        return Place(self.path, line + self.first_line, column + self.first_col)

    def tree(self, node: yaml.Node) -> Tree:
        place = self.place(node.start_mark.line, node.start_mark.column)
        if isinstance(node, yaml.ScalarNode):
            value = "" if node.tag.endswith(":null") else node.value
            return Text(value, place, self.source_lines(node, place))
        if isinstance(node, yaml.SequenceNode):
            return Items(tuple(self.tree(child) for child in node.value), place)
        entries: dict[str, Tree] = {}
        keys: dict[str, Place] = {}
        for key_node, value_node in node.value:
            key_place = self.place(key_node.start_mark.line, key_node.start_mark.column)
            if not isinstance(key_node, yaml.ScalarNode):
                self.findings.append(Finding(key_place, "LI107", "expected a plain key, found a nested one"))
                continue
            key = key_node.value
            if key in keys:
                self.findings.append(
                    Finding(key_place, "LI104", f"{key!r} stands twice; the first is in line {keys[key].line}: rename or remove one")
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
        for number in range(node.start_mark.line + 1, node.end_mark.line + 1):
            line = self.lines[number] if number < len(self.lines) else ""
            content = line.strip() if node.style == ">" else line
            if content and node.value.startswith(content, offset):
                starts.append((offset, self.place(number, len(line) - len(line.lstrip()))))
                offset += len(content) + 1
        return tuple(starts) or ((0, place),)
