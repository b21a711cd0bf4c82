"""What mutants make of the numbers of an example: their values in the very frame of the linked expression.

Results are kept by the content of what was asked for, and believed as long as no file that was imported or read then
has changed.
"""

import hashlib
import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

from linkindex import store
from linkindex.model import Effect, Finding, Index, Page, Place, Value
from linkindex.mutants.plan import Target
from linkindex.run.child import run_worker

KEPT = 200  # files of effects, one for each page and state of it; the oldest beyond that are removed
WORKER = "linkindex.mutants.effects_worker"


def run_effects(index: Index, targets: Sequence[Target]) -> tuple[dict[str, tuple[Effect, ...]], tuple[Finding, ...]]:
    """The effects by equation, in the order of its mutants; none where the example never reaches the expression."""
    if not hasattr(os, "fork"):  # reported where the mutants are run
        return {}, ()
    root = index.config.root
    wanted = {page.stem: _asked(page, targets) for page in index.pages if page.example}
    wanted = {stem: asked for stem, asked in wanted.items() if asked["tasks"]}
    paths = {stem: root / store.FOLDER / "effects" / f"{_key(asked)}.json" for stem, asked in wanted.items()}
    results = {stem: kept["results"] for stem, path in paths.items() if (kept := _kept(root, path)) is not None}
    waiting = {stem: asked for stem, asked in wanted.items() if stem not in results}
    findings = []
    if waiting:
        fresh = run_worker(WORKER, _job(root, targets, waiting))
        if "crash" in fresh:
            message = f"what the mutants do to the example was not computed: {fresh['crash']}"
            findings.append(Finding(Place(index.config.docs), "LI307", message))
        for stem, result in fresh.get("pages", {}).items():
            store.write(paths[stem], {"files": _hashes(root, fresh["files"]), "results": result}, KEPT)
            results[stem] = result
    pages = {equation.id: equation.page for equation in index.equations}
    return _by_equation(targets, pages, results), tuple(findings)


def _asked(page: Page, targets: Iterable[Target]) -> dict:
    """What the worker computes for a page: at each linked expression, the codes of its mutants."""
    equations = {equation.id for equation in page.equations}
    tasks: dict[str, dict[str, list]] = {}
    for target in targets:
        if target.equation in equations:
            element = target.link.element
            tasks.setdefault(target.link.key, {})[_name(target)] = [element, [mutant.code for mutant in target.mutants]]
    return {"path": page.example, "tasks": tasks}


def _name(target: Target) -> str:
    """Equations that link one expression share its results, unless they take different elements of it."""
    return f"element {target.link.element}"


def _job(root: Path, targets: Iterable[Target], pages: Mapping[str, dict]) -> dict:
    probes: dict[str, dict[str, list[int]]] = {}
    for target in targets:
        span = target.link.span
        probes.setdefault(span.file, {})[target.link.key] = [span.line, span.col, span.end_line, span.end_col]
    return {
        "root": str(root),
        "probes": {path: [[span, key] for key, span in sorted(keys.items())] for path, keys in sorted(probes.items())},
        "pages": pages,
    }


def _by_equation(
    targets: Iterable[Target], pages: Mapping[str, str], results: Mapping[str, Mapping]
) -> dict[str, tuple[Effect, ...]]:
    effects: dict[str, tuple[Effect, ...]] = {}
    for target in targets:
        result = results.get(pages[target.equation], {}).get(target.link.key, {}).get(_name(target))
        if result is None:  # the example never reached it
            continue
        before = _value(result["before"])
        made = (
            Effect(target.link.key, mutant, before, _value(after["value"]), after["error"])
            for mutant, after in zip(target.mutants, result["after"], strict=True)
        )
        effects[target.equation] = (*effects.get(target.equation, ()), *made)
    return effects


def _value(plain: Mapping | None) -> Value | None:
    return Value(plain["dtype"], tuple(plain["shape"]), plain["data"]) if plain else None


def _key(asked: dict) -> str:
    parts = [json.dumps(asked, sort_keys=True), platform.python_version(), version("numpy"), _own_code()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _kept(root: Path, path: Path) -> dict | None:
    """What was computed earlier, if every file that it depends on is as it was."""
    kept = store.read(path)
    return kept if kept is not None and kept["files"] == _hashes(root, kept["files"]) else None


def _hashes(root: Path, files: Iterable[str]) -> dict[str, str]:
    return {file: _hash(root / file) for file in files}


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "missing"


@cache
def _own_code() -> str:
    """A hash of what computes here: the instrumentation, and these modules."""
    files = sorted(path for folder in ("run", "mutants") for path in Path(__file__).parents[1].joinpath(folder).glob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
