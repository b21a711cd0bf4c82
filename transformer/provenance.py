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

    A function inside another counts as the outer one. ``call`` runs in this thread, under sys.setprofile.
    """
    reached = set()

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


def code_hashes(names):
    """A hash for each function: of its syntax tree and of the constants of its module that it names.

    names: as ``functions_reached`` gives them. Layout, comments, docstrings and the Python version do not matter;
    names, constants and defaults do. Returns a dict from name to 64 hexadecimal digits, or "not there" for what does
    not exist.
    """
    return {name: _code_hash(*name.split(":")) for name in sorted(names)}


def combined(hashes):
    """One hash for several functions and their names."""
    return sha256(canonical(hashes))


def differences(trained, run):
    """What two dicts, such as versions or hashes of code, do not agree on: a tuple of Difference, by name."""
    pairs = {name: (trained.get(name, MISSING), run.get(name, MISSING)) for name in sorted(trained.keys() | run.keys())}
    return tuple(Difference(name, str(before), str(now)) for name, (before, now) in pairs.items() if before != now)


def _code_hash(module, qualname):
    tree = _module_tree(module)
    function = tree and _definition(tree, qualname.split("."))
    if function is None:
        return MISSING
    used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    constants = [statement for statement in tree.body if isinstance(statement, ast.Assign | ast.AnnAssign)
                 and used & {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)
                             and isinstance(node.ctx, ast.Store)}]
    return sha256("\n".join(normalised(part) for part in (*constants, function)).encode())


@cache
def _module_tree(module):
    """The tree of a module that this process has, or could import; None without one. Read once: it is what runs."""
    try:
        path = importlib.util.find_spec(module).origin
        return ast.parse(Path(path).read_bytes())
    except (ImportError, AttributeError, OSError, TypeError):
        return None


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
