"""Results of workers, kept by the content of everything that could change them.

A key covers the job, all files of the packages, tests and examples, and the versions that compute.
"""

import hashlib
import json
import platform
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

from linkindex import store
from linkindex.model import Config

KEPT = 20  # results; the oldest beyond that are removed


def cached(config: Config, job: dict, compute: Callable[[dict], dict]) -> dict:
    """The result of ``compute(job)``, from the cache if nothing that it depends on has changed."""
    path = config.root / store.FOLDER / "runs" / f"{_key(config, job)}.json"
    result = store.read(path)
    if result is None:
        result = compute(job)
        if result and "crash" not in result:
            store.write(path, result, KEPT)
    return result


def _key(config: Config, job: dict) -> str:
    digest = hashlib.sha256(json.dumps({**job, "root": ""}, sort_keys=True).encode())
    digest.update(f"{platform.python_version()} {version('numpy')} {version('pytest')}".encode())
    for path in _files(config, job):
        digest.update(_name(path, config.root).encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _name(path: Path, root: Path) -> str:
    """The path without what differs between two copies of a project."""
    return path.relative_to(root if path.is_relative_to(root) else Path(__file__).parents[1]).as_posix()


def _files(config: Config, job: dict) -> Iterator[Path]:
    """The packages, the tests, the examples of the job, the settings of pytest, and linkindex itself."""
    folders = [config.root / base / package.replace(".", "/") for package in config.packages for base in ("", "src")]
    if job["tests"]:
        folders.append(config.root / config.tests)
    yield from (config.root / example["path"] for example in job["examples"].values())
    yield from (config.root / name for name in ("pyproject.toml", "conftest.py") if (config.root / name).is_file())
    for folder in [*folders, Path(__file__).parents[1]]:
        yield from sorted(
            path
            for path in folder.rglob("*")
            if path.is_file() and "__pycache__" not in path.parts and "node_modules" not in path.parts
        )
