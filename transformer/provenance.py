"""Which code a result came from: hashes of functions, which a change of layout or comments leaves alone.

A function is named "module:qualified name", such as "transformer.softmax:softmax_forward".
"""

import ast
import importlib.util
import platform
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from transformer.files import canonical, sha256

MISSING = "not there"
DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Difference(NamedTuple):
    """Something that is not as it was when a model was trained."""

    what: str
    trained: str
    run: str

    def __str__(self):
        return f"{self.what}: trained with {self.trained}, run with {self.run}"


def versions():
    """The versions that a result may depend on: of Python and of NumPy."""
    return {"python": platform.python_version(), "numpy": np.__version__}


def name_of(function):
    """The name of a function of a module: "module:qualified name"."""
    return f"{function.__module__}:{function.__qualname__}"


def functions_reached(call, package="transformer"):
    """The names of the functions of a package that run while ``call()`` runs, sorted.

    A function inside another counts as the outer one. ``call`` runs in this thread, under sys.setprofile. What
    functions of the package keep from earlier calls (functools.cache) is forgotten first, so that they run again.
    """
    reached = set()
    _forget(package)

    def note(frame, event, _):
        module = frame.f_globals.get("__name__", "")
        if event == "call" and (module + ".").startswith(package + "."):
            if frame.f_code.co_filename == frame.f_globals.get("__file__"):  # not made by exec, as dataclasses do
                reached.add((module, frame.f_code.co_qualname.split(".<locals>")[0]))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(before)
    return sorted(f"{module}:{name}" for module, name in reached if "<" not in name)  # "<module>" is an import


def _forget(package):
    """Empty the caches of a package, but for those of this file, which hold the code as it was first read."""
    for name, module in list(sys.modules.items()):
        if (name + ".").startswith(package + ".") and name != __name__:
            for value in vars(module).values():
                if callable(getattr(value, "cache_clear", None)):
                    value.cache_clear()


def code_hashes(names, package="transformer"):
    """A hash for each function: of its syntax tree and of what it names in the package, but for other functions.

    These are constants and classes, of its own module or imported, and all that they name in turn, functions too: those
    made the constant. Layout, comments, docstrings and the Python version do not matter; names, values and defaults do.
    names: as ``functions_reached`` gives them. Returns a dict from name to 64 hexadecimal digits, or "not there" for
    what is no function of the package. Nothing is imported but the package itself.
    """
    return {name: _code_hash(name, package) for name in sorted(names)}


def combined(hashes):
    """One hash for several functions and their names."""
    return sha256(canonical(hashes))


def differences(trained, run):
    """What two dicts, such as versions or hashes of code, do not agree on: a tuple of Difference, by name."""
    pairs = {name: (trained.get(name, MISSING), run.get(name, MISSING)) for name in sorted(trained.keys() | run.keys())}
    return tuple(Difference(name, str(before), str(now)) for name, (before, now) in pairs.items() if before != now)


def _code_hash(name, package):
    module, _, qualname = name.partition(":")
    tree = _module_tree(module, package)
    function = tree and _definition(tree, qualname.split("."))
    if function is None:
        return MISSING
    parts = [*_named(module, function, package), normalised(function)]
    return sha256("\n".join(parts).encode())


# --- what a function names -------------------------------------------------------------------------------------------


def _named(module, function, package):
    """The constants and classes that a function of a module names, and all that these name: sorted texts."""
    found, open_ends = {}, [(place, False) for place in _places(module, function, package)]
    while open_ends:
        place, with_functions = open_ends.pop()
        if place in found:
            continue
        nodes = [node for node in _bindings(*place, package)
                 if with_functions or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        if nodes:
            found[place] = nodes
            open_ends += [(further, True) for node in nodes for further in _places(place[0], node, package)]
    return sorted(f"{home.removeprefix(package)}:{name} {normalised(nodes)}"
                  for (home, name), nodes in found.items() if function not in nodes)


def _places(module, node, package):
    """Where the names of a syntax tree come from: (module, name) for each that is of the package."""
    imports = _imports(module, package)
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            target = imports.get(part.id, (module, part.id))
            if target[1] is not None:
                yield target
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            home, name = imports.get(part.value.id, (None, ""))
            if name is None:  # an attribute of a module
                yield home, part.attr


@cache
def _imports(module, package):
    """What the imports of a module bind: name -> (module, name there), or (module, None) for a module itself."""
    bound = {}
    for node in ast.walk(_module_tree(module, package) or ast.Module([], [])):
        if isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                is_module = _module_tree(whole, package) is not None
                bound[alias.asname or alias.name] = (whole, None) if is_module else (node.module, alias.name)
        if isinstance(node, ast.Import):
            bound |= {alias.asname: (alias.name, None) for alias in node.names if alias.asname}
    return bound


def _bindings(module, name, package, seen=()):
    """The statements at the top of a module that give a name its value; where it is imported, those of its home."""
    tree = _module_tree(module, package)
    if tree is None or (module, name) in seen:
        return []
    here = [node for node in tree.body if name in _bound(node)]
    if here or name not in _imports(module, package):
        return here
    home, original = _imports(module, package)[name]
    return [] if original is None else _bindings(home, original, package, (*seen, (module, name)))


def _bound(statement):
    """The names that a statement at the top of a module binds, or whose entries or attributes it sets."""
    if isinstance(statement, DEFINITIONS):
        return {statement.name}
    targets = [node for node in ast.walk(statement) if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)]
    return {_root(target).id for target in targets if isinstance(_root(target), ast.Name)}


def _root(node):
    """x of x[0].y."""
    return _root(node.value) if isinstance(node, ast.Attribute | ast.Subscript | ast.Starred) else node


def _module_tree(module, package):
    """The tree of a module of a package; None where it has none."""
    return _trees(package).get(module)


@cache
def _trees(package):
    """The trees of all modules of a package. Read once and together: files may be edited while the code runs."""
    spec = importlib.util.find_spec(package)
    trees = {}
    for folder in spec.submodule_search_locations or [] if spec else []:
        for path in Path(folder).rglob("*.py"):
            names = (package, *path.relative_to(folder).with_suffix("").parts)
            trees[".".join(names).removesuffix(".__init__")] = ast.parse(path.read_bytes())
    return trees


def _definition(tree, path):
    """The last definition with this path of names, since that is the one that counts; None without one."""
    found = [node for node in tree.body if getattr(node, "name", None) == path[0]]
    if not found or len(path) == 1:
        return found[-1] if found else None
    return _definition(found[-1], path[1:])


def normalised(node):
    """A syntax tree as text: no places, no comments, no docstrings; empty fields, which vary with Python, left out."""
    if isinstance(node, list):
        return "[" + ",".join(normalised(part) for part in node) + "]"
    if not isinstance(node, ast.AST):
        return f"{type(node).__name__}:{ascii(node)}"
    fields = {name: value for name, value in ast.iter_fields(node) if value not in (None, [])}
    fields.pop("kind", None)  # the u of u"..."
    if "body" in fields and _has_docstring(node):
        fields["body"] = fields["body"][1:]
    return f"{type(node).__name__}(" + ",".join(f"{name}={normalised(value)}" for name, value in fields.items()) + ")"


def _has_docstring(node):
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module
    return isinstance(node, kinds) and ast.get_docstring(node, clean=False) is not None
