"""What a name of a module stands for, by the module's import statements and plain aliases."""

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache

Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef


def imported_names(scope: Scope, module: str, path: str, name: str) -> tuple[str, ...]:
    """The dotted names that ``name`` may stand for: several where branches import it from different places.

    ``scope`` is the module's tree, or a function of it. A binding outside of branches hides those before it, as it
    does when the module runs.
    """
    head, _, rest = name.partition(".")
    targets: list[str] = []
    for target, certain in _bound(scope, module, _package(module, path)).get(head, ()):
        if certain:
            targets.clear()
        full = f"{target}.{rest}" if rest else target
        if full not in targets:
            targets.append(full)
    return tuple(targets)


def bindings(scope: Scope, module: str, path: str) -> Iterator[tuple[str, str]]:
    """All names that imports and plain aliases bind, each with a dotted name that it may stand for."""
    for name, targets in _bound(scope, module, _package(module, path)).items():
        yield from ((name, target) for target, _ in targets)


def star_imports(tree: ast.Module, module: str, path: str) -> list[str]:
    """The modules of which all public names are imported; the last, which hides the others, first."""
    package = _package(module, path)
    nodes = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"]
    return [_absolute(node, package) for node in reversed(nodes)]


def exports(tree: ast.Module, name: str) -> bool:
    """Whether ``from module import *`` hands on a name, or may do so where it is not clear what ``__all__`` holds."""
    head = name.partition(".")[0]
    listed: set[object] = set()
    is_clear = False
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                listed, is_clear = set(), True
            case ast.AugAssign(target=ast.Name(id="__all__"), value=value):
                pass
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="__all__")), args=[value])):
                value = value if isinstance(value, (ast.List, ast.Tuple)) else ast.List([value])
            case _:
                continue
        items = value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value]
        is_clear = is_clear and all(isinstance(item, ast.Constant) for item in items)
        listed |= {item.value for item in items if isinstance(item, ast.Constant)}
    return head in listed if is_clear else head in listed or not head.startswith("_")


@lru_cache(maxsize=2000)
def _bound(scope: Scope, module: str, package: str) -> Mapping[str, list[tuple[str, bool]]]:
    """By name, what each statement binds it to, and whether that statement always runs."""
    found: dict[str, list[tuple[str, bool]]] = {}
    for name, target, certain in _bindings(scope.body, module, package, True):
        found.setdefault(name, []).append((target, certain))
    return found


def _bindings(body: list[ast.stmt], module: str, package: str, certain: bool) -> Iterator[tuple[str, str, bool]]:
    for node in body:
        match node:
            case ast.ImportFrom():
                base = _absolute(node, package)
                for alias in node.names:
                    yield alias.asname or alias.name, f"{base}.{alias.name}", certain
            case ast.Import():
                for alias in node.names:
                    head = alias.name.partition(".")[0]
                    yield alias.asname or head, alias.name if alias.asname else head, certain
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Name(id=other)) if target != other:
                yield target, f"{module}.{other}", certain
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.Name(id=other)) if target != other:
                yield target, f"{module}.{other}", certain
            case ast.With():
                yield from _bindings(node.body, module, package, certain)
            case ast.If() | ast.For() | ast.While():
                yield from _bindings([*node.body, *node.orelse], module, package, False)
            case ast.Try() | ast.TryStar():
                inner = [statement for handler in node.handlers for statement in handler.body]
                yield from _bindings([*node.body, *inner, *node.orelse], module, package, False)
                yield from _bindings(node.finalbody, module, package, certain)


def _package(module: str, path: str) -> str:
    return module if path.endswith("__init__.py") else module.rpartition(".")[0]


def _absolute(node: ast.ImportFrom, package: str) -> str:
    parents = package.split(".")
    base = ".".join(parents[: len(parents) - node.level + 1]) if node.level else ""
    return ".".join(filter(None, (base, node.module)))
