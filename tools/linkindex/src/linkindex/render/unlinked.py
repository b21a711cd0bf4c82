"""Public functions of the documented packages that no equation links to, read from their syntax trees."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from linkindex.model import Config, Finding, Resolution
from linkindex.resolve.definitions import definitions
from linkindex.sources import read_source


@dataclass(frozen=True, order=True)
class PublicFunction:
    file: str
    line: int
    name: str                                            # qualified, within its module
    linked: bool


def public_functions(config: Config, resolution: Resolution) -> tuple[PublicFunction, ...]:
    """All public functions and methods, in the order of files and lines. Names with an underscore in front are private.
    """
    linked = {link.function.partition("[")[0] for links in resolution.links.values() for link in links}
    found = {function for path in _files(config) for function in _of_file(config.root, path, linked)}
    return tuple(sorted(found))


def _files(config: Config) -> Iterator[tuple[str, str]]:
    """Path and module name of each public module; a package may stand in ``src``."""
    for package in config.packages:
        for base in (config.root, config.root / "src"):
            folder = base / package.replace(".", "/")
            for path in sorted(folder.rglob("*.py")) if folder.is_dir() else ():
                parts = path.relative_to(base).with_suffix("").parts
                if not any(part.startswith("_") and part != "__init__" for part in parts):
                    module = ".".join(part for part in parts if part != "__init__")
                    yield path.relative_to(config.root).as_posix(), module


def _of_file(root: Path, path: tuple[str, str], linked: set[str]) -> Iterator[PublicFunction]:
    file, module = path
    source = read_source(root, file)
    if isinstance(source, Finding):                      # reported, if anything links to it
        return
    for named in definitions(source):
        parts = named.name.split(".")
        if not isinstance(named.node, ast.ClassDef) and not any(part.startswith(("_", "<")) for part in parts):
            yield PublicFunction(file, named.node.lineno, named.name, f"{module}.{named.name}" in linked)
