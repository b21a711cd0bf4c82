"""Edits of records in YAML texts that leave everything else as it stands. Raise NotApplicable where a record is not
written as a block."""

import yaml

from linkindex.load.yamltree import Loader
from linkindex.selfattack.model import NotApplicable
from linkindex.selfattack.texts import line_at, with_line, without_lines

Entry = tuple[yaml.ScalarNode, yaml.Node]


def find(text: str, *path: str) -> Entry:
    """Key and value of an entry, such as ``find(text, "page.id", "latex")``."""
    node = yaml.compose(text, Loader=Loader)
    for name in path:
        if not isinstance(node, yaml.MappingNode):
            raise NotApplicable(f"there is nothing below {name}")
        key, node = next(((key, value) for key, value in node.value if key.value == name), (None, None))
        if key is None:
            raise NotApplicable(f"there is no entry {' / '.join(path)}")
    return key, node


def key_line(text: str, *path: str) -> int:
    return line_at(text, find(text, *path)[0].start_mark.index)


def first_key_line(text: str, identity: str) -> int:
    """The line of a record's first key."""
    return line_at(text, _block(text, identity).value[0][0].start_mark.index)


def with_value(text: str, new: str, *path: str) -> str:
    """The text with another value, written as ``new`` stands."""
    _, value = find(text, *path)
    start, end = value.start_mark.index, _end(text, value)
    if start == end:
        raise NotApplicable(f"{' / '.join(path)} is empty")
    return text[:start] + new + text[end:]


def with_name(text: str, new: str, *path: str) -> str:
    """The text with another key in place of the last of ``path``."""
    key, _ = find(text, *path)
    return text[: key.start_mark.index] + new + text[key.end_mark.index :]


def with_entry(text: str, identity: str, entry: str) -> tuple[str, int]:
    """The text with one more line, ``key: value``, at the top of a record, and the number of that line."""
    first = _block(text, identity).value[0][0].start_mark
    line = line_at(text, first.index)
    return with_line(text, line, " " * first.column + entry), line


def without(text: str, *path: str) -> str:
    """The text without an entry that has lines of its own."""
    key, value = find(text, *path)
    start, end = key.start_mark.index, _end(text, value)
    alone = not text[text.rfind("\n", 0, start) + 1 : start].strip() and not text[end:].partition("\n")[0].strip()
    if not alone:
        raise NotApplicable(f"{' / '.join(path)} shares its line with others")
    return without_lines(text, line_at(text, start), line_at(text, end))


def quoted(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _block(text: str, identity: str) -> yaml.MappingNode:
    _, record = find(text, identity)
    if not isinstance(record, yaml.MappingNode) or record.flow_style or not record.value:
        raise NotApplicable(f"the record {identity} is not written as a block")
    return record


def _end(text: str, node: yaml.Node) -> int:
    """Where the text of a node ends; blank lines and comments behind a block do not belong to it."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(text, last[1] if isinstance(last, tuple) else last)
    start, end = node.start_mark.index, node.end_mark.index
    return start + len(text[start:end].rstrip())
