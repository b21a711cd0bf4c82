"""The names that code uses, called or not, and the means by which it could use others than it names."""

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache

from linkindex.resolve.trees import FUNCTIONS, SCOPES, dotted_name

# What finds functions while the code runs: by name, in the files of the code, or in another process.
BUILTIN = frozenset({"getattr", "eval", "exec", "globals", "locals", "vars", "__import__"})
IMPORTED = frozenset(
    {
        "attrgetter", "methodcaller", "import_module", "spec_from_file_location", "run_path", "run_module",
        "SourceFileLoader", "get_objects",
    }
)  # fmt: skip
ATTRIBUTES = frozenset({"__globals__", "__dict__", "f_globals"})
MODULES = ("builtins.", "subprocess.", "multiprocessing.", "sys.modules", "os.popen", "os.system", "os.fork",
           "os.exec", "os.spawn")  # fmt: skip
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def named_in(nodes: Iterable[ast.AST], bound: frozenset[str], injected: frozenset[str] = frozenset()) -> set[str]:
    """The dotted names that are used, each at its longest: ``np.linalg.solve``, not ``np.linalg`` as well.

    Without those that are ``bound``, or that a function or a comprehension in the code binds, but for the ``injected``.
    """
    found: set[str] = set()
    waiting = [(node, bound) for node in nodes]
    while waiting:
        node, bound = waiting.pop()
        if isinstance(node, (ast.Name, ast.Attribute)) and (name := dotted_name(node)):
            found |= {name} if name.partition(".")[0] not in bound else set()
            continue
        inside = bound
        if isinstance(node, COMPREHENSIONS):
            inside = bound | bound_by(tuple(one.target for one in node.generators))
            waiting.append((node.generators[0].iter, bound))
        elif isinstance(node, (*FUNCTIONS, ast.Lambda)):
            inside = bound | bound_in(node) - injected
            around = (*getattr(node, "decorator_list", ()), *node.args.defaults, *filter(None, node.args.kw_defaults))
            waiting.extend((part, bound) for part in around)
        elif attribute := _named_attribute(node):
            waiting.append((attribute, bound))
            continue
        waiting.extend((part, inside) for part in ast.iter_child_nodes(node))
    return found


def attributes_in(node: ast.AST) -> set[str]:
    """The names of all attributes that code uses, those of ATTRIBUTES among them."""
    every = (_named_attribute(inner) or inner for inner in ast.walk(node))
    return {inner.attr for inner in every if isinstance(inner, ast.Attribute)}


def _named_attribute(node: ast.AST) -> ast.Attribute | None:
    """``getattr(x, "name")`` is ``x.name``."""
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[inner, ast.Constant(value=str() as name)]):
            return ast.Attribute(inner, name, ast.Load())
    return None


@lru_cache(maxsize=2000)
def bound_in(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> frozenset[str]:
    """The parameters and variables of a function: without what it imports, and what belongs to functions in it."""
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    return (bound_by(body) | parameters(function.args)) - _elsewhere(body)


def parameters(arguments: ast.arguments) -> frozenset[str]:
    return frozenset(node.arg for node in ast.walk(arguments) if isinstance(node, ast.arg))


def bound_by(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """What statements bind, without imports, and without what belongs to functions in them."""
    found = set()
    for node in _own(nodes):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.ClassDef(name=name) | ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
                found.add(name)
    return frozenset(found)


def _elsewhere(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Names that statements say to be those of others."""
    found = set()
    for node in _own(nodes):
        match node:
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                found.update(alias.asname or alias.name.partition(".")[0] for alias in aliases)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                found.update(names)
    return frozenset(found)


def _own(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes but those in scopes of their own."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*SCOPES, *COMPREHENSIONS)):
            waiting.extend(ast.iter_child_nodes(node))


def is_looking_up(name: str, imported: bool) -> bool:
    """Whether a name, in full if it is imported, is a means to find functions that the code does not name."""
    if not imported:
        return name in BUILTIN
    return name.rpartition(".")[2] in IMPORTED or f"{name}.".startswith(MODULES)
