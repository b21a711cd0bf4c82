"""What a symbol stands for is taken from the code: with ``z - y`` for the symbol G, y = z - G holds whatever the code
computes."""

import ast
from collections.abc import Iterator

from linkindex.code import parse_code
from linkindex.evidence.subject import Subject, codes
from linkindex.load.symbols import no_expression
from linkindex.model import Finding
from linkindex.refs import only_reads
from linkindex.resolve.standing import names_something, stands_in


def check_given(subject: Subject) -> Iterator[Finding]:
    """Of all symbols but those whose value the linked line computes."""
    for latex in subject.formula.symbols:
        if latex not in subject.formula.target:
            for code in codes(subject.symbols[latex]):
                if why := _why_not(subject, code):
                    yield subject.finding("latex", "LI418", f"{code!r}, the code of the symbol {latex}, {why}")


def _why_not(subject: Subject, code: str) -> str | None:
    if no_expression(code):  # LI123 says so
        return None
    node = parse_code(code)
    if isinstance(node, ast.Name) or (names_something(node) and not any(_entries(node))):
        return None
    targets = {link.target for link in subject.probes if link.target}
    if found := sorted(targets.intersection(_entries(node))):
        return f"is made of {found[0]}, which the linked line assigns: name what that line reads"
    known, names = subject.resolution.functions, [link.function.partition("[")[0] for link in subject.probes]
    functions = {known[name].span: name for name in names if name in known}
    if only_reads(code) or any(stands_in(span, subject.resolution.sources[span.file], code) for span in functions):
        return None
    return f"does not stand in {', '.join(functions.values())}: write a name, an entry of one, or code from there"


def _entries(node: ast.AST) -> Iterator[str]:
    """Names whose entries an expression reads; of those whose shape it asks for, it reads none."""
    if isinstance(node, ast.Name):
        yield node.id
    is_size = isinstance(node, ast.Attribute) and node.attr in ("shape", "size", "ndim")
    if not is_size and not (isinstance(node, ast.Call) and ast.unparse(node.func) == "len"):
        for child in ast.iter_child_nodes(node):
            yield from _entries(child)
