"""The names that code uses, called or not, and the means by which it could use others than it names."""

import ast
from collections.abc import Iterable

from linkindex.resolve.trees import dotted_name

# What finds functions while the code runs: by name, in the files of the code, or in another process.
LOOKING_UP = frozenset(
    {
        "getattr", "attrgetter", "methodcaller", "import_module", "__import__", "eval", "exec", "globals", "locals",
        "vars", "spec_from_file_location", "run_path", "run_module", "SourceFileLoader", "__globals__", "__dict__",
        "f_globals", "get_objects",
    }
)  # fmt: skip
MODULES = ("subprocess.", "multiprocessing.", "sys.modules", "os.popen", "os.system", "os.fork", "os.exec", "os.spawn")


def named_in(nodes: Iterable[ast.AST]) -> set[str]:
    """The dotted names that are used, each at its longest: ``np.linalg.solve``, not ``np.linalg`` as well."""
    used = [node for node in nodes if isinstance(node, (ast.Name, ast.Attribute))]
    inner = {id(node.value) for node in used if isinstance(node, ast.Attribute)}
    return {name for node in used if id(node) not in inner and (name := dotted_name(node))}


def looks_up(nodes: Iterable[ast.AST]) -> set[str]:
    """The means to find functions that the code does not name."""
    found = set()
    for node in nodes:
        if isinstance(node, (ast.Name, ast.Attribute)):
            name, last = dotted_name(node) or "", node.id if isinstance(node, ast.Name) else node.attr
            found |= {last} if last in LOOKING_UP else {name} if name.startswith(MODULES) else set()
    return found
