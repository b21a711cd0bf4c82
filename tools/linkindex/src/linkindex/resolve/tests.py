"""Find a linked test and its assertion by reading the test file; pytest collects it later."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

from linkindex.model import TestPlace
from linkindex.resolve.definitions import Definition, definitions
from linkindex.resolve.functions import NotFound, exact_file, nearest
from linkindex.resolve.imports import imported_names
from linkindex.resolve.trees import FUNCTIONS, dotted_name, own_nodes
from linkindex.sources import Source

Read = Callable[[str], Source | None]
DEPTH = 5  # of helpers that call helpers, and of classes with base classes


def find_test(equation: str, nodeid: str, root: Path, read: Read) -> TestPlace:
    """The place of ``path::function`` or ``path::Class::function``, which the class may inherit. Raises NotFound."""
    path, _, rest = nodeid.partition("::")
    if not rest or path.startswith(("/", "..")) or ":" in path:
        raise NotFound(
            "LI210", f"the test {nodeid!r} must be file::function, such as tests/test_attention.py::test_scores"
        )
    if not exact_file(root, path):
        near = _nearest_files(path, root)
        hint = f"nearest: {', '.join(near)}" if near else "no folder on its way holds a test file"
        raise NotFound("LI210", f"there is no test file {path!r}; {hint}")
    source = read(path)
    if source is None:
        raise NotFound("LI204", f"{path} does not parse: correct that file first")
    name = rest.replace("::", ".")
    every = [named for named in definitions(source) if not isinstance(named.node, ast.ClassDef)]
    functions = {named.name: named.node for named in every}
    inherited = None if name in functions else _inherited(source, name, root, read)
    if "." in rest or (name not in functions and inherited is None):
        known = [each.replace(".", "::") for each in functions if each.rpartition(".")[2].startswith("test")]
        known = [each for each in known if "<locals>" not in each]
        inner = [each for each in known if each.rpartition("::")[2] == rest or each.startswith(f"{rest}::")]
        near = inner[:3] or nearest(rest, known)
        hint = f"nearest: {', '.join(near)}" if near else f"it holds {', '.join(known[:5]) or 'no test'}"
        raise NotFound("LI210", f"{path} has no test {rest!r}; {hint}: write the test, or correct the name")
    if len(lines := [str(named.node.lineno) for named in every if named.name == name]) > 1:
        raise NotFound(
            "LI203",
            f"{path} defines {rest} {len(lines)} times, in lines {', '.join(lines)}: give each test a name of its own",
        )
    source, node = inherited or (source, functions[name])
    # A test may leave its assertions to a helper: its last statement stands for them.
    assertions = [inner for inner in own_nodes(node) if _asserts(inner)] or [node.body[-1]]
    return TestPlace(equation, nodeid, source.span(node), source.span(_last(assertions)))


def _nearest_files(path: str, root: Path) -> list[str]:
    """Test files below the innermost folder on the way to ``path`` that is there, those of the same name first."""
    folder = next(one for one in (root / path).parents if one.is_dir())
    while folder != root and not any(folder.rglob("test*.py")):
        folder = folder.parent
    folders = [folder] if folder != root else [one for one in root.iterdir() if one.name.startswith("test")]
    files = [file for each in folders for end in ("test_*.py", "*_test.py") for file in sorted(each.rglob(end))]
    known = [file.relative_to(root).as_posix() for file in files]
    same = [one for one in known if one.rpartition("/")[2] == path.rpartition("/")[2]]
    return same[:3] or nearest(path, known)


def _last(nodes: list[ast.AST]) -> ast.AST:
    return max(nodes, key=lambda node: (node.lineno, node.col_offset))


def _asserts(node: ast.AST) -> bool:
    """An assert statement, a call of some assert_..., of `fail`, or a `with ...raises(...)`."""
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
    return name.lower().startswith("assert") or name in ("raises", "fail")


def _inherited(
    source: Source, name: str, root: Path, read: Read, depth: int = DEPTH
) -> tuple[Source, Definition] | None:
    """The method of a class, from one of its base classes."""
    class_name, _, method = name.rpartition(".")
    for owner in (named.node for named in definitions(source) if named.name == class_name):
        for base in getattr(owner, "bases", ()) if depth else ():
            for where, found in _meant(dotted_name(base) or "", source, root, read):
                for inner in found.body if isinstance(found, ast.ClassDef) else ():
                    if isinstance(inner, FUNCTIONS) and inner.name == method:
                        return where, inner
                if isinstance(found, ast.ClassDef) and (
                    further := _inherited(where, f"{found.name}.{method}", root, read, depth - 1)
                ):
                    return further
    return None


def _meant(name: str, source: Source, root: Path, read: Read) -> Iterator[tuple[Source, Definition]]:
    """The functions and classes that a name may mean: of the same file, or of one that it imports from."""
    last = name.rpartition(".")[2]
    if name.partition(".")[0] in ("self", "cls", last):
        yield from ((source, named.node) for named in definitions(source) if named.name.rpartition(".")[2] == last)
    module = source.path.removesuffix(".py").replace("/", ".")
    for full in imported_names(source.tree, module, source.path, name):
        file = f"{full.rpartition('.')[0].replace('.', '/')}.py"
        beside = (Path(source.path).parent / file).as_posix()  # pytest puts the folder of a test on the path
        for path in dict.fromkeys((file, beside)):
            if exact_file(root, path) and (other := read(path)):
                yield from ((other, named.node) for named in definitions(other) if named.name == last)
