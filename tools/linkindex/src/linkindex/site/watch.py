"""Folders that, when they change, cause a rebuild while the site is served, and the state that their files are in."""

from collections.abc import Iterator
from pathlib import Path

from linkindex.model import Config


def folders(config: Config, docs: Path) -> tuple[Path, ...]:
    """Every folder that people edit: pages, documented packages, tests, each with its sub-folders.

    They are listed one by one, because Python writes ``__pycache__`` into them during a build, and a watch of the whole
    tree would start the next build for it.
    """
    roots = (docs, config.root / config.tests, *_packages(config))
    return tuple(dict.fromkeys(folder for root in roots if root.is_dir() for folder in _tree(root)))


def state(config: Config, docs: Path) -> frozenset[tuple[str, int, int]]:
    """Path, time and size of every file that people edit: equal as long as nothing was edited."""
    files = (path for folder in folders(config, docs) for path in folder.iterdir() if path.is_file())
    found = ((path, path.stat()) for path in (*files, config.root / "pyproject.toml"))
    return frozenset((str(path), stat.st_mtime_ns, stat.st_size) for path, stat in found)


def _packages(config: Config) -> Iterator[Path]:
    for name in config.packages:
        for base in (config.root, config.root / "src"):
            if (base / name).is_dir():
                yield base / name


def _tree(root: Path) -> Iterator[Path]:
    yield root
    for folder in sorted(root.iterdir()):
        if folder.is_dir() and not folder.name.startswith((".", "__")) and folder.name != "node_modules":
            yield from _tree(folder)
