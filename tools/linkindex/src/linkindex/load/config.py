"""Read ``[tool.linkindex]`` from a project's pyproject.toml."""

import os
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

from linkindex.model import STEPS, Config

KEYS: Mapping[str, tuple[type, str]] = {
    "packages": (list, "The import names of the code that pages explain. Required."),
    "docs": (str, "The folder of pages, records and examples; `docs` without it."),
    "tests": (str, "The folder of the tests; `tests` without it."),
    "sizes": (list, "For random samples: tables that give free sizes a length, where a page names none."),
    "configuration": (dict, "The lengths of the free sizes in the run whose shapes pages show."),
    "batch-axes": (list, "Axes along which every formula holds for each entry on its own; none without it."),
    "policy": (list, "The steps of evidence that must hold; all of them without it."),
    "offline": (bool, "Whether no page may load from another host, nor hold inline scripts and styles."),
    "repository": (str, "The address of the repository, for permalinks to a commit; that of the environment variable "
                        "LINKINDEX_REPOSITORY without it."),
    "depends": (list, "What else counts for a kept result: patterns of files, or `env:NAME`."),
}

REPOSITORY = "LINKINDEX_REPOSITORY"


class ConfigError(Exception):
    """The configuration cannot be used; the message says where, what was expected and what was found."""


def read_config(root: Path) -> Config:
    """The configuration of the project in ``root``. Raises ConfigError."""
    if sys.flags.optimize or os.environ.get("PYTHONOPTIMIZE"):
        raise ConfigError(
            "python -O and PYTHONOPTIMIZE leave out assert statements, so that wrong tests would pass: "
            "run linkindex without them"
        )
    root = root.resolve()
    path = root / "pyproject.toml"
    if not path.is_file():
        raise ConfigError(f"{path}: not found: run linkindex in the project's root, or name it with --root")
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path.name}: cannot be read: {error}") from error
    tools = document.get("tool")
    table = tools.get("linkindex") if isinstance(tools, dict) else None
    if not isinstance(table, dict):
        raise ConfigError(f'{path.name}: no table [tool.linkindex]: add one with packages = ["..."]')
    _check_types(table)
    _check_values(table, root)
    return Config(
        root=root,
        docs=table.get("docs", "docs"),
        packages=tuple(table["packages"]),
        tests=table.get("tests", "tests"),
        batch_axes=tuple(table.get("batch-axes", ())),
        sizes=tuple(table.get("sizes", ())),
        configuration=table.get("configuration", {}),
        policy=tuple(table.get("policy", Config.policy)),
        depends=tuple(table.get("depends", ())),
        offline=table.get("offline", False),
        repository=table.get("repository") or os.environ.get(REPOSITORY) or None,
    )


def _check_types(table: dict) -> None:
    for key, value in table.items():
        if key not in KEYS:
            raise ConfigError(
                f"pyproject.toml: [tool.linkindex] has the unknown key {key!r}; known are {', '.join(KEYS)}"
            )
        kind = KEYS[key][0]
        if not isinstance(value, kind):
            raise ConfigError(
                f"pyproject.toml: [tool.linkindex] {key} must be a {kind.__name__}, found {type(value).__name__}"
            )


def _check_values(table: dict, root: Path) -> None:
    for key in ("packages", "batch-axes", "policy", "depends"):
        if not all(isinstance(value, str) and value for value in table.get(key, ())):
            raise ConfigError(f"pyproject.toml: [tool.linkindex] {key} must be a list of names, found {table[key]!r}")
    if not table.get("packages"):
        raise ConfigError('pyproject.toml: [tool.linkindex] needs packages = ["..."], the import names of the code')
    for package in table["packages"]:
        path = package.replace(".", "/")
        if not any((root / base / end).exists() for base in ("", "src") for end in (path, f"{path}.py")):
            raise ConfigError(
                f"pyproject.toml: [tool.linkindex] packages names {package!r}, which is not here nor in src/"
            )
    for key, folder in (("docs", table.get("docs", "docs")), ("tests", table.get("tests", "tests"))):
        if not (root / folder).is_dir():
            raise ConfigError(f"pyproject.toml: [tool.linkindex] {key} names {folder!r}, which is no folder here")
    _check_policy(table)
    for sizes in [*table.get("sizes", ()), table.get("configuration", {})]:
        _check_sizes(sizes)


def _check_policy(table: dict) -> None:
    if not table.get("policy", STEPS):
        raise ConfigError(
            "pyproject.toml: [tool.linkindex] policy is empty, so that nothing would have to hold: name steps"
        )
    for step in table.get("policy", ()):
        if step not in STEPS:
            raise ConfigError(
                f"pyproject.toml: [tool.linkindex] policy names {step!r}; the steps are {', '.join(STEPS)}"
            )


def _check_sizes(sizes: object) -> None:
    if not isinstance(sizes, dict) or not all(type(size) is int and size > 0 for size in sizes.values()):
        raise ConfigError("pyproject.toml: [tool.linkindex] sizes and configuration map size symbols to whole numbers")
