"""Find a linked test and its assertion by reading the test file; pytest collects it later."""

import ast
from pathlib import Path

from linkindex.model import TestPlace
from linkindex.resolve.definitions import definitions
from linkindex.resolve.files import exact_file
from linkindex.resolve.functions import NotFound, nearest
from linkindex.resolve.trees import own_nodes


def find_test(equation: str, nodeid: str, root: Path, read) -> TestPlace:
    """The place of ``path::function`` or ``path::Class::function``. ``read``: path -> Source, None. Raises NotFound."""
    path, _, rest = nodeid.partition("::")
    if not rest or path.startswith(("/", "..")) or ":" in path:
        raise NotFound(
            "LI210", f"the test {nodeid!r} must be file::function, such as tests/test_attention.py::test_scores"
        )
    if not exact_file(root, path):
        near = nearest(path, [file.relative_to(root).as_posix() for file in (root / path).parent.glob("*.py")])
        hint = f"nearest: {', '.join(near)}" if near else "its folder holds no test file"
        raise NotFound("LI210", f"there is no test file {path!r}; {hint}")
    source = read(path)
    if source is None:
        raise NotFound("LI204", f"{path} does not parse: correct that file first")
    name = rest.replace("::", ".")
    every = [named for named in definitions(source) if not isinstance(named.node, ast.ClassDef)]
    functions = {named.name: named.node for named in every}
    if name not in functions:
        near = nearest(name, functions)
        hint = f"nearest: {', '.join(near)}" if near else f"it holds {', '.join(list(functions)[:5]) or 'no function'}"
        raise NotFound("LI210", f"{path} has no test {rest!r}; {hint}: write the test, or correct the name")
    if len(lines := [str(named.node.lineno) for named in every if named.name == name]) > 1:
        raise NotFound(
            "LI203",
            f"{path} defines {rest} {len(lines)} times, in lines {', '.join(lines)}: give each test a name of its own",
        )
    node = functions[name]
    # A test may leave its assertions to a helper: its last statement stands for them.
    assertions = [inner for inner in own_nodes(node) if _asserts(inner)] or [node.body[-1]]
    return TestPlace(equation, nodeid, source.span(node), source.span(_last(assertions)))


def _last(nodes: list[ast.AST]) -> ast.AST:
    return max(nodes, key=lambda node: (node.lineno, node.col_offset))


def _asserts(node: ast.AST) -> bool:
    """An assert statement, a call of some assert_..., or a `with ...raises(...)`."""
    if isinstance(node, ast.Assert):
        return True
    if not isinstance(node, ast.Call):
        return False
    name = (
        node.func.attr
        if isinstance(node.func, ast.Attribute)
        else node.func.id
        if isinstance(node.func, ast.Name)
        else ""
    )
    return name.lower().startswith("assert") or name == "raises"
