"""Read ``[tool.linkindex]`` from a project's pyproject.toml."""

import tomllib
from pathlib import Path

from linkindex.model import STEPS, Config

KEYS = {
    "docs": str,
    "packages": list,
    "tests": str,
    "batch-axes": list,
    "sizes": list,
    "configuration": dict,
    "policy": list,
    "repository": str,
}


class ConfigError(Exception):
    """The configuration cannot be used; the message says where, what was expected and what was found."""


def read_config(root: Path) -> Config:
    """The configuration of the project in ``root``. Raises ConfigError."""
    root = root.resolve()
    path = root / "pyproject.toml"
    if not path.is_file():
        raise ConfigError(f"{path}: not found: run linkindex in the project's root, or name it with --root")
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path.name}: cannot be read: {error}") from error
    table = document.get("tool", {}).get("linkindex")
    if table is None:
        raise ConfigError(f'{path.name}: no table [tool.linkindex]: add one with packages = ["..."]')
    _check_types(table)
    _check_values(table, root)
    return Config(
        root=root,
        docs=table.get("docs", "docs"),
        packages=tuple(table["packages"]),
        tests=table.get("tests", "tests"),
        batch_axes=tuple(table.get("batch-axes", ("B", "H"))),
        sizes=tuple(table.get("sizes", ())),
        configuration=table.get("configuration", {}),
        policy=tuple(table.get("policy", Config.policy)),
        repository=table.get("repository"),
    )


def _check_types(table: dict) -> None:
    for key, value in table.items():
        if key not in KEYS:
            raise ConfigError(f"pyproject.toml: [tool.linkindex] has the unknown key {key!r}; known are {', '.join(KEYS)}")
        if not isinstance(value, KEYS[key]):
            raise ConfigError(
                f"pyproject.toml: [tool.linkindex] {key} must be a {KEYS[key].__name__}, found {type(value).__name__}"
            )


def _check_values(table: dict, root: Path) -> None:
    if not table.get("packages"):
        raise ConfigError('pyproject.toml: [tool.linkindex] needs packages = ["..."], the import names of the code')
    if not (root / table.get("docs", "docs")).is_dir():
        raise ConfigError(f"pyproject.toml: [tool.linkindex] docs names {table.get('docs', 'docs')!r}, which is no folder here")
    for step in table.get("policy", ()):
        if step not in STEPS:
            raise ConfigError(f"pyproject.toml: [tool.linkindex] policy names {step!r}; the steps are {', '.join(STEPS)}")
    for sizes in [*table.get("sizes", ()), table.get("configuration", {})]:
        if not isinstance(sizes, dict) or not all(isinstance(n, int) and n > 0 for n in sizes.values()):
            raise ConfigError("pyproject.toml: [tool.linkindex] sizes and configuration map size symbols to whole numbers")
