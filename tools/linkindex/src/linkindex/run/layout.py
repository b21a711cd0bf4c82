"""Which files there are where Python and pytest look for code: a new one may stand before the one that a name meant."""

import os
from collections.abc import Iterator
from pathlib import Path

from linkindex.model import Config

SKIPPED = ("__pycache__", "node_modules")
SETTINGS = ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")


def files_where_code_is_read(config: Config) -> list[str]:
    """All files of the packages and of the tests; beside them Python files, packages and the settings of pytest."""
    root = config.root
    bases = [base for base in (root, root / "src") if base.is_dir()]
    folders = {base / package.split(".")[0] for package in config.packages for base in bases} | {root / config.tests}
    files = {path for folder in folders for path in _files(folder)}
    for beside in (path for base in bases for path in base.iterdir()):
        path = beside / "__init__.py" if beside.is_dir() else beside
        if path.is_file() and (path.suffix == ".py" or path.name in SETTINGS):
            files.add(path)
    return sorted(path.relative_to(root).as_posix() for path in files)


def _files(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in SKIPPED and not name.startswith(".")]
        yield from (Path(parent, name) for name in names)
