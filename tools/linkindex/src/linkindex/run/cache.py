"""Results of workers, kept by the content of everything that could change them.

A key covers the job, all files of the packages, tests and examples, and the versions that compute. A damaged or stale
entry does not match its key or its checksum, and is computed again.
"""

import hashlib
import json
import platform
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

from linkindex.model import Config

FOLDER = "build/cache/runs"
KEPT = 40  # entries; the oldest beyond that are removed


def cached(config: Config, job: dict, compute: Callable[[dict], dict]) -> dict:
    """The result of ``compute(job)``, from the cache if nothing that it depends on has changed."""
    path = config.root / FOLDER / f"{_key(config, job)}.json"
    result = _read(path)
    if result is None:
        result = compute(job)
        if result and "crash" not in result:
            _write(path, result)
    return result


def _key(config: Config, job: dict) -> str:
    digest = hashlib.sha256(json.dumps({**job, "root": ""}, sort_keys=True).encode())
    digest.update(f"{platform.python_version()} {version('numpy')} {version('pytest')}".encode())
    for path in _files(config, job):
        digest.update(path.as_posix().encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


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


def _read(path: Path) -> dict | None:
    try:
        checksum, _, body = path.read_text(encoding="utf-8").partition("\n")
    except (OSError, UnicodeDecodeError):
        return None
    if hashlib.sha256(body.encode()).hexdigest() != checksum:
        return None
    return json.loads(body)


def _write(path: Path, result: dict) -> None:
    body = json.dumps(result)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    beside.write_text(f"{hashlib.sha256(body.encode()).hexdigest()}\n{body}", encoding="utf-8")
    beside.replace(path)
    entries = sorted(path.parent.glob("*.json"), key=lambda entry: entry.stat().st_mtime, reverse=True)
    for old in entries[KEPT:]:
        old.unlink(missing_ok=True)
