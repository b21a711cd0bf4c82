"""Modules that are imported when they are first used: what the notebook plugin needs only where there is a notebook
takes as long to import as all of MkDocs."""

import importlib.util
import sys
from collections.abc import Iterable
from importlib.machinery import ModuleSpec
from types import ModuleType

NOTEBOOKS = ("jupytext", "mkdocs_jupyter.convert")


def import_when_used(names: Iterable[str]) -> None:
    """From here on ``import name`` gives an empty module that fills itself; what cannot be found is left alone."""
    for name in names:
        spec = None if name in sys.modules else _spec(name)
        if spec is not None and spec.loader is not None:
            module = importlib.util.module_from_spec(spec)
            module.__class__ = _Later
            sys.modules[name] = module


class _Later(ModuleType):
    def __getattr__(self, name: str) -> object:
        self.__class__ = ModuleType
        self.__spec__.loader.exec_module(self)
        return getattr(self, name)


def _spec(name: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(name)
    except ImportError:  # its package is not installed
        return None
